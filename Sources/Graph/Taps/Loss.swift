// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Frames that a tap lost: their position in its ring, and their number.
struct Loss: BitwiseCopyable {
  /// The recording that they belong to.
  var recording: Int
  /// The ring position that they precede.
  var position: Int
  /// The number of missing frames.
  var count = 0
  /// How many of them were lost to a full ring; the others never arrived.
  var overrun = 0

  @_noLocks @_noAllocation init(recording: Int, position: Int) {
    self.recording = recording
    self.position = position
  }
}
