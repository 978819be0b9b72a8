// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How left and right share a panned sound: on a strip, in a lane or in the mix of a track. Each law is named for the
/// level that a mono sound loses on either side in the centre.
///
/// A mono sound is panned. Of a stereo sound the balance is shifted: the side that it moves to stays as it is, and
/// the other side fades by the law.
public enum PanLaw: String, CaseIterable, Hashable, Sendable, Codable {
  /// Equally loud wherever it lies, in a room: the sum of the powers stays the same.
  case constantPower = "-3 dB"
  /// Half way between the other two.
  case compromise = "-4.5 dB"
  /// Equally loud wherever it lies, on one loudspeaker: the sum of the amplitudes stays the same.
  case linear = "-6 dB"
  /// Both sides whole in the centre; away from a side it fades by a quarter cosine.
  case balance

  /// The default law, everywhere.
  public static var usual: PanLaw { .constantPower }

  /// The law's number among ``SwiftletSignal/PanLaws``.
  package var number: Int {
    switch self {
    case .linear: 0
    case .constantPower: 1
    case .compromise: 2
    case .balance: 4
    }
  }
}
