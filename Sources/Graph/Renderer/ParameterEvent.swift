// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A change of one node on its way to the audio thread.
struct ParameterEvent: BitwiseCopyable {
  /// Stands for a parameter's number and asks the processor to forget all sound.
  static var reset: Int32 { @_noLocks @_noAllocation get { .min } }
  /// The frame of what is to happen as soon as possible.
  static var soonest: Int64 { @_noLocks @_noAllocation get { .min / 2 } }

  /// The absolute frame of the source; what is past happens at once.
  var frame: Int64
  /// The node.
  var slot: Int32
  /// The parameter's number.
  var parameter: Int32
  /// Where it goes.
  var value: Float
  /// Over how many frames; negative is the parameter's own glide.
  var glide: Int32
}

extension ParameterEvent {
  /// Something to do for a node as soon as possible.
  init(slot: Int, asking parameter: Int32) {
    self.init(frame: Self.soonest, slot: Int32(clamping: slot), parameter: parameter, value: 0, glide: 0)
  }
}
