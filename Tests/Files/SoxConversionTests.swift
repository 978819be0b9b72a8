// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// Conversions, compared with those of sox.
@Suite(.enabled(if: isInstalled("sox"))) final class SoxConversionTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  /// Returns the sound as converted by sox.
  private func sox(_ sound: AudioBuffer, _ effects: String...) throws -> AudioBuffer {
    let file = try AudioFile(writing: folder["in.wav"], format: sound.format, overwrites: true)
    try file.write(sound)
    try file.close()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sox")
    process.arguments = ["-D", folder["in.wav"], "-e", "float", "-b", "32", folder["out.wav"]] + effects
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try AudioFile(reading: folder["out.wav"]).read(.max)
  }

  // Both filters pass these tones and remove their own delay, so the results differ by their errors alone: ours is
  // below −130 dB, see `AudioConverterTests`; sox documents at most 0.01 dB of rolloff in the passband, which is −59
  // dB of the sound, and keeps −99 dB here. A shift by 1/10,000 of a frame would leave 2π × 0.77/2 × 10⁻⁴, or −72 dB.
  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (48_000, 16_000), (8000, 44_100), (96_000, 48_000)])
  func `a rate conversion matches that of sox`(from: Int, to: Int) throws {
    let band = Double(min(from, to)) / 2
    let sound = (0..<2 * from).map { frame in
      let time = Double(frame) / Double(from)
      return Float([0.03, 0.21, 0.77].reduce(0) { $0 + 0.2 * sin(2 * .pi * $1 * band * time) })
    }
    let buffer = try AudioBuffer([sound], sampleRate: Double(from))
    let ours = try buffer.converted(to: AudioFormat(sampleRate: Double(to), channelCount: 1))
    let theirs = try sox(buffer, "rate", "-v", "\(to)")
    #expect(ours.format == theirs.format && ours.frameCount == theirs.frameCount)
    let inside = to / 2..<to * 3 / 2
    let error = inside.reduce(0) { $0 + pow(Double(ours[0][$1]) - Double(theirs[0][$1]), 2) }
    let distance = 10 * log10(error / inside.reduce(0) { $0 + pow(Double(theirs[0][$1]), 2) })
    #expect(distance < -90, "\(distance) dB")
  }

  @Test func `channel conversions match those of sox`() throws {
    let noise = noise(4000), other = FilesTests.noise(4000, seed: 9)
    let two = AudioBuffer([noise, other]), one = AudioBuffer([noise])
    func ours(_ buffer: AudioBuffer, _ count: Int, _ map: [Int?]? = nil) throws -> AudioBuffer {
      try AudioConverter(
        from: buffer.format, to: AudioFormat(sampleRate: 48_000, channelCount: count), channelMap: map
      ).convert(buffer)
    }
    for (ours, theirs) in [
      (try ours(two, 1), try sox(two, "channels", "1")), (try ours(one, 2), try sox(one, "channels", "2")),
      (try ours(two, 2, [1, 0]), try sox(two, "swap")),
      (try ours(two, 3, [1, nil, 0]), try sox(two, "remix", "2", "0", "1")),
    ] {
      #expect(ours.format == theirs.format && ours.frameCount == 4000)
      // sox rounds to 32-bit integers, and both to floats of 24 bits.
      for (a, b) in zip(ours.channels.joined(), theirs.channels.joined()) { #expect(abs(a - b) <= 0x1p-24) }
    }
  }
}
