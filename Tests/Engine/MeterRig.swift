// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet

/// An engine with a bus that is fed and metered.
///
///     voice ──► main ──► desk
struct MeterRig {
  let engine: AudioEngine, voice: AudioNode, main: AudioNode
  let channelCount: Int

  init(channels: Int = 1) throws {
    channelCount = channels
    engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 4096))
    voice = try engine.attach(.capture(channels: channels), name: "voice")
    main = try engine.attach(.mixer(channels: channels), name: "main")
    try engine.connect(voice, main, engine.attach(.playback(channels: channels), name: "desk"))
  }

  /// Feeds sound in blocks of `blockSize` frames.
  func feed(_ channels: [[Float]], blockSize: Int = 480) throws {
    let count = channels.first?.count ?? 0
    for start in stride(from: 0, to: count, by: blockSize) {
      let end = min(start + blockSize, count)
      _ = try engine.render(end - start, from: [voice: AudioBuffer(channels.map { Array($0[start..<end]) })])
    }
  }

  /// Returns a sine at 48 kHz with a peak of `level` dBFS.
  static func sine(
    _ frequency: Double, seconds: Double, level: Double = 0, phase degrees: Double = 0
  ) -> [Float] {
    (0..<Int(seconds * 48_000)).map { frame in
      let angle = 2 * Double.pi * frequency * Double(frame) / 48_000 + degrees * .pi / 180
      return Float(pow(10, level / 20) * sin(angle))
    }
  }
}

func isNear(_ value: Float?, _ wanted: Float, within bound: Float) -> Bool {
  value.map { abs($0 - wanted) <= bound } ?? false
}
