// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// How loud one channel was since it was last asked.
package struct ChannelLevel: Sendable, Equatable {
  /// The largest sample, as a factor of full scale.
  package var peak: Float
  /// The square root of the mean square, as a factor of full scale.
  package var rms: Float
  /// How many frames it was told of: 0 where none has come. Past a million, older ones count less.
  package var frameCount: Int

  /// A level of two factors of full scale.
  package init(peak: Float, rms: Float, frameCount: Int = 0) {
    self.peak = peak
    self.rms = rms
    self.frameCount = frameCount
  }
}

/// Peak and mean square of each channel, from the audio thread to whoever shows them.
// @unchecked: the memory holds atomics only, and lives as long as the meters.
@safe struct LevelMeters: ~Copyable, @unchecked Sendable {
  /// One channel's running values since the last reading.
  private struct Cell: ~Copyable {
    /// The bits of the peak; bits of floats that are not negative are in the floats' order.
    let peak = Atomic<UInt32>(0)
    /// The bits of the sum of squares above, the count of frames below: one word, so they are taken together.
    let power = Atomic<UInt64>(0)
  }

  private let cells: UnsafeMutablePointer<Cell>
  private let channelCount: Int

  init(channelCount: Int) {
    self.channelCount = channelCount
    unsafe cells = .allocate(capacity: channelCount)
    for channel in 0..<channelCount { unsafe (cells + channel).initialize(to: Cell()) }
  }

  deinit {
    unsafe cells.deinitialize(count: channelCount)
    unsafe cells.deallocate()
  }

  /// Adds a block to the running values. Samples that are not numbers are left out. Audio thread.
  @_noLocks @_noAllocation func measure(_ bus: InputBus) {
    for channel in 0..<min(channelCount, bus.channelCount) {
      let reading = bus[channel].reading
      unsafe add(reading, count: bus.frameCount, to: cells + channel)
    }
  }

  @_noLocks @_noAllocation private func add(
    _ reading: SampleReading, count: Int, to cell: UnsafeMutablePointer<Cell>
  ) {
    unsafe cell.pointee.peak.max(reading.peak.bitPattern, ordering: .relaxed)
    let before = unsafe cell.pointee.power.load(ordering: .relaxed)
    var (total, frames) = LevelMeters.unpacked(before)
    // Nobody reads: what is long past fades, so that neither number grows without end.
    if frames > 1 << 20 { (total, frames) = (total / 2, frames / 2) }
    let word = LevelMeters.packed(
      sum: total + reading.squares, count: frames + UInt32(truncatingIfNeeded: count))
    let added = unsafe cell.pointee.power.compareExchange(
      expected: before, desired: word, ordering: .releasing)
    if !added.exchanged {
      // It was read in between and begins anew with this block.
      let fresh = LevelMeters.packed(sum: reading.squares, count: UInt32(truncatingIfNeeded: count))
      unsafe cell.pointee.power.store(fresh, ordering: .releasing)
    }
  }

  /// The channel's level since the last time, which begins anew. One thread reads.
  func take(_ channel: Int) -> ChannelLevel {
    guard 0..<channelCount ~= channel else { return ChannelLevel(peak: 0, rms: 0) }
    // The sum first: whose frames are in it have left their peak. A block's peak may be a reading early,
    // where that falls between the two; none is missed.
    let word = unsafe cells[channel].power.exchange(0, ordering: .acquiring)
    let (sum, count) = LevelMeters.unpacked(word)
    guard count > 0 else { return ChannelLevel(peak: 0, rms: 0) }
    let peak = unsafe Float(bitPattern: cells[channel].peak.exchange(0, ordering: .relaxed))
    return ChannelLevel(peak: peak, rms: (sum / Float(count)).squareRoot(), frameCount: Int(count))
  }

  @_noLocks @_noAllocation private static func packed(sum: Float, count: UInt32) -> UInt64 {
    UInt64(sum.bitPattern) << 32 | UInt64(count)
  }

  @_noLocks @_noAllocation private static func unpacked(_ word: UInt64) -> (sum: Float, count: UInt32) {
    (Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)), UInt32(truncatingIfNeeded: word))
  }
}

extension TapSink {
  /// Peak and RMS of each channel since the last call. They are measured whether or not the tap records.
  ///
  /// One thread asks: whoever shows the meters.
  package func takeLevels() -> [ChannelLevel] { (0..<channelCount).map { meters.take($0) } }
}
