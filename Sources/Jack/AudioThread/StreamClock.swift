// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Extends JACK's 32-bit frame counter, which wraps after about a day, to 64 bits.
///
/// The absolute frame never decreases. There are three kinds of irregularity:
///
/// - The counter jumps ahead by at most ten seconds: frames were lost. The absolute frame skips them, so that all
///   that follows stays in time.
/// - The counter steps back by at most ten seconds, as that of a busy server does when it resynchronises its clock:
///   nothing was lost. The stream continues right after the last cycle.
/// - The counter jumps further in either direction: this is another time base, since the machine slept or the server
///   changed its clock. The length of the pause is unknown. The stream continues after a gap of one cycle, which
///   takes fill and mark as a loss, and the jump is counted.
///
/// A jump of nearly 2^32 frames, about a day, cannot be distinguished from a small one.
struct StreamClock: BitwiseCopyable {
  /// The longest jump within one time base, in seconds.
  static let longestLoss = 10.0

  /// The absolute frame after the last cycle.
  private(set) var end: Int64
  /// The offset from an absolute frame to JACK's frame; only its lower 32 bits count.
  private(set) var offset: Int64 = 0
  /// The number of changes of the time base.
  private(set) var jumps = 0
  private var isRunning = false
  private let longestLoss: Int64

  /// Creates a clock whose first cycle begins at `frame`.
  init(from frame: Int64, sampleRate: Double) {
    end = frame
    let rate = sampleRate > 1 ? min(sampleRate, 0x1p24) : 1
    longestLoss = Int64(rate * Self.longestLoss)
  }

  /// Returns the absolute frame of a cycle of `count` frames that begins at JACK's frame `jackFrame`.
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
