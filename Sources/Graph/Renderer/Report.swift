// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A report of the audio thread. The control thread turns it into a message.
struct Report: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// An output node was muted; `slot` is its node.
    case muted
    /// The node whose output caused the muting.
    case cause
    /// Events did not fit into a buffer: `count` of them since the last report.
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
