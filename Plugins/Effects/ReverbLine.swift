// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A delay line of a reverb, in which each stretch of frames lies in one piece, to be worked on where it lies.
///
/// Behind the ring lies a copy of its beginning, so that who comes to the end goes straight on. Loops go by
/// eights: they may spoil up to seven frames behind those that they write, where nobody reads any more.
@safe struct ReverbLine: ~Copyable {
  /// The longest delay that can be read, in frames.
  let longest: Int
  private let samples: UnsafeMutablePointer<Float>
  /// How many frames the ring has, and how many of them lie behind it again.
  private let size: Int, overlap: Int
  /// Where the next frame goes.
  private var place = 0
  /// How many frames have been written since the line was cleared, up to the longest delay.
  private var written = 0

  /// A silent line for delays from 1 to `longest` frames, written in stretches of up to `stretch`.
  init(longest: Int, stretch: Int) {
    self.longest = longest
    overlap = stretch + 16
    size = max(longest + 8, overlap)
    unsafe samples = .allocate(capacity: size + overlap)
    unsafe samples.initialize(repeating: 0, count: size + overlap)
  }

  deinit { unsafe samples.deallocate() }

  /// Forgets all sound. Takes no longer for a long line.
  @_noLocks @_noAllocation mutating func clear() { written = 0 }

  /// Where the next frames go: who has put them there calls ``pass(_:)``.
  @unsafe var room: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { unsafe samples + place } }

  /// Counts `count` frames in the ``room`` as written.
  @_noLocks @_noAllocation mutating func pass(_ count: Int) {
    assert(0 <= count && count <= overlap - 16, "more frames than a stretch has")
    let end = place + count
    if place < overlap {
      unsafe rt_copy_floats(samples + size + place, samples + place, min(end, overlap) - place)
    }
    if end > size { unsafe rt_copy_floats(samples, samples + size, end - size) }
    place = end < size ? end : end - size
    written = min(longest, written + count)
  }

  /// Writes `count` frames.
  @_noLocks @_noAllocation @unsafe mutating func write(_ source: UnsafePointer<Float>, count: Int) {
    unsafe rt_copy_floats(room, source, count)
    pass(count)
  }

  /// `count` frames, the first of which was written `delay` frames before the next one to be written.
  ///
  /// - Parameters:
  ///   - delay: from 1 to ``longest``. What lies before the first frame is silent.
  ///   - count: up to a stretch and sixteen. What lies behind the frame written last is undefined.
  ///   - spare: room for them, to which they go where some are silent; else they stay where they lie.
  @_noLocks @_noAllocation @inline(__always) @unsafe
  func frames(delay: Int, count: Int, spare: UnsafeMutablePointer<Float>) -> UnsafePointer<Float> {
    assert(1 <= delay && delay <= longest && count <= overlap, "frames that the line does not have")
    let first = unsafe samples + (place >= delay ? place - delay : place - delay + size)
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
