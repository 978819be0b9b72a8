// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal

/// The recent past of a few channels: wires, bypasses and feedback read it with a delay.
///
/// The writer counts frames without gaps: a pause or a lost cycle is no gap in the sound. Frames that were never
/// written are silent.
@safe struct HistoryLine: ~Copyable {
  /// A view of another line's memory, to copy from.
  @unsafe struct View: BitwiseCopyable {
    let channelCount: Int
    let mask: Int
    let memory: UnsafeMutablePointer<Float>

    /// The number of frames that the line holds.
    var reach: Int { @_noLocks @_noAllocation get { unsafe channelCount > 0 ? mask + 1 : 0 } }
  }

  let channelCount: Int
  /// The longest delay, in frames.
  let longestDelay: Int
  private let mask: Int
  private let memory: UnsafeMutablePointer<Float>

  /// Allocates `longestDelay` frames plus a block of `longestBlock` frames.
  init(channelCount: Int, longestDelay: Int, longestBlock: Int) {
    let size = Self.size(longestDelay: longestDelay, longestBlock: longestBlock)
    self.channelCount = channelCount
    self.longestDelay = longestDelay
    mask = size - 1
    unsafe memory = .allocate(capacity: max(size * channelCount, 1))
    unsafe memory.initialize(repeating: 0, count: max(size * channelCount, 1))
  }

  deinit { unsafe memory.deallocate() }

  /// Returns the number of frames that a line holds, a power of two.
  static func size(longestDelay: Int, longestBlock: Int) -> Int {
    var size = 1
    while size < longestDelay + longestBlock { size <<= 1 }
    return size
  }

  /// The memory, for a longer line that continues from this one.
  var view: View { unsafe View(channelCount: channelCount, mask: mask, memory: memory) }

  /// Writes one channel's samples from `frame` on; ignores channels that the line does not have.
  @_noLocks @_noAllocation borrowing func write(_ samples: Samples, channel: Int, at frame: Int64) {
    guard channel < channelCount else { return }
    let line = unsafe memory + channel * (mask + 1)
    let index = Int(truncatingIfNeeded: frame) & mask
    let first = min(samples.count, mask + 1 - index)
    unsafe rt_copy_floats(line + index, samples.unsafeBase, first)
    unsafe rt_copy_floats(line, samples.unsafeBase + first, samples.count - first)
  }

  /// Copies `count` samples of one channel from `frame` on.
  @_noLocks @_noAllocation
  borrowing func read(_ target: UnsafeMutablePointer<Float>, count: Int, channel: Int, at frame: Int64) {
    let line = unsafe memory + channel * (mask + 1)
    let index = Int(truncatingIfNeeded: frame) & mask
    let first = min(count, mask + 1 - index)
    unsafe rt_copy_floats(target, line + index, first)
    unsafe rt_copy_floats(target + first, line, count - first)
  }

  /// Returns the sample of `channel` at `frame`.
  @_noLocks @_noAllocation @inline(__always) borrowing func sample(channel: Int, at frame: Int64) -> Float {
    unsafe memory[channel * (mask + 1) + Int(truncatingIfNeeded: frame) & mask]
  }

  /// Copies the `longest` frames before `frame` from another line, as far back as both lines reach.
  ///
  /// One cycle may have to do this for every wire of a large graph, so callers copy only what is read soon.
  @_noLocks @_noAllocation
  borrowing func take(over old: View, before frame: Int64, atMost longest: Int = .max) {
    let count = unsafe min(min(old.mask, mask) + 1, max(longest, 0))
    let start = frame - Int64(count)
    let index = unsafe Int(truncatingIfNeeded: start) & old.mask
    let first = unsafe min(count, old.mask + 1 - index)
    for channel in 0..<(unsafe min(channelCount, old.channelCount)) {
      let line = unsafe old.memory + channel * (old.mask + 1)
      unsafe write(Samples(line + index, count: first), channel: channel, at: start)
      unsafe write(Samples(line, count: count - first), channel: channel, at: start + Int64(first))
    }
  }
}
