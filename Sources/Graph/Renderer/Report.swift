// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What the audio thread has to tell. It only counts; words are found on the control thread.
struct Report: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// A way out was muted: `slot` is its node.
    case muted
    /// The node whose output is to blame for that.
    case culprit
    /// Events found no room: `count` of them since the last report.
    case eventsDropped
  }
  var kind: Kind
  var slot: Int32
  var frame: Int64
  var count: Int64

  @_noLocks @_noAllocation init(kind: Kind, slot: Int32, frame: Int64, count: Int64 = 0) {
    self.kind = kind
    self.slot = slot
    self.frame = frame
    self.count = count
  }
}
