// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Frames that a tap could not keep: where they lie in its ring, and how many.
struct Loss: BitwiseCopyable {
  /// Which recording they belong to.
  var recording: Int
  /// The ring position that they come before.
  var position: Int
  /// How many frames are missing there.
  var count = 0
  /// How many of them found no room; the others never came.
  var overrun = 0

  @_noLocks @_noAllocation init(recording: Int, position: Int) {
    self.recording = recording
    self.position = position
  }
}
