// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// Where a plan wants a wire to be: trivial data, which the audio thread reads.
struct WirePlace: BitwiseCopyable, Equatable {
  /// The fader as a factor, and how many frames it takes to get there.
  var fader: Float = 1, faderFrames: Int32 = 0
  /// What comes before the fader, as a factor: trim, and for a send its strip's fader.
  var lead: Float = 1, leadFrames: Int32 = 0
  /// 1 where sound passes, −1 where it is turned over, 0 where it is muted or fades for a new plan.
  var gate: Float = 1
  /// Where it lies from −1 to 1, and by which of the ``PanLaws``; nowhere where it is not panned, or where a
  /// lane sees to that.
  var pan: Float = 0, law = Int32(PanLaws.nowhere)
  /// How late it is, in frames.
  var delay: Int32 = 0

  /// Where a wire could as well not be there.
  static let plain = WirePlace()

  /// All that it is multiplied by but the pan.
  var level: Float { fader * lead * gate }
  /// Whether nothing is changed in a sound that has as many channels as where it goes.
  var isPlain: Bool { level == 1 && (pan == 0 || law == PanLaws.nowhere) && delay == 0 }
}
