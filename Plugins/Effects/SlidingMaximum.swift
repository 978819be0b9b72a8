// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The largest of the last so many samples, frame by frame, at a cost that does not grow with how many.
///
/// The stream is cut into chunks as long as the window. A window then is the beginning of one chunk and the
/// ending of the one before: the first is a running maximum, the second was worked out when that chunk was
/// full (the method of van Herk, and of Gil and Werman, 1992).
@safe struct SlidingMaximum: ~Copyable {
  private let longest: Int
  /// The chunk that fills up, as it came.
  private let chunk: UnsafeMutablePointer<Float>
  /// By place in the chunk: the largest of those frames of the chunk before that a window which ends there
  /// still sees.
  private let endings: UnsafeMutablePointer<Float>
  private var filled = 0
  private var length: Int, askedLength: Int
  private var largest: Float = 0
  /// Whether no chunk has been full yet.
  private var isNew = true

  /// A window of `length` frames that has seen zeros, and can grow to `longest`.
  init(length: Int, longest: Int) {
    self.longest = max(longest, 1)
    self.length = min(max(length, 1), self.longest)
    askedLength = self.length
    unsafe chunk = .allocate(capacity: self.longest)
    unsafe chunk.initialize(repeating: 0, count: self.longest)
    unsafe endings = .allocate(capacity: self.longest)
    unsafe endings.initialize(repeating: 0, count: self.longest)
  }

  deinit {
    unsafe chunk.deallocate()
    unsafe endings.deallocate()
  }

  /// Sees `length` frames, once the chunk that has begun is full; a wider window by and by.
  @_noLocks @_noAllocation mutating func resize(_ length: Int) {
    askedLength = min(max(length, 1), longest)
    if filled == 0 && isNew { self.length = askedLength }
  }

  /// Forgets what it saw.
  @_noLocks @_noAllocation mutating func clear() {
    unsafe rt_clear_floats(endings, longest)
    isNew = true
    filled = 0
    largest = 0
    length = askedLength
  }

  /// Puts the largest of the window that ends at each frame in its place. Samples are 0 or more.
  @_noLocks @_noAllocation @unsafe
  mutating func run(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    var start = 0
    while start < count {
      let part = min(count - start, length - filled), place = filled
      unsafe rt_copy_floats(chunk + place, samples + start, part)
      var most = largest
      let run = unsafe samples + start, before = unsafe endings + place
      for frame in 0..<part {
        most = unsafe Self.larger(run[frame], most)
        unsafe run[frame] = most
      }
      for frame in 0..<part { unsafe run[frame] = Self.larger(run[frame], before[frame]) }
      largest = most
      filled += part
      start += part
      if filled == length { turn() }
    }
  }

  /// The larger of two numbers: one instruction, where `max` also tells zeros apart and needs four.
  @_noLocks @_noAllocation @inline(__always) private static func larger(_ a: Float, _ b: Float) -> Float {
    a > b ? a : b
  }

  /// Makes the full chunk the one before.
  @_noLocks @_noAllocation private mutating func turn() {
    var most: Float = 0, back = 0
    while back < askedLength {
      if back > 0, back <= length { most = unsafe Self.larger(chunk[length - back], most) }
      unsafe endings[askedLength - 1 - back] = most
      back += 1
    }
    isNew = false
    filled = 0
    largest = 0
    length = askedLength
  }
}
