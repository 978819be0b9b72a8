// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// One channel's level since the last reading.
package struct ChannelLevel: Sendable, Equatable {
  /// The largest sample magnitude, as a factor of full scale.
  package var peak: Float
  /// The root mean square, as a factor of full scale.
  package var rms: Float
  /// The number of frames measured; 0 if no frame has arrived. Beyond 2^20 frames, older frames count less.
  package var frameCount: Int

  /// Creates a level of two factors of full scale.
  package init(peak: Float, rms: Float, frameCount: Int = 0) {
    self.peak = peak
    self.rms = rms
    self.frameCount = frameCount
  }
}

/// Measures each channel's peak and mean square on the audio thread, for display on another thread.
// @unchecked: the memory holds atomics only, and lives as long as the meters.
@safe struct LevelMeters: ~Copyable, @unchecked Sendable {
  /// One channel's running values since the last reading.
  private struct Cell: ~Copyable {
    /// The peak's bits; the bits of non-negative floats sort as the floats do.
    let peak = Atomic<UInt32>(0)
    /// The bits of the sum of squares in the upper half, the number of frames in the lower: one word, so that both
    /// are read together.
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

  /// Adds a block to the running values. NaN samples are ignored. Audio thread only.
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
    // If the meter is not read for long, halve both values: older frames count less, and neither grows endlessly.
    if frames > 1 << 20 { (total, frames) = (total / 2, frames / 2) }
    let word = LevelMeters.packed(
      sum: total + reading.squares, count: frames + UInt32(truncatingIfNeeded: count))
    let added = unsafe cell.pointee.power.compareExchange(
      expected: before, desired: word, ordering: .releasing)
    if !added.exchanged {
      // The value was taken in between: start again with this block.
      let fresh = LevelMeters.packed(sum: reading.squares, count: UInt32(truncatingIfNeeded: count))
      unsafe cell.pointee.power.store(fresh, ordering: .releasing)
    }
  }

  /// Returns and resets the channel's level since the last reading. Only one thread may read.
  func take(_ channel: Int) -> ChannelLevel {
    guard 0..<channelCount ~= channel else { return ChannelLevel(peak: 0, rms: 0) }
    // The sum must be taken first: the audio thread stores a block's peak before it adds the block to the sum, so no
    // peak is missed. A block's peak is reported one reading early if the block is measured between the two
    // exchanges.
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
  /// Returns each channel's peak and RMS since the last call. They are measured whether or not the tap records.
  ///
  /// Only one thread may call this.
  package func takeLevels() -> [ChannelLevel] { (0..<channelCount).map { meters.take($0) } }
}
