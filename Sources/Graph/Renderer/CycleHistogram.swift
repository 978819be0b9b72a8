// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// Counts cycles by the time that they take for each frame, so that medians and percentiles need no list of cycles.
///
/// Ranges grow with the time: each is 1/32 to 1/64 as wide as the times in it, so a value read back is within 2 %.
@safe struct CycleHistogram: ~Copyable {
  /// Times are counted in ticks a frame, with this many binary digits behind the point.
  private static var fractionBits: UInt64 { @_noLocks @_noAllocation get { 8 } }
  /// The ranges of each power of two, and the number of ranges.
  private static var ranges: UInt64 { @_noLocks @_noAllocation get { 32 } }
  private static var rangeCount: Int { @_noLocks @_noAllocation get { 32 * 36 } }

  private let counts: UnsafeMutablePointer<Atomic<UInt64>>

  init() {
    unsafe counts = .allocate(capacity: Self.rangeCount)
    for range in 0..<Self.rangeCount { unsafe (counts + range).initialize(to: Atomic(0)) }
  }

  deinit {
    unsafe counts.deinitialize(count: Self.rangeCount)
    unsafe counts.deallocate()
  }

  /// Counts a cycle of `frameCount` frames that took `ticks`. Audio thread.
  @_noLocks @_noAllocation borrowing func add(_ ticks: UInt64, frameCount: Int) {
    guard frameCount > 0 else { return }
    let time = (ticks << Self.fractionBits) / UInt64(truncatingIfNeeded: frameCount)
    let range = Self.range(of: time)
    unsafe counts[range].store(counts[range].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// How many cycles are in each range. Any thread.
  borrowing func snapshot() -> CycleCounts {
    CycleCounts(
      counts: (0..<Self.rangeCount).map { range in unsafe counts[range].load(ordering: .relaxed) })
  }

  /// The range that a time belongs to.
  @_noLocks @_noAllocation private static func range(of time: UInt64) -> Int {
    // The leading one and the five digits behind it.
    let shift = UInt64(truncatingIfNeeded: max(58 - time.leadingZeroBitCount, 0))
    return min(Int(truncatingIfNeeded: shift &* ranges &+ time >> shift), rangeCount - 1)
  }

  /// The middle of a range, in ticks a frame.
  static func ticksPerFrame(inRange range: Int) -> Double {
    let shift = max(range / Int(ranges) - 1, 0)
    let first = range - shift * Int(ranges)
    let width = Double(UInt64(1) << UInt64(shift))
    return (Double(first) + (shift == 0 ? 0 : 0.5)) * width / Double(UInt64(1) << fractionBits)
  }
}

/// How many cycles took how long, up to some moment.
package struct CycleCounts: Sendable, Equatable {
  /// By the ranges of ``CycleHistogram``.
  fileprivate let counts: [UInt64]

  /// How many cycles were counted.
  package var cycleCount: Int { Int(truncatingIfNeeded: counts.reduce(0, &+)) }

  /// The cycles that were counted since an earlier moment.
  package func since(_ before: CycleCounts) -> CycleCounts {
    CycleCounts(counts: zip(counts, before.counts).map { $0 &- $1 })
  }

  /// The time that this share of the cycles stays below, in ticks a frame; nil if none was counted.
  func quantile(_ share: Double) -> Double? {
    let total = cycleCount
    guard total > 0 else { return nil }
    let rank = UInt64(min(max(Double(total) * share, 0), Double(total - 1)))
    var passed: UInt64 = 0
    let range = counts.firstIndex { count in
      passed += count
      return passed > rank
    }
    return range.map(CycleHistogram.ticksPerFrame)
  }
}

/// The share of the period that cycles take; 1 is the whole period.
package struct CycleLoad: Sendable, Equatable {
  /// The share of the cycles that stay below ``high``.
  package static let highQuantile = 0.95

  /// How many cycles were counted.
  package var cycleCount: Int
  /// The median: other programs that interrupt some cycles do not change it.
  package var median: Double
  /// What one cycle of twenty exceeds.
  package var high: Double

  package init(cycleCount: Int, median: Double, high: Double) {
    (self.cycleCount, self.median, self.high) = (cycleCount, median, high)
  }

  /// The load of cycles, at a rate of `ticksPerFrame`; nil if none was counted.
  init?(_ cycles: CycleCounts, ticksPerFrame: Double) {
    guard ticksPerFrame > 0, let median = cycles.quantile(0.5), let high = cycles.quantile(Self.highQuantile)
    else { return nil }
    self.init(cycleCount: cycles.cycleCount, median: median / ticksPerFrame, high: high / ticksPerFrame)
  }
}
