// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletSignal
import Testing

@Suite struct ConvertingTests {
  private func write(_ sound: [Float], _ path: String, rate: Int) throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: Double(rate), channelCount: 1)
    try writer.write([sound])
    try writer.close()
  }

  @Test(arguments: [(44100, 48000), (48000, 44100), (96000, 48000), (22050, 192_000), (48000, 8000)])
  func `a sine keeps its pitch and level at another rate`(_ from: Int, _ to: Int) throws {
    let folder = try Folder()
    try write(sine(997, rate: from, count: from * 2), folder["a.wav"], rate: from)
    let reader = try ConvertingReader(folder["a.wav"], sampleRate: to)
    #expect(reader.length == to * 2)
    let heard = try reader.read(to * 3)[0]
    #expect(heard.count == to * 2)
    let middle = Array(heard[to / 2..<to * 3 / 2])
    #expect(ratioOfSine(997, rate: to, in: middle) > 110)
    #expect(abs(rms(middle) - 0.5 / Float(2).squareRoot()) < 1e-4)
  }

  @Test func `frequencies above the lower rate's band are not aliased into it`() throws {
    let folder = try Folder()
    try write(sine(30_000, rate: 96000, count: 96_000), folder["a.wav"], rate: 96000)
    let heard = try ConvertingReader(folder["a.wav"], sampleRate: 48000).read(48000)[0]
    let alias = rms(Array(heard[12_000..<36_000]))
    #expect(20 * log10(alias / 0.3535) < -120)
  }

  @Test(arguments: [Float.nan, .infinity, -1e30], [48_000, 44_100])
  func `a sound with invalid samples is refused`(sample: Float, rate: Int) throws {
    let folder = try Folder()
    let format = RecordingFormat(container: .wav, encoding: .float32)
    for (name, middle) in [("good.wav", 0.5), ("bad.wav", sample)] {
      let writer = try AudioFileWriter(
        folder[name], format: format, sampleRate: Double(rate), channelCount: 2)
      try writer.write([noise(3000), noise(1000) + [middle] + noise(1999)])
      try writer.close()
    }
    #expect(try Sound(reading: folder["good.wav"], sampleRate: 48_000).channels.count == 2)
    let error = #expect(throws: FileError.self) {
      _ = try Sound(reading: folder["bad.wav"], sampleRate: 48_000)
    }
    #expect(error?.description.contains("infinite or NaN") == true)
  }

  @Test func `reading in slices returns the same frames as reading at once`() throws {
    let folder = try Folder()
    try write(noise(30_000), folder["a.wav"], rate: 44100)
    let whole = try ConvertingReader(folder["a.wav"], sampleRate: 48000).read(40_000)[0]
    let reader = try ConvertingReader(folder["a.wav"], sampleRate: 48000)
    var joined: [Float] = []
    var size = 1
    while let part = try reader.read(size).first, !part.isEmpty {
      joined += part
      size = size * 3 % 1009
    }
    #expect(joined == whole)
  }

  @Test(arguments: [(44100, 48000), (96000, 44100), (44101, 48000)])
  func `after a seek, reading continues with the frames at that position`(_ from: Int, _ to: Int) throws {
    let folder = try Folder()
    try write(noise(from), folder["a.wav"], rate: from)
    let reader = try ConvertingReader(folder["a.wav"], sampleRate: to)
    let whole = try reader.read(to)[0]
    for frame in [0, 1, 7000, to / 2 + 13, to - 100] {
      try reader.seek(to: frame)
      let part = try reader.read(100)[0]
      let worst = zip(part, whole[frame...]).map { abs($0 - $1) }.max() ?? 1
      #expect(part.count == 100)
      #expect(worst < 1e-5, "at \(frame)")
    }
  }

  @Test func `a loop at another rate has no seam`() throws {
    let folder = try Folder()
    // 441 whole periods, so the sine continues across the seam.
    try write(sine(441, rate: 44100, count: 44100), folder["a.wav"], rate: 44100)
    let reader = try ConvertingReader(folder["a.wav"], sampleRate: 48000, loops: .forever)
    let heard = try reader.read(240_000)[0]
    #expect(ratioOfSine(441, rate: 48000, in: Array(heard[24_000..<216_000])) > 110)
  }

  @Test(.enabled(if: isInstalled("sox"))) func `files written by sox are read`() throws {
    let folder = try Folder()
    for name in ["a.wav", "a.flac", "a.aiff", "a.au", "a.ogg", "a.caf", "a.voc", "a.mp3"] {
      let path = folder[name]
      // Not every build of sox can write each of these.
      guard
        output(of: "sox", "-n", "-r", "44100", "-c", "2", path, "synth", "1", "sine", "997", "vol", "0.5")
          != nil
      else { continue }
      let reader = try ConvertingReader(path, sampleRate: 48000)
      #expect(reader.channelCount == 2, "\(name)")
      let heard = try reader.read(48000)[1]
      #expect(ratioOfSine(997, rate: 48000, in: Array(heard[10_000..<38_000])) > 35, "\(name)")
    }
  }
}
