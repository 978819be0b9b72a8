// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A delay line that owns its memory. Written frames can be read with a delay of up to ``longest`` frames.
///
/// It is created and destroyed on a control thread, which touches all memory, and written and read on the audio thread.
@safe public struct DelayLine: ~Copyable {
  /// The longest delay that can be read, in frames.
  public let longest: Int
  private let samples: UnsafeMutablePointer<Float>
  /// The index at which the next frame is written.
  private var writeIndex = 0
  /// The number of frames written since the line was cleared, at most the longest delay.
  private var written = 0

  /// Creates a silent line for delays from 1 to `longest` frames.
  public init(longest: Int) {
    self.longest = max(longest, 1)
    unsafe samples = .allocate(capacity: self.longest)
    unsafe samples.initialize(repeating: 0, count: self.longest)
  }

  deinit { unsafe samples.deallocate() }

  /// Clears the line, in constant time.
  @_noLocks @_noAllocation public mutating func clear() { written = 0 }

  /// Writes `count` frames, at most ``longest``.
  @_noLocks @_noAllocation @unsafe public mutating func write(_ source: UnsafePointer<Float>, count: Int) {
    assert(0 <= count && count <= longest, "frames exceed the line's length")
    let straight = min(count, longest - writeIndex)
    unsafe rt_copy_floats(samples + writeIndex, source, straight)
    if straight < count { unsafe rt_copy_floats(samples, source + straight, count - straight) }
    writeIndex = writeIndex + count < longest ? writeIndex + count : writeIndex + count - longest
    written = min(longest, written + count)
  }

  /// Reads `count` frames. The first of them is the one that was written `delay` frames before the next frame to be
  /// written.
  ///
  /// - Parameters:
  ///   - delay: from 1, the frame that was written last, to ``longest``. Frames from before the first written frame are
  ///     silent.
  ///   - count: at most `delay`.
  @_noLocks @_noAllocation @unsafe
  public func read(_ sink: UnsafeMutablePointer<Float>, delay: Int, count: Int) {
    assert(1 <= delay && delay <= longest && count <= delay, "delay exceeds the line's length")
    let silent = min(count, max(0, delay - written))
    let start = writeIndex >= delay ? writeIndex - delay : writeIndex - delay + longest
    let straight = min(count, longest - start)
    unsafe rt_copy_floats(sink, samples + start, straight)
    if straight < count { unsafe rt_copy_floats(sink + straight, samples, count - straight) }
    if silent > 0 { unsafe rt_clear_floats(sink, silent) }
  }

  /// Writes one frame.
  @_noLocks @_noAllocation public mutating func write(_ sample: Float) {
    unsafe samples[writeIndex] = sample
    writeIndex = writeIndex + 1 < longest ? writeIndex + 1 : 0
    written = min(longest, written + 1)
  }

  /// Returns the frame that was written `delay` frames before the next frame to be written; from 1 to ``longest``.
  @_noLocks @_noAllocation public func read(delay: Int) -> Float {
    assert(1 <= delay && delay <= longest, "delay exceeds the line's length")
    guard delay <= written else { return 0 }
    return unsafe samples[writeIndex >= delay ? writeIndex - delay : writeIndex - delay + longest]
  }
}
