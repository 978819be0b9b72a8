// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// Every container with every encoding that it supports, read back.
@Suite struct FormatTests {
  static let pairs = AudioContainer.allCases.flatMap { container in
    container.encodings.map { (container, $0) }
  }

  private func write(
    _ sound: [[Float]], _ path: String, _ encoding: SampleEncoding, rate: Int = 48_000, fileRate: Int? = nil,
    quality: CodingQuality? = nil
  ) throws {
    let format = try RecordingFormat(
      path: path, named: encoding.rawValue, rate: fileRate.map(Double.init), quality: quality)
    let writer = try AudioFileWriter(
      path, format: format, sampleRate: Double(rate), channelCount: sound.count)
    try writer.write(sound)
    try writer.close()
  }

  /// Returns how many extra frames a file may have: IMA 4:1 has blocks of 64 frames, and AIFF does not state how full
  /// the last one is.
  private func surplus(_ container: AudioContainer, _ encoding: SampleEncoding) -> Int {
    encoding == .ima4 && container == .aiff ? 63 : 0
  }

  @Test(arguments: pairs)
  func `a file keeps the sound, rate, channels and length`(
    _ container: AudioContainer, _ encoding: SampleEncoding
  ) throws {
    let folder = try Folder()
    let path = folder["a.\(container.rawValue)"]
    let count = 50_001
    let bits = min(encoding.bits ?? 24, 24)
    let isLossless = encoding.isPlain || encoding.bits != nil
    let sound =
      isLossless
      ? [noise(count, bits: bits, seed: 3), noise(count, bits: bits, seed: 4)]
      : [sine(997, rate: 48_000, count: count), sine(440, rate: 48_000, count: count)]
    try write(sound, path, encoding)
    let reader = try AudioFileReader(path)
    #expect(reader.info.sampleRate == 48_000)
    #expect(reader.info.channelCount == 2)
    #expect(count...count + surplus(container, encoding) ~= reader.info.frameCount)
    let heard = try reader.read(100_000)
    if isLossless {
      #expect(heard == sound)
    } else {
      // It is also aligned: any misaligned sound counts as noise.
      for channel in 0..<2 {
        let wrong = zip(heard[channel], sound[channel]).map { $0 - $1 }
        #expect(rms(Array(wrong[2000..<48_000])) < 0.012, "channel \(channel)")
      }
    }
    // Reading from any position gives the same sound.
    for frame in [49_000, 17, 30_000] {
      try reader.seek(to: frame)
      let part = try reader.read(700)
      for channel in 0..<2 {
        let wrong = zip(part[channel], heard[channel][frame..<frame + 700]).map { abs($0 - $1) }
        #expect((wrong.max() ?? 1) < (isLossless ? 1e-9 : 0.02), "at \(frame)")
      }
    }
  }

