// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// A histogram of the time that cycles take per frame, so that medians and percentiles need no list of cycles.
///
/// The width of a bin grows with the time: each is 1/32 to 1/64 of its times, so a value is accurate to 2 %.
@safe struct CycleHistogram: ~Copyable {
  /// The fractional bits of a time in ticks per frame.
  private static var fractionBits: UInt64 { @_noLocks @_noAllocation get { 8 } }
  /// The number of bins per power of two, and in all.
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

  /// Adds a cycle of `frameCount` frames that took `ticks`. Audio thread only.
  @_noLocks @_noAllocation borrowing func add(_ ticks: UInt64, frameCount: Int) {
    guard frameCount > 0 else { return }
    let time = (ticks << Self.fractionBits) / UInt64(truncatingIfNeeded: frameCount)
    let range = Self.range(of: time)
    unsafe counts[range].store(counts[range].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// Returns the number of cycles in each bin. Any thread.
  borrowing func snapshot() -> CycleCounts {
    CycleCounts(
      counts: (0..<Self.rangeCount).map { range in unsafe counts[range].load(ordering: .relaxed) })
  }

  /// Returns the bin of a time.
  @_noLocks @_noAllocation private static func range(of time: UInt64) -> Int {
    // Use the leading one bit and the five bits after it.
    let shift = UInt64(truncatingIfNeeded: max(58 - time.leadingZeroBitCount, 0))
    return min(Int(truncatingIfNeeded: shift &* ranges &+ time >> shift), rangeCount - 1)
  }

  /// Returns the center of a bin, in ticks per frame.
  static func ticksPerFrame(inRange range: Int) -> Double {
    let shift = max(range / Int(ranges) - 1, 0)
    let first = range - shift * Int(ranges)
    let width = Double(UInt64(1) << UInt64(shift))
    return (Double(first) + (shift == 0 ? 0 : 0.5)) * width / Double(UInt64(1) << fractionBits)
  }
}

/// A snapshot of a cycle histogram.
package struct CycleCounts: Sendable, Equatable {
  /// The number of cycles in each bin of ``CycleHistogram``.
  fileprivate let counts: [UInt64]

  /// The number of cycles.
  package var cycleCount: Int { Int(truncatingIfNeeded: counts.reduce(0, &+)) }

  /// Returns the counts of the cycles since an earlier snapshot.
  package func since(_ before: CycleCounts) -> CycleCounts {
    CycleCounts(counts: zip(counts, before.counts).map { $0 &- $1 })
  }

  /// Returns a quantile of the cycles' times, in ticks per frame; nil if there are no cycles.
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

/// The load of cycles: their time as a fraction of the period, where 1 is the whole period.
package struct CycleLoad: Sendable, Equatable {
  /// The quantile that ``high`` states.
  package static let highQuantile = 0.95

  /// The number of cycles.
  package var cycleCount: Int
  /// The median load; other programs that interrupt a few cycles do not change it.
  package var median: Double
  /// The load that 5 % of the cycles exceed.
  package var high: Double

  package init(cycleCount: Int, median: Double, high: Double) {
    (self.cycleCount, self.median, self.high) = (cycleCount, median, high)
  }

  /// Computes the load of cycles if `ticksPerFrame` ticks are available per frame; nil if there are no cycles.
  init?(_ cycles: CycleCounts, ticksPerFrame: Double) {
    guard ticksPerFrame > 0, let median = cycles.quantile(0.5), let high = cycles.quantile(Self.highQuantile)
    else { return nil }
    self.init(cycleCount: cycles.cycleCount, median: median / ticksPerFrame, high: high / ticksPerFrame)
  }
}
