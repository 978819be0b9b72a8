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
    if straight < count { unsafe rt_copy_floats(samples, source + straight, count - straight) }
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
    if straight < count { unsafe rt_copy_floats(sink + straight, samples, count - straight) }
    if silent > 0 { unsafe rt_clear_floats(sink, silent) }
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
