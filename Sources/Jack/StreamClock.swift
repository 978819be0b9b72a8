// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Counts frames in 64 bits from JACK's 32-bit counter, which wraps after a day.
///
/// Time never goes back. Where the counter jumps ahead by ten seconds or less, those frames were lost and are
/// left out, so that all that follows stays in its place. Where it steps back by as much or less, as a busy server's
/// does when it finds its clock again, nothing was lost: the stream goes on right behind the last cycle. A longer
/// jump either way is another time base: the machine slept, or the server took another clock. Nobody knows how long
/// that was, and hours of silence help no take. Then the stream goes on behind a gap of one cycle, which takes fill
/// and mark as any loss, and the jump is counted. A jump of nearly 2^32 frames, a day, cannot be told from a small
/// one.
struct StreamClock: BitwiseCopyable {
  /// The longest jump that is no other time base, in seconds.
  static let longestLoss = 10.0

  /// The absolute frame behind the last cycle.
  private(set) var end: Int64
  /// What to add to an absolute frame to get JACK's; only its lower 32 bits count.
  private(set) var offset: Int64 = 0
  /// How often another time base began.
  private(set) var jumps = 0
  private var isRunning = false
  private let longestLoss: Int64

  /// A clock whose first cycle begins at `frame`.
  init(from frame: Int64, sampleRate: Double) {
    end = frame
    let rate = sampleRate > 1 ? min(sampleRate, 0x1p24) : 1
    longestLoss = Int64(rate * Self.longestLoss)
  }

  /// The absolute frame at which a cycle of `count` frames begins that JACK says begins at `jackFrame`.
  @_noLocks @_noAllocation mutating func begin(at jackFrame: UInt32, count: Int) -> Int64 {
    let expected = UInt32(truncatingIfNeeded: end &+ offset)
    let gap = Int64(Int32(bitPattern: jackFrame &- expected))
    let isShort = gap >= 0 ? gap <= longestLoss : gap >= -longestLoss
    if isRunning, isShort, gap >= 0 {
      end &+= gap
    } else {
      if isRunning, !isShort {
        end &+= Int64(count)
        jumps &+= 1
      }
      offset = Int64(jackFrame) &- end
      isRunning = true
    }
    let begin = end
    end &+= Int64(count)
    return begin
  }
}
