// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A test signal: a function of frame and channel, so that it is independent of the block length.
struct AuditSignal {
  var sample: (_ frame: Int, _ channel: Int) -> Float

  static var silence: AuditSignal { AuditSignal { _, _ in 0 } }

  /// White noise, uniformly distributed between plus and minus `level`.
  static func noise(_ level: Float = 0.25) -> AuditSignal {
    AuditSignal { frame, channel in
      // SplitMix64 of frame and channel.
      var state =
        UInt64(bitPattern: Int64(frame)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(channel) &* 0xD1B5_4A32_D192_ED03
      state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
      state ^= state >> 31
      return (Float(state >> 40) / Float(1 << 23) - 1) * level
    }
  }

  static func constant(_ value: Float) -> AuditSignal { AuditSignal { _, _ in value } }

  /// An impulse of one sample at a frame.
  static func impulse(at frame: Int, _ level: Float = 1) -> AuditSignal {
    AuditSignal { now, _ in now == frame ? level : 0 }
  }

  static func sine(_ frequency: Double, rate: Double, _ level: Float = 0.25) -> AuditSignal {
    AuditSignal { frame, _ in Float(sin(2 * .pi * frequency / rate * Double(frame))) * level }
  }
}
