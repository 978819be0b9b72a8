// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import Testing

@testable import SwiftletFiles

/// The first and the last milliseconds of lossy files, decoded by ffmpeg.
@Suite struct LossyEdgeTests {
  /// The length of a window, 50 ms, in frames of 48 kHz.
  private static let window = 2400

  /// A sound that is loud from the first frame to the last one, in two channels.
  private static func sound(_ count: Int) -> [[Float]] {
    [0.0, 1.0].map { phase in
      (0..<count).map { frame in
        let time = Double(frame) / 48_000
        return Float(0.3 * sin(2 * .pi * 440 * time + phase) + 0.1 * sin(2 * .pi * 1000 * time + 1))
      }
    }
  }

  /// Writes the sound in batches of odd sizes, and returns what ffmpeg decodes.
  private func decoded(_ sound: [[Float]], _ name: String, _ encoding: String?) throws -> [[Float]] {
    let folder = try Folder(), path = folder[name]
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: encoding), sampleRate: 48_000,
      channelCount: sound.count)
    var start = 0, batches = [1, 777, 4096, 50_000].makeIterator()
    while start < sound[0].count {
      let end = min(start + (batches.next() ?? 9999), sound[0].count)
      try writer.write(sound.map { Array($0[start..<end]) })
      start = end
    }
    try writer.close()
    #expect(try AudioFileReader(path).info.frameCount == sound[0].count)
    _ = try #require(
      output(of: "ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", folder["raw"]))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder["raw"]))
    let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    return (0..<sound.count).map { channel in
      stride(from: channel, to: samples.count, by: sound.count).map { samples[$0] }
    }
  }

  /// Returns the level of the difference in each window, in dB; the last window ends with the sound.
  private func errors(_ heard: [Float], _ sound: [Float]) -> [Double] {
    let starts =
      Array(stride(from: 0, to: sound.count - Self.window, by: Self.window)) + [sound.count - Self.window]
    return starts.map { start in
      let power = (start..<start + Self.window).reduce(0.0) { sum, frame in
        let error = Double(heard[frame]) - Double(sound[frame])
        return sum + error * error
      }
      return 10 * log10(power / Double(Self.window) + 1e-20)
    }
  }

  @Test(arguments: [("a.opus", nil), ("a.ogg", "opus"), ("a.ogg", "vorbis")] as [(String, String?)])
  func `the first and last 50 ms are as exact as the rest`(_ name: String, _ encoding: String?) throws {
    let sound = Self.sound(112_560)
    let heard = try decoded(sound, name, encoding)
    for (found, expected) in zip(heard, sound) {
      try #require(found.count == expected.count)
      let levels = errors(found, expected), median = levels.sorted()[levels.count / 2]
      #expect(median < -40)
      let edges = (first: levels[0] - median, last: levels[levels.count - 1] - median)
      #expect(edges.first <= 3 && edges.last <= 3)
    }
  }

  @Test(arguments: [0, 1, 100, 3999, 4000, 4001])
  func `a short Opus file has its length`(_ count: Int) throws {
    let heard = try decoded(Self.sound(count), "a.opus", nil)
    #expect(heard[0].count == count)
  }

  @Test func `a prediction continues sines`() {
    let sine: [Float] = (0..<6000).map { index in
      let frame = Double(index)
      return Float(0.5 * sin(0.05 * frame) + 0.2 * sin(0.31 * frame + 2))
    }
    let continued = Extrapolation(of: Array(sine[..<4000])).continued(by: 800)
    let errors = zip(continued[..<400], sine[4000...]).map { abs($0 - $1) }
    #expect((errors.max() ?? 1) < 0.02, "\(errors.max() ?? 1)")
  }
}
