// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletSignal

extension Sound {
  /// A click and a noise that decays after it by 60 dB, the same each time: what stands in for a file where a
  /// unit needs one to be tried.
  ///
  /// - Parameters:
  ///   - channels: how many channels, each of another noise.
  ///   - frameCount: how long it is.
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
  /// What a unit is tried with where nothing else is given.
  public var standIn: UnitFile? {
    switch content {
    case .sound: .sound(.decay())
    case .path: nil
    }
  }
}
