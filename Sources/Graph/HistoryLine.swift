// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal

/// The recent past of a few channels, addressed by absolute frame.
///
/// Since a frame of the stream has one place, reading at `frame − delay` needs no state: wires, bypasses and
/// feedback share it. What was never written is silent.
@safe struct HistoryLine: ~Copyable {
  let channelCount: Int
  /// The longest delay that can be asked of it, in frames.
  let longestDelay: Int
  private let mask: Int
  private let memory: UnsafeMutablePointer<Float>

  /// Room for `longestDelay` frames before a block of `longestBlock`.
  init(channelCount: Int, longestDelay: Int, longestBlock: Int) {
    var size = 1
    while size < longestDelay + longestBlock { size <<= 1 }
    self.channelCount = channelCount
    self.longestDelay = longestDelay
    mask = size - 1
    unsafe memory = .allocate(capacity: max(size * channelCount, 1))
    unsafe memory.initialize(repeating: 0, count: max(size * channelCount, 1))
  }

  deinit { unsafe memory.deallocate() }

  /// Remembers one channel's samples from `frame` on.
  @_noLocks @_noAllocation borrowing func write(_ samples: Samples, channel: Int, at frame: Int64) {
    assert(channel < channelCount)
    let line = unsafe memory + channel * (mask + 1)
    for index in 0..<samples.count {
      unsafe line[(Int(truncatingIfNeeded: frame) &+ index) & mask] = samples[index]
    }
  }

  /// The sample of `channel` at the absolute `frame`.
  @_noLocks @_noAllocation @inline(__always) borrowing func sample(channel: Int, at frame: Int64) -> Float {
    unsafe memory[channel * (mask + 1) + Int(truncatingIfNeeded: frame) & mask]
  }
}
