// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// The targets of a wire in a plan: trivial data that the audio thread reads.
struct StripTargets: BitwiseCopyable, Equatable {
  /// The fader as a factor, and the length of its glide in frames.
  var fader: Float = 1, faderFrames: Int32 = 0
  /// The gain before the fader as a factor: the trim, and for a send its strip's fader and trim.
  var preFaderGain: Float = 1, preFaderGainFrames: Int32 = 0
  /// 1 to pass, −1 to invert the phase, 0 while muted or faded out for a new plan.
  var gate: Float = 1
  /// The pan from −1 to 1, and the number of its law in ``PanLaws``; `nowhere` if the wire is not panned, or if a
  /// lane pans it.
  var pan: Float = 0, law = Int32(PanLaws.nowhere)
  /// The delay in frames.
  var delay: Int32 = 0

  /// A wire that changes nothing.
  static let plain = StripTargets()

  /// The total gain without the pan.
  var level: Float { fader * preFaderGain * gate }
  /// Whether the wire changes nothing, if source and destination have the same number of channels.
  var isPlain: Bool { level == 1 && (pan == 0 || law == PanLaws.nowhere) && delay == 0 }
}
