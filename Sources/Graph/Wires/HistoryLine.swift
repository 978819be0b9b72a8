// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal

/// The recent past of a few channels: wires, bypasses and feedback read what was written a while ago.
///
/// Frames are counted by whoever writes, without holes: a pause, or a cycle that was lost, is no gap in the
/// sound. What was never written is silent.
@safe struct HistoryLine: ~Copyable {
  /// Another line's memory, to copy from.
  @unsafe struct View: BitwiseCopyable {
    let channelCount: Int
    let mask: Int
    let memory: UnsafeMutablePointer<Float>

    /// How many frames it remembers.
    var reach: Int { @_noLocks @_noAllocation get { unsafe channelCount > 0 ? mask + 1 : 0 } }
  }

  let channelCount: Int
  /// The longest delay that can be asked of it, in frames.
  let longestDelay: Int
  private let mask: Int
  private let memory: UnsafeMutablePointer<Float>

  /// Room for `longestDelay` frames before a block of `longestBlock`.
  init(channelCount: Int, longestDelay: Int, longestBlock: Int) {
    let size = Self.size(longestDelay: longestDelay, longestBlock: longestBlock)
    self.channelCount = channelCount
    self.longestDelay = longestDelay
    mask = size - 1
    unsafe memory = .allocate(capacity: max(size * channelCount, 1))
    unsafe memory.initialize(repeating: 0, count: max(size * channelCount, 1))
  }

  deinit { unsafe memory.deallocate() }

  /// How many frames a line remembers: a power of two.
  static func size(longestDelay: Int, longestBlock: Int) -> Int {
    var size = 1
    while size < longestDelay + longestBlock { size <<= 1 }
    return size
  }

  /// The memory, for a longer line that goes on where this one ends.
  var view: View { unsafe View(channelCount: channelCount, mask: mask, memory: memory) }

  /// Remembers one channel's samples from `frame` on; those of a channel that it
  /// does not have are nothing to it.
  @_noLocks @_noAllocation borrowing func write(_ samples: Samples, channel: Int, at frame: Int64) {
    guard channel < channelCount else { return }
    let line = unsafe memory + channel * (mask + 1)
    let place = Int(truncatingIfNeeded: frame) & mask
    let first = min(samples.count, mask + 1 - place)
    unsafe rt_copy_floats(line + place, samples.unsafeBase, first)
    unsafe rt_copy_floats(line, samples.unsafeBase + first, samples.count - first)
  }

  /// Copies `count` samples of one channel from `frame` on.
  @_noLocks @_noAllocation
  borrowing func read(_ target: UnsafeMutablePointer<Float>, count: Int, channel: Int, at frame: Int64) {
    let line = unsafe memory + channel * (mask + 1)
    let place = Int(truncatingIfNeeded: frame) & mask
    let first = min(count, mask + 1 - place)
    unsafe rt_copy_floats(target, line + place, first)
    unsafe rt_copy_floats(target + first, line, count - first)
  }

  /// The sample of `channel` at `frame`.
  @_noLocks @_noAllocation @inline(__always) borrowing func sample(channel: Int, at frame: Int64) -> Float {
    unsafe memory[channel * (mask + 1) + Int(truncatingIfNeeded: frame) & mask]
  }

  /// Takes over what another line remembers of the `longest` frames before `frame`, as far back as both reach.
  ///
  /// A cycle may have to do so for every wire of a studio: who takes no more than is read soon costs it little.
  @_noLocks @_noAllocation
  borrowing func take(over old: View, before frame: Int64, atMost longest: Int = .max) {
    let count = unsafe min(min(old.mask, mask) + 1, max(longest, 0))
    let start = frame - Int64(count)
    let place = unsafe Int(truncatingIfNeeded: start) & old.mask
    let first = unsafe min(count, old.mask + 1 - place)
    for channel in 0..<(unsafe min(channelCount, old.channelCount)) {
      let line = unsafe old.memory + channel * (old.mask + 1)
      unsafe write(Samples(line + place, count: first), channel: channel, at: start)
      unsafe write(Samples(line, count: count - first), channel: channel, at: start + Int64(first))
    }
  }
}
