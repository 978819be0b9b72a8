// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How left and right share a sound that a wire places between them. Each is named for what a mono sound
/// loses on either side in the centre; ``SwiftletSignal/PanLaws`` has the formulas.
///
/// Of a sound that is stereo already, the side that it is moved to stays as it is, and the other fades as it
/// would by that law from the centre on.
public enum PanLaw: String, CaseIterable, Hashable, Sendable {
  /// Equally loud wherever it lies, in a room: the sum of the powers stays the same.
  case constantPower = "-3 dB"
  /// Half way between the other two.
  case compromise = "-4.5 dB"
  /// Equally loud wherever it lies, on one loudspeaker: the sum of the amplitudes stays the same.
  case linear = "-6 dB"
  /// Both sides whole in the centre; away from a side it fades by a quarter cosine.
  case balance

  /// The law's number among ``SwiftletSignal/PanLaws``.
  var number: Int {
    switch self {
    case .linear: 0
    case .constantPower: 1
    case .compromise: 2
    case .balance: 4
    }
  }
}
