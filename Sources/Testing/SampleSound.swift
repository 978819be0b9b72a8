// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletSignal

extension Sound {
  /// Returns a click followed by noise that decays by 60 dB. It is deterministic, and replaces a file in the checks
  /// of an effect that requires one.
  ///
  /// - Parameters:
  ///   - channels: The number of channels, each with different noise; default: 1.
  ///   - frameCount: The length in frames; default: 12,000.
  public static func decay(channels: Int = 1, frameCount: Int = 12_000) -> Sound {
    Sound(
      channels: (0..<channels).map { channel in
        var state = UInt64(channel + 1) &* 0x9E37_79B9_7F4A_7C15
        return (0..<frameCount).map { frame in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let noise = Double(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
          return frame == 0 ? 1 : Float(0.05 * noise * exp(-6.9 * Double(frame) / Double(frameCount)))
        }
      })
  }
}

extension FileDescription {
  /// The file that checks use if none is given; nil for a path.
  public var standIn: EffectFile? {
    switch content {
    case .sound: .sound(.decay())
    case .path: nil
    }
  }
}
