// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletSndFile
import Foundation
import Testing

@testable import SwiftletFiles

/// Every container with every encoding that it supports, read by other programs.
@Suite struct OtherReadersTests {
  typealias Pair = (container: AudioContainer, encoding: SampleEncoding)

  private static let pairs: [Pair] = FormatTests.pairs
  /// In steps that every integer encoding has.
  private static let sound = [noise(48_000, bits: 8), noise(48_000, bits: 8, seed: 9)]

  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Writes one second of the sound to a file.
  private func write(_ container: AudioContainer, _ encoding: SampleEncoding) throws -> String {
    let path = folder["a.\(container.rawValue)"]
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: encoding.rawValue), sampleRate: 48_000, channelCount: 2
    )
    try writer.write(Self.sound)
    try writer.close()
    return path
  }

  /// Compares every sample that another program read, if the encoding is lossless.
  private func compare(_ heard: [Float], _ encoding: SampleEncoding, times factor: Float = 1) {
    guard encoding.isPlain || encoding.bits != nil else { return }
    #expect(heard.count == 96_000)
    let wrong = heard.indices.first {
      let sample = Self.sound[$0 % 2][min($0 / 2, 47_999)]
      return factor == 1 ? heard[$0] != sample : abs(heard[$0] - sample * factor) > 1e-6
    }
    #expect(wrong == nil, "sample \(wrong ?? 0) of both channels")
  }

  /// Returns the floats that a program wrote.
  private func floats(_ name: String) throws -> [Float] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder[name]))
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test(.enabled(if: isInstalled("ffprobe")), arguments: pairs)
  func `ffprobe reads the same rate, channels and length, and ffmpeg every sample`(_ pair: Pair) throws {
    let path = try write(pair.container, pair.encoding)
    let fields = "stream=channels,sample_rate,duration"
    let shown = try #require(
      output(of: "ffprobe", "-v", "error", "-show_entries", fields, "-of", "csv=p=0", path))
    let parts = shown.split(separator: ",")
    #expect(parts.prefix(2) == ["48000", "2"])
    let length = try #require(parts.last.flatMap { Double($0) })
    // Programs count the padding of MP3 as sound.
    #expect(abs(length - 1) < 0.06, "\(shown)")
    _ = try #require(
      output(of: "ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", folder["raw"]))
    try compare(floats("raw"), pair.encoding)
  }

  /// Whether Debian's sox reads a file.
  private static let soxReads = pairs.filter { container, encoding in
    switch (container, encoding) {
    // It cannot read MPEG-4 with AAC or Apple Lossless, or Opus: it identifies such a file (`no handler for detected
    // file type`), but Debian builds it without opusfile, and it passes only its own encodings to libsndfile.
    case (.m4a, _), (_, .opus): false
    // It reads CAF through libsndfile, which reports encodings to it that it does not have.
    case (.caf, .alac16), (.caf, .alac24), (.caf, .ima4): false
    // Its own AIFF reader does not support IMA 4:1: `Unsupported AIFC compression type`.
    case (.aiff, .ima4): false
    default: true
    }
  }

  @Test(.enabled(if: isInstalled("sox")), arguments: soxReads)
  func `sox reads the same rate, channels and length, and every sample`(_ pair: Pair) throws {
    let path = try write(pair.container, pair.encoding)
    #expect(output(of: "sox", "--i", "-r", path) == "48000")
    #expect(output(of: "sox", "--i", "-c", path) == "2")
    let length = try #require(output(of: "sox", "--i", "-D", path).flatMap { Double($0) })
    #expect(abs(length - 1) < 0.06, "\(length) s")
    _ = try #require(output(of: "sox", "-D", path, "-t", "f32", "-L", folder["raw"]))
    let heard = try floats("raw")
    guard [.w64, .caf].contains(pair.container), pair.encoding.bits == nil else {
      return compare(heard, pair.encoding)
    }
    // It reads these through libsndfile, as integers: the largest float becomes the largest of 16 bits, and 64-bit
    // floats become silence, whichever program wrote them.
    guard pair.encoding == .float32 else { return }
    let loudest = Self.sound.joined().map(abs).max() ?? 1
    compare(heard, pair.encoding, times: 32_767 / 32_768 / loudest)
  }

  /// Whether libsndfile 1.2.0 reads a file.
  private static let libraryReads = pairs.filter { container, encoding in
    switch (container, encoding) {
    // It does not support these.
    case (.m4a, _), (.caf, .ima4): false
    // It requires the bit depth of Apple Lossless, which ffmpeg omits. Refusing such a file is better: it reads
    // stereo files of 24 bits wrong if the sound is incompressible.
    case (.caf, .alac24): false
    default: true
    }
  }

  @Test(arguments: libraryReads)
  func `libsndfile reads the same rate, channels and length, and every sample`(_ pair: Pair) throws {
    let path = try write(pair.container, pair.encoding)
    var info = SF_INFO()
    let file = try #require(sf_open(path, Int32(SFM_READ), &info), "\(String(cString: sf_strerror(nil)))")
    defer { sf_close(file) }
    #expect(info.samplerate == 48_000)
    #expect(info.channels == 2)
    // It counts whole blocks of IMA 4:1.
    let surplus = pair.encoding == .ima4 ? 4089 : 0
    #expect(48_000...48_000 + surplus ~= Int(info.frames), "\(info.frames) frames")
    var heard = [Float](repeating: 0, count: 96_000)
    #expect(sf_readf_float(file, &heard, 48_000) == 48_000)
    compare(heard, pair.encoding)
  }
}
