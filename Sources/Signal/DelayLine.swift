// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A delay line that owns its memory: what was written last can be read again, up to a longest delay.
///
/// Made and destroyed on the control thread, which touches all memory; written and read on the audio thread.
@safe public struct DelayLine: ~Copyable {
  /// The longest delay that can be read, in frames.
  public let longest: Int
  private let samples: UnsafeMutablePointer<Float>
  /// Where the next frame goes.
  private var place = 0
  /// How many frames have been written since the line was cleared, up to the longest delay.
  private var written = 0

  /// A silent line for delays from 1 to `longest` frames.
  public init(longest: Int) {
    self.longest = max(longest, 1)
    unsafe samples = .allocate(capacity: self.longest)
    unsafe samples.initialize(repeating: 0, count: self.longest)
  }

  deinit { unsafe samples.deallocate() }

  /// Forgets all sound. Takes no longer for a long line.
  @_noLocks @_noAllocation public mutating func clear() { written = 0 }

  /// Writes `count` frames, at most ``longest``.
  @_noLocks @_noAllocation @unsafe public mutating func write(_ source: UnsafePointer<Float>, count: Int) {
    assert(0 <= count && count <= longest, "more frames than the line is long")
    let straight = min(count, longest - place)
    unsafe rt_copy_floats(samples + place, source, straight)
    unsafe rt_copy_floats(samples, source + straight, count - straight)
    place = place + count < longest ? place + count : place + count - longest
    written = min(longest, written + count)
  }

  /// Reads `count` frames, the first of which was written `delay` frames before the next one to be written.
  ///
  /// - Parameters:
  ///   - delay: from 1, the frame written last, to ``longest``. What lies before the first frame is silent.
  ///   - count: at most `delay`.
  @_noLocks @_noAllocation @unsafe
  public func read(_ sink: UnsafeMutablePointer<Float>, delay: Int, count: Int) {
    assert(1 <= delay && delay <= longest && count <= delay, "a delay that the line does not have")
    let silent = min(count, max(0, delay - written))
    let start = place >= delay ? place - delay : place - delay + longest
    let straight = min(count, longest - start)
    unsafe rt_copy_floats(sink, samples + start, straight)
    unsafe rt_copy_floats(sink + straight, samples, count - straight)
    unsafe rt_clear_floats(sink, silent)
  }

  /// The frames that ``read(_:delay:count:)`` would copy, where they lie, until the next write; nil where they do
  /// not lie in one piece, or not all of them were written since the line was cleared.
  ///
  /// - Parameter count: may reach past the frame written last, for who works in steps; what lies there is undefined.
  @_noLocks @_noAllocation @unsafe public func peek(delay: Int, count: Int) -> UnsafePointer<Float>? {
    assert(1 <= delay && delay <= longest, "a delay that the line does not have")
    let start = place >= delay ? place - delay : place - delay + longest
    guard delay <= written, start + count <= longest else { return nil }
    return unsafe UnsafePointer(samples + start)
  }

  /// Where the next `count` frames go, for who writes them there and then calls ``pass(_:)``; nil where they
  /// would not lie in one piece. Until they are written, the oldest frames lie there: those that a delay of
  /// ``longest`` reads, once the line has been full.
  @_noLocks @_noAllocation @unsafe public func room(for count: Int) -> UnsafeMutablePointer<Float>? {
    count <= longest - place ? unsafe samples + place : nil
  }

  /// Counts the next `count` frames as written; no more than there was room for.
  @_noLocks @_noAllocation public mutating func pass(_ count: Int) {
    assert(0 <= count && count <= longest - place, "more frames than there was room for")
    place = place + count < longest ? place + count : 0
    written = min(longest, written + count)
  }

  /// Writes one frame.
  @_noLocks @_noAllocation public mutating func write(_ sample: Float) {
    unsafe samples[place] = sample
    place = place + 1 < longest ? place + 1 : 0
    written = min(longest, written + 1)
  }

  /// The frame written `delay` frames before the next one to be written; from 1 to ``longest``.
  @_noLocks @_noAllocation public func read(delay: Int) -> Float {
    assert(1 <= delay && delay <= longest, "a delay that the line does not have")
    guard delay <= written else { return 0 }
    return unsafe samples[place >= delay ? place - delay : place - delay + longest]
  }
}
