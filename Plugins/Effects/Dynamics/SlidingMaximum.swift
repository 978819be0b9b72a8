// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The maximum over a sliding window, at a cost that does not depend on the length of the window.
///
/// The stream is divided into chunks as long as the window. A window consists of the beginning of one chunk and the end
/// of the previous one. The maximum of the first is a running maximum; that of the second was computed when that chunk
/// was full (the method of van Herk, and of Gil and Werman, 1992).
@safe struct SlidingMaximum: ~Copyable {
  private let longest: Int
  /// The samples of the current chunk.
  private let chunk: UnsafeMutablePointer<Float>
  /// For each index in the current chunk the maximum of the previous chunk's frames that are still in a window ending
  /// at the index.
  private let endings: UnsafeMutablePointer<Float>
  private var filled = 0
  private var length: Int, requestedLength: Int
  private var largest: Float = 0
  /// Whether no chunk has been full yet.
  private var isNew = true

  /// Creates a window of `length` frames that contains zeros and can grow to `longest` frames.
  init(length: Int, longest: Int) {
    self.longest = max(longest, 1)
    self.length = min(max(length, 1), self.longest)
    requestedLength = self.length
    unsafe chunk = .allocate(capacity: self.longest)
    unsafe chunk.initialize(repeating: 0, count: self.longest)
    unsafe endings = .allocate(capacity: self.longest)
    unsafe endings.initialize(repeating: 0, count: self.longest)
  }

  deinit {
    unsafe chunk.deallocate()
    unsafe endings.deallocate()
  }

  /// Changes the length of the window when the current chunk is full. A longer window fills gradually.
  @_noLocks @_noAllocation mutating func resize(_ length: Int) {
    requestedLength = min(max(length, 1), longest)
    if filled == 0 && isNew { self.length = requestedLength }
  }

  /// Sets all samples to zero.
  @_noLocks @_noAllocation mutating func clear() {
    unsafe rt_clear_floats(endings, longest)
    isNew = true
    filled = 0
    largest = 0
    length = requestedLength
  }

  /// Replaces each sample by the maximum of the window that ends at it. Samples must be 0 or more.
  @_noLocks @_noAllocation @unsafe
  mutating func run(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    var start = 0
    while start < count {
      let part = min(count - start, length - filled), offset = filled
      unsafe rt_copy_floats(chunk + offset, samples + start, part)
      var most = largest
      let run = unsafe samples + start, before = unsafe endings + offset
      for frame in 0..<part {
        most = unsafe Self.larger(run[frame], most)
        unsafe run[frame] = most
      }
      for frame in 0..<part { unsafe run[frame] = Self.larger(run[frame], before[frame]) }
      largest = most
      filled += part
      start += part
      if filled == length { finishChunk() }
    }
  }

  /// Returns the larger of two numbers, in one instruction; `max` also distinguishes the signs of zeros and needs four.
  @_noLocks @_noAllocation @inline(__always) private static func larger(_ a: Float, _ b: Float) -> Float {
    a > b ? a : b
  }

  /// Makes the full chunk the previous one.
  @_noLocks @_noAllocation private mutating func finishChunk() {
    var most: Float = 0, back = 0
    while back < requestedLength {
      if back > 0, back <= length { most = unsafe Self.larger(chunk[length - back], most) }
      unsafe endings[requestedLength - 1 - back] = most
      back += 1
    }
    isNew = false
    filled = 0
    largest = 0
    length = requestedLength
  }
}