  @Test(arguments: [
    ("wav", "16-bit"), ("w64", "24-bit"), ("caf", "32-float"), ("aiff", "8-bit"), ("rf64", "64-float"),
  ])
  func `a second of sound takes the stated number of bytes`(_ container: String, _ encoding: String) throws {
    let folder = try Folder()
    let sizes = try [44_100, 88_200].map { count in
      let path = folder["\(count).\(container)"]
      let format = try RecordingFormat(path: path, named: encoding)
      let writer = try AudioFileWriter(path, format: format, sampleRate: 44_100, channelCount: 2)
      try writer.write([noise(count), noise(count, seed: 2)])
      try writer.close()
      return try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
    let format = try RecordingFormat(path: "a.\(container)", named: encoding)
    #expect(format.bytesPerSecond(channelCount: 2, soundRate: 44_100) == sizes[1] - sizes[0])
  }

  @Test func `a minute of CD sound takes 10 MB, and a bit rate determines the size`() throws {
    let disc = try RecordingFormat(path: "a.wav", named: "16-bit")
    let minute = 60 * (try #require(disc.bytesPerSecond(channelCount: 2, soundRate: 44_100)))
    #expect(abs(Double(minute) / 1_048_576 - 10.1) < 0.05)
    let small = try RecordingFormat(path: "a.opus", quality: .bitRate(96_000))
    #expect(small.bytesPerSecond(channelCount: 2, soundRate: 48_000) == 12_000)
    // The size of lossless or quality-based encodings depends on the sound.
    #expect(try RecordingFormat(path: "a.flac").bytesPerSecond(channelCount: 2, soundRate: 44_100) == nil)
    #expect(try RecordingFormat(path: "a.mp3").bytesPerSecond(channelCount: 2, soundRate: 44_100) == nil)
    #expect(disc.bytesPerSecond(channelCount: .max, soundRate: 44_100) == nil)
  }

  @Test(arguments: pairs)
  func `a file takes its maximum number of channels, in order, and not one more`(
    _ container: AudioContainer, _ encoding: SampleEncoding
  ) throws {
    let folder = try Folder()
    let path = folder["a.\(container.rawValue)"]
    let limit = RecordingFormat(container: container, encoding: encoding).channelLimit
    let carrier = sine(300, rate: 48_000, count: 7200)
    for count in Set([1, 7, min(limit, 64)]).filter({ $0 <= limit }).sorted() {
      // Each channel has a different level, so a swap is detected.
      let sound = (0..<count).map { channel in
        carrier.map { $0 * (0.2 + 1.6 * Float(channel) / Float(count)) }
      }
      try? FileManager.default.removeItem(atPath: path)
      try write(sound, path, encoding)
      let heard = try AudioFileReader(path).read(7200)
      try #require(heard.count == count)
      for channel in 0..<count {
        let (got, put) = (rms(Array(heard[channel][4800..<6400])), rms(Array(sound[channel][4800..<6400])))
        #expect(abs(got - put) < 0.02 + 0.25 / Float(count), "channel \(channel) of \(count)")
      }
    }
    let error = #expect(throws: FileError.self) {
      try write(Array(repeating: [0], count: limit + 1), folder["b.\(container.rawValue)"], encoding)
    }
    #expect(error?.kind == .unsupported && error?.detail.contains("takes 1 to \(limit)") == true)
    #expect(!folder.names.contains("b.\(container.rawValue)"))
  }

  @Test(arguments: ["wav", "caf", "flac", "ogg", "mp3", "opus", "m4a"], [8000, 22_050, 44_100, 192_000])
  func `a file has the requested rate if its codec supports it`(_ ending: String, _ rate: Int) throws {
    let folder = try Folder()
    let path = folder["a." + ending]
    let encoding = try RecordingFormat(path: path).encoding
    guard encoding.knownRates?.contains(rate) ?? true else {
      let error = #expect(throws: FileError.self) {
        _ = try RecordingFormat(path: path, rate: Double(rate))
      }
      #expect(
        error?.detail.hasPrefix("cannot be written at \(rate) Hz: \(encoding.rawValue) takes 8000") == true)
      return
    }
    try write([sine(500, rate: 48_000, count: 96_000)], path, encoding, fileRate: rate)
    let reader = try AudioFileReader(path)
    #expect(Int(reader.info.sampleRate) == rate)
    #expect(abs(reader.info.frameCount - 2 * rate) <= 2)
    let heard = try reader.read(2 * rate)[0]
    #expect(ratioOfSine(500, rate: rate, in: Array(heard[rate / 2..<rate * 3 / 2])) > 20)
  }

  @Test(arguments: ["ogg", "opus", "mp3", "m4a"])
  func `quality and bit rate change a file's size`(_ ending: String) throws {
    let folder = try Folder()
    let sound = [noise(480_000, bits: 16).map { $0 * 0.3 }]
    let encoding = try RecordingFormat(path: "a." + ending).encoding
    func size(_ name: String, _ quality: CodingQuality) throws -> Int {
      let path = folder[name + "." + ending]
      try write(sound, path, encoding, quality: quality)
      return try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
    let sizes = try [0, 0.5, 1].map { try size("q\($0)", .quality($0)) }
    #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2], "\(sizes)")
    guard encoding != .vorbis else { return }
    for rate in [48_000, 128_000] {
      let measured = Double(try size("b\(rate)", .bitRate(rate)) * 8) / 10
      #expect(abs(measured / Double(rate) - 1) < 0.15, "\(measured) of \(rate) bits a second")
    }
  }

  @Test func `an invalid combination is refused with the valid choices`() throws {
    func detail(
      _ path: String, _ name: String?, rate: Double? = nil, quality: CodingQuality? = nil
    ) -> String? {
      do throws(FileError) {
        _ = try RecordingFormat(path: path, named: name, rate: rate, quality: quality)
        return nil
      } catch {
        return error.detail
      }
    }
    #expect(
      detail("a.wav", "alac")
        == "cannot hold alac in a .wav file; use 32-float, 64-float, 32-bit, 24-bit, 16-bit, 8-bit, ima4,"
        + " or name a file that takes it: .caf, .m4a")
    #expect(
      detail("a.opus", "aac")
        == "cannot hold aac in a .opus file; leave the format out, or name a file that takes it: .m4a")
    #expect(detail("a.xyz", nil)?.contains(".m4a") == true)
    #expect(detail("a.wav", "17-bit")?.contains("use one of 8-bit, 16-bit") == true)
    #expect(detail("a.wav", nil, quality: .quality(0.5))?.contains("supports no quality") == true)
    #expect(detail("a.ogg", nil, quality: .bitRate(96_000))?.contains("supports only a quality") == true)
    #expect(detail("a.mp3", nil, quality: .quality(1.5))?.contains("0, smallest, to 1, best") == true)
    #expect(detail("a.mp3", nil, quality: .quality(.nan)) != nil)
    #expect(detail("a.wav", nil, rate: 7999)?.contains("8000 to 192000") == true)
    #expect(detail("a.m4a", "alac", rate: 192_000) == nil)
    for (rate, text) in [(22_050.5, "22050.5"), (.nan, "nan"), (.infinity, "inf"), (1e30, "1e+30")] {
      #expect(detail("a.wav", nil, rate: rate)?.hasPrefix("cannot be written at \(text) Hz") == true)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -1, 0, 999, 44_100.5, 1_536_001])
  func `a fractional or out-of-range rate is refused before the file is made`(rate: Double) throws {
    let folder = try Folder()
    let error = #expect(throws: FileError.self) {
      try AudioFileWriter(
        folder["a.wav"], format: RecordingFormat(container: .wav), sampleRate: rate, channelCount: 1)
    }
    #expect(error?.detail.contains("whole rates from 1000 to 1536000 Hz") == true)
    var format = RecordingFormat(container: .wav)
    format.rate = rate
    #expect(throws: FileError.self) {
      try AudioFileWriter(folder["a.wav"], format: format, sampleRate: 48_000, channelCount: 1)
    }
    #expect(!FileManager.default.fileExists(atPath: folder["a.wav"]))
  }

  @Test(arguments: [20_001, 50_001, 500_001])
  func `Vorbis is sought to the frame, up to the last one`(_ count: Int) throws {
    let folder = try Folder()
    let path = folder["a.ogg"]
    try write([noise(count, bits: 16).map { $0 * 0.5 }], path, .vorbis)
    let reader = try AudioFileReader(path)
    let whole = try reader.read(count)[0]
    for step in 0..<40 {
      let frame = step < 20 ? count - 100 - step * 777 : (step * 102_947) % (count - 800)
      guard frame >= 0 else { continue }
      try reader.seek(to: frame)
      let part = try reader.read(90)[0]
      let wrong = zip(part, whole[frame...]).map { abs($0 - $1) }.max() ?? 1
      #expect(wrong < 0.01, "at \(frame)")
    }
  }

  @Test(arguments: ["a.caf", "a.aiff"])
  func `ffmpeg decodes IMA 4:1 to the same samples`(_ name: String) throws {
    let folder = try Folder()
    let path = folder[name]
    let sound = [
      sine(440, rate: 22_050, count: 22_050), sine(97, rate: 22_050, count: 22_050, amplitude: 0.01),
    ]
    try write(sound, path, .ima4, rate: 22_050)
    let decoded = try AudioFileReader(path)
    #expect(decoded.info.frameCount == (name == "a.caf" ? 22_050 : 22_080))
    let heard = try decoded.read(30_000)
    // Four bits follow a sine to about one hundredth of its level, also a soft one.
    for (channel, loudness) in [Float(0.5), 0.01].enumerated() {
      let wrong = zip(heard[channel].prefix(22_050), sound[channel]).map { $0 - $1 }
      #expect(rms(wrong) < loudness * 0.03, "channel \(channel)")
    }
    guard isInstalled("ffmpeg") else { return }
    let raw = folder["a.raw"]
    _ = try #require(
      output(of: "ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", raw))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
    let theirs = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let mixed = (0..<22_050).flatMap { [heard[0][$0], heard[1][$0]] }
    #expect(Array(theirs.prefix(mixed.count)) == mixed)
  }

  @Test(arguments: [1, 500, 2041, 2042, 50_001], [1, 2])
  func `IMA 4:1 in WAV keeps its length`(_ count: Int, _ channels: Int) throws {
    let folder = try Folder()
    let path = folder["a.wav"]
    let sound = sine(440, rate: 44_100, count: count)
    try write(Array(repeating: sound, count: channels), path, .ima4, rate: 44_100)
    let reader = try AudioFileReader(path)
    #expect(reader.info.frameCount == count)
    let heard = try reader.read(count + 5000)
    #expect(heard.count == channels && heard.allSatisfy { $0.count == count })
    if count > 5000 {
      let wrong = zip(heard[channels - 1], sound).map { $0 - $1 }
      #expect(rms(wrong) < 0.02)
    }
    // ffprobe rejects the header of a file with few blocks; sox and libsndfile always count whole blocks.
    if isInstalled("ffprobe"), count > 5000 {
      let shown = output(
        of: "ffprobe", "-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", path)
      #expect(shown == "\(count)")
    }
    if isInstalled("sox") {
      let shown = output(of: "sox", "--i", "-s", path).flatMap { Int($0) }
      #expect(shown.map { count..<count + 2 * 4089 ~= $0 } == true, "\(shown ?? 0)")
    }
  }
}
