// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A delay line of a reverb in which each slice is contiguous, so that it can be processed in place.
///
/// A copy of the ring's beginning follows the ring, so that accesses past its end need no wrap. Loops access eight
/// floats at once: they may overwrite up to seven frames after those that they write, which are not read any more.
@safe struct ReverbLine: ~Copyable {
  /// The longest delay that can be read, in frames.
  let longest: Int
  private let samples: UnsafeMutablePointer<Float>
  /// The number of frames in the ring, and the number of frames copied after it.
  private let size: Int, overlap: Int
  /// The index at which the next frame is written.
  private var writeIndex = 0
  /// The number of frames written since the line was cleared, at most the longest delay.
  private var written = 0

  /// Creates a silent line for delays from 1 to `longest` frames, written in slices of up to `sliceLength` frames.
  init(longest: Int, sliceLength: Int) {
    self.longest = longest
    overlap = sliceLength + 16
    size = max(longest + 8, overlap)
    unsafe samples = .allocate(capacity: size + overlap)
    unsafe samples.initialize(repeating: 0, count: size + overlap)
  }

  deinit { unsafe samples.deallocate() }

  /// Clears the line, in constant time.
  @_noLocks @_noAllocation mutating func clear() { written = 0 }

  /// The address of the next frames. The caller writes them and then calls ``commit(_:)``.
  @unsafe var writeAddress: UnsafeMutablePointer<Float> {
    @_noLocks @_noAllocation get { unsafe samples + writeIndex }
  }

  /// Marks the `count` frames at ``writeAddress`` as written.
  @_noLocks @_noAllocation mutating func commit(_ count: Int) {
    assert(0 <= count && count <= overlap - 16, "more frames than a slice has")
    let end = writeIndex + count
    if writeIndex < overlap {
      unsafe rt_copy_floats(samples + size + writeIndex, samples + writeIndex, min(end, overlap) - writeIndex)
    }
    if end > size { unsafe rt_copy_floats(samples, samples + size, end - size) }
    writeIndex = end < size ? end : end - size
    written = min(longest, written + count)
  }

  /// Writes `count` frames.
  @_noLocks @_noAllocation @unsafe mutating func write(_ source: UnsafePointer<Float>, count: Int) {
    unsafe rt_copy_floats(writeAddress, source, count)
    commit(count)
  }

  /// Returns `count` frames. The first of them is the one that was written `delay` frames before the next frame to be
  /// written.
  ///
  /// - Parameters:
  ///   - delay: from 1 to ``longest``. Frames from before the first written frame are silent.
  ///   - count: up to a slice and sixteen. Frames after the one written last are undefined.
  ///   - spare: memory for the frames. It is used if some of them are silent; otherwise the result points into the
  ///     line.
  @_noLocks @_noAllocation @inline(__always) @unsafe
  func frames(delay: Int, count: Int, spare: UnsafeMutablePointer<Float>) -> UnsafePointer<Float> {
    assert(1 <= delay && delay <= longest && count <= overlap, "delay or frames exceed the line's length")
    let first = unsafe samples + (writeIndex >= delay ? writeIndex - delay : writeIndex - delay + size)
    if delay > written {
      unsafe Self.copy(first, to: spare, count: count, silent: min(count, delay - written))
      return unsafe UnsafePointer(spare)
    }
    return unsafe UnsafePointer(first)
  }

  @_noLocks @_noAllocation @inline(never) private static func copy(
    _ frames: UnsafeMutablePointer<Float>, to spare: UnsafeMutablePointer<Float>, count: Int, silent: Int
  ) {
    unsafe rt_clear_floats(spare, silent)
    unsafe rt_copy_floats(spare + silent, frames + silent, count - silent)
  }
}
