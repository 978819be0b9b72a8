// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import Testing

/// Files with uncompressed samples, compared with what other programs read.
@Suite struct PlainSamplesTests {
  /// Returns what another program reads, channel by channel.
  private func truth(_ path: String, _ channels: Int, _ folder: Folder, by program: String) throws
    -> [[Float]]
  {
    let raw = folder["truth.raw"]
    if program == "sox" {
      _ = try #require(output(of: "sox", path, "-t", "f32", "-L", raw))
    } else {
      _ = try #require(output(of: program, "-v", "error", "-y", "-i", path, "-f", "f32le", raw))
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
    let mixed = bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    return (0..<channels).map { channel in
      (0..<mixed.count / channels).map { mixed[$0 * channels + channel] }
    }
  }

  /// Reads all in pieces of odd lengths, and some of it again.
  private func check(_ path: String, _ truth: [[Float]]) throws {
    let reader = try AudioFileReader(path), length = try #require(truth.first?.count)
    #expect(reader.info.frameCount == length && length == 20_000)
    var read = truth.map { _ in [Float]() }, size = 1
    while reader.position < length {
      for (channel, samples) in try reader.read(size).enumerated() { read[channel] += samples }
      size = size * 3 + 2
    }
    // The test does not print thousands of samples.
    let isAlike = read == truth
    #expect(isAlike)
    for frame in [12_345, 7, 19_990] {
      try reader.seek(to: frame)
      let isThere = try reader.read(100) == truth.map { Array($0[frame..<min(frame + 100, length)]) }
      #expect(isThere)
    }
    #expect(reader.position == length)
  }

  @Test(arguments: ["wav", "w64", "rf64"], ["pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le"])
  func `every sample equals what other programs read`(container: String, codec: String) throws {
    let folder = try Folder()
    // libsndfile reads those of ffmpeg as integers.
    guard container != "w64" || codec != "pcm_f32le" else { return }
    for channels in [1, 2, 3, 6] {
      let path = folder["\(channels).\(container == "rf64" ? "wav" : container)"]
      let noise = (1...channels).map { "2*random(\($0))-1" }.joined(separator: "|")
      _ = try #require(
        output(
          of: "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "aevalsrc=exprs=\(noise):d=0.5:s=40000", "-c:a",
          codec, "-rf64", container == "rf64" ? "always" : "never", path))
      try check(path, try truth(path, channels, folder, by: "ffmpeg"))
    }
  }

  @Test(arguments: [("a.wav", "16"), ("a.aiff", "16"), ("a.aiff", "24")])
  func `big-endian samples are read`(name: String, bits: String) throws {
    let folder = try Folder(), path = folder[name]
    _ = try #require(
      output(
        of: "sox", "-R", "-n", "-r", "40000", "-c", "2", "-b", bits, "-B", path, "synth", "0.5", "whitenoise")
    )
    let mark = name == "a.wav" ? "RIFX" : "FORM"
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4) == Data(mark.utf8))
    // ffmpeg assumes the other byte order.
    try check(path, try truth(path, 2, folder, by: "sox"))
  }
}
