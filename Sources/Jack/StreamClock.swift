// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Counts frames in 64 bits from JACK's 32-bit counter, which wraps after a day.
///
/// Time never goes back: a gap is a loss and is kept, a counter that jumps back is followed from where we
/// are.
struct StreamClock: BitwiseCopyable {
  /// The absolute frame behind the last cycle.
  private(set) var end: Int64
  /// What to add to an absolute frame to get JACK's; only its lower 32 bits count.
  private(set) var offset: Int64 = 0
  private var isRunning = false

  /// A clock whose first cycle begins at `frame`.
  @_noLocks @_noAllocation init(from frame: Int64) { end = frame }

  /// The absolute frame at which a cycle of `count` frames begins that JACK says begins at `jackFrame`.
  @_noLocks @_noAllocation mutating func begin(at jackFrame: UInt32, count: Int) -> Int64 {
    let expected = UInt32(truncatingIfNeeded: end &+ offset)
    let gap = Int64(Int32(bitPattern: jackFrame &- expected))
    if isRunning && gap >= 0 {
      end &+= gap
    } else {
      offset = Int64(jackFrame) &- end
      isRunning = true
    }
    let begin = end
    end &+= Int64(count)
    return begin
  }
}
