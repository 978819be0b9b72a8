// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Tracks the transport, and detects changes that a plugin could not have predicted.
struct TransportTracker: BitwiseCopyable {
  private var transport = Transport()
  private var frame: Int64 = 0
  private var hasStarted = false

  init() {}

  /// Returns whether the transport position at `frame` differs from the expected one, or whether the state or tempo
  /// has changed.
  ///
  /// All slices of a cycle carry the transport of its first frame, so an unchanged position is no change.
  @_noLocks @_noAllocation mutating func moves(to next: Transport, at frame: Int64) -> Bool {
    defer { hasStarted = true }
    guard hasStarted, next.isRolling == transport.isRolling, next.tempo == transport.tempo,
      next.beatsPerBar == transport.beatsPerBar, next.beatUnit == transport.beatUnit
    else {
      store(next, frame)
      return true
    }
    if next.position == transport.position { return false }
    let expected = transport.isRolling ? transport.position + (frame - self.frame) : transport.position
    store(next, frame)
    return next.position != expected
  }

  @_noLocks @_noAllocation private mutating func store(_ next: Transport, _ frame: Int64) {
    transport = next
    self.frame = frame
  }
}
