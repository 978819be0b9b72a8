// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import Testing

@Suite struct RoundTripTests {
  static let lossless: [(name: String, encoding: String)] = [
    ("a.wav", "16-bit"), ("a.wav", "24-bit"), ("a.wav", "32-bit"), ("a.wav", "32-float"),
    ("a.rf64", "24-bit"), ("a.rf64", "32-float"), ("a.w64", "16-bit"), ("a.w64", "24-bit"),
    ("a.w64", "32-bit"), ("a.w64", "32-float"), ("a.aiff", "16-bit"), ("a.aiff", "24-bit"),
    ("a.aiff", "32-float"), ("a.caf", "16-bit"), ("a.caf", "24-bit"), ("a.caf", "32-float"),
    ("a.flac", "16-bit"), ("a.flac", "24-bit"),
  ]

  @Test(arguments: lossless)
  func `a lossless file returns the exact samples`(_ name: String, _ encoding: String) throws {
    let folder = try Folder()
    let path = folder[name]
    let bits = encoding == "16-bit" ? 16 : 24
    let sound = [noise(50_001, bits: bits, seed: 3), noise(50_001, bits: bits, seed: 4)]
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: encoding), sampleRate: 48000, channelCount: 2)
    try writer.write(sound)
    try writer.close()
    let reader = try AudioFileReader(path)
    #expect(reader.info.sampleRate == 48000)
    #expect(reader.info.frameCount == 50_001)
    #expect(try reader.read(100_000) == sound)
    #expect(try reader.read(1) == [[], []])
    try reader.seek(to: 40_000)
    #expect(try reader.read(3)[1] == Array(sound[1][40_000..<40_003]))
    if isInstalled("ffprobe") {
      let shown = output(
        of: "ffprobe", "-v", "error", "-show_entries", "stream=channels,sample_rate", "-of", "csv=p=0", path)
      #expect(shown == "48000,2")
    }
  }

  @Test(.enabled(if: isInstalled("sox"))) func `sox reads the same samples`() throws {
    let folder = try Folder()
    let sound = noise(4000, bits: 16)
    for name in ["a.wav", "a.flac", "a.aiff", "a.caf", "a.w64"] {
      let path = folder[name]
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path, named: "16-bit"), sampleRate: 44100, channelCount: 1)
      try writer.write([sound])
      try writer.close()
      let raw = folder[name + ".s16"]
      _ = try #require(output(of: "sox", path, "-t", "s16", raw))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
      let heard = stride(from: 0, to: bytes.count - 1, by: 2).map {
        Int16(bytes[$0]) | Int16(bytes[$0 + 1]) << 8
      }
      #expect(heard.map { Float($0) / 32768 } == sound, "\(name)")
    }
  }

  @Test(arguments: ["a.ogg", "a.opus", "a.mp3"])
  func `a lossy file is similar to its source`(_ name: String) throws {
    let folder = try Folder()
    let path = folder[name]
    let sound = sine(997, rate: 48000, count: 96_000)
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: 48000, channelCount: 2)
    try writer.write([sound, sound])
    try writer.close()
    let heard = try AudioFileReader(path).read(200_000)
    #expect(heard.count == 2)
    #expect(abs(heard[0].count - 96_000) < 4000)
    // The codec may shift the sound: everything but the sine, at any phase, is noise.
    let part = Array(heard[0][20_000..<68_000])
    #expect(ratioOfSine(997, rate: 48000, in: part) > 30, "dB of signal over noise")
    #expect(abs(rms(part) - 0.3535) < 0.01)
  }

  @Test func `Opus at 44.1 kHz is converted to a supported rate`() throws {
    let folder = try Folder()
    let path = folder["a.opus"]
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: 44100, channelCount: 1)
    for start in stride(from: 0, to: 88_200, by: 441) {
      try writer.write([Array(sine(441, rate: 44100, count: 88_200)[start..<start + 441])])
    }
    try writer.close()
    let reader = try AudioFileReader(path)
    #expect(reader.info.sampleRate == 48000)
    #expect(abs(reader.info.frameCount - 96_000) < 10)
    let heard = try reader.read(96_000)[0]
    #expect(ratioOfSine(441, rate: 48000, in: Array(heard[20_000..<68_000])) > 30)
  }

  @Test(arguments: ["wav", "rf64", "w64", "aiff", "caf", "flac"])
  func `equal sound gives equal files at any time`(_ ending: String) throws {
    let folder = try Folder()
    for name in ["a", "b"] {
      let path = folder[name + "." + ending]
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path), sampleRate: 48000, channelCount: 2)
      try writer.write([noise(1000), noise(1000)])
      try writer.close()
      usleep(1_100_000)
    }
    let files = ["a", "b"].map { FileManager.default.contents(atPath: folder[$0 + "." + ending]) }
    #expect(files[0] == files[1])
  }

  @Test func `integers are rounded to the nearest step and clip at full scale`() throws {
    let folder = try Folder()
    let path = folder["a.wav"]
    let format = try RecordingFormat(path: path, named: "16-bit")
    let writer = try AudioFileWriter(path, format: format, sampleRate: 48000, channelCount: 1)
    try writer.write([[2, -2, 0.6 / 32768, 0.4 / 32768, -0.6 / 32768, .nan, .infinity]])
    try writer.close()
    let step: Float = 1 / 32768
    #expect(try AudioFileReader(path).read(9)[0] == [1 - step, -1, step, 0, -step, 0, 1 - step])
  }
}

/// Returns the level of a sine of `frequency` above everything else, in dB.
func ratioOfSine(_ frequency: Double, rate: Int, in samples: [Float]) -> Double {
  let step = 2 * Double.pi * frequency / Double(rate)
  var (inPhase, quadrature) = (0.0, 0.0)
  for (index, sample) in samples.enumerated() {
    inPhase += Double(sample) * cos(step * Double(index))
    quadrature += Double(sample) * sin(step * Double(index))
  }
  let (a, b) = (2 * inPhase / Double(samples.count), 2 * quadrature / Double(samples.count))
  var rest = 0.0
  for (index, sample) in samples.enumerated() {
    let ideal = a * cos(step * Double(index)) + b * sin(step * Double(index))
    rest += (Double(sample) - ideal) * (Double(sample) - ideal)
  }
  return 10 * log10((a * a + b * b) / 2 / max(rest / Double(samples.count), 1e-30))
}

func rms(_ samples: [Float]) -> Float {
  (samples.reduce(0) { $0 + $1 * $1 } / Float(max(samples.count, 1))).squareRoot()
}
