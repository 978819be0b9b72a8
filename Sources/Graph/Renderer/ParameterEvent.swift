// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A parameter change or reset of a node, on its way to the audio thread.
struct ParameterEvent: BitwiseCopyable {
  /// A parameter number that requests a reset of the processor.
  static var reset: Int32 { @_noLocks @_noAllocation get { .min } }
  /// The frame of an event that is to be applied as soon as possible.
  static var soonest: Int64 { @_noLocks @_noAllocation get { .min / 2 } }

  /// The absolute frame at the graph's inputs; a past frame means immediately.
  var frame: Int64
  /// The node's slot.
  var slot: Int32
  /// The parameter's number.
  var parameter: Int32
  /// The target value.
  var value: Float
  /// The length of the glide in frames; a negative number uses the parameter's default glide.
  var glide: Int32
}

extension ParameterEvent {
  /// Creates a request to a node that is applied as soon as possible.
  init(slot: Int, asking parameter: Int32) {
    self.init(frame: Self.soonest, slot: Int32(clamping: slot), parameter: parameter, value: 0, glide: 0)
  }
}
