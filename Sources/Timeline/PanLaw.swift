// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A pan law: how left and right share a panned sound, on a strip, in a lane or in the mix of a track. Each law is
/// named for the level that a mono sound loses on either side in the centre.
///
/// A mono sound is panned. A stereo sound is balanced: the side that it moves to is unchanged, and the other side
/// fades by the law.
@nonexhaustive public enum PanLaw: String, CaseIterable, Hashable, Sendable, Codable {
  /// Constant power: equally loud at every pan in an acoustic room.
  case constantPower = "-3 dB"
  /// Halfway between the other two.
  case compromise = "-4.5 dB"
  /// Constant amplitude: equally loud at every pan on one loudspeaker.
  case linear = "-6 dB"
  /// Balance: both sides at full level in the centre; the side that the sound moves away from fades by a quarter
  /// cosine.
  case balance

  /// The default law, everywhere.
  public static var usual: PanLaw { .constantPower }

  /// The law's number in ``SwiftletSignal/PanLaws``.
  package var number: Int {
    switch self {
    case .linear: 0
    case .constantPower: 1
    case .compromise: 2
    case .balance: 4
    }
  }
}
