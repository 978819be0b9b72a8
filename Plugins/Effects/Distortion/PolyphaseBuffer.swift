// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// An oversampled signal in polyphase form: one stream for each phase between two frames.
///
/// Consecutive samples of a stream are one frame apart. So filters run over contiguous samples, and memoryless
/// processing handles the streams one by one.
@safe struct PolyphaseBuffer: ~Copyable {
  /// The number of frames beyond the requested ones that may be read and written: the size of a vectorised group.
  static var spare: Int { @_noLocks @_noAllocation get { 16 } }

  /// The number of streams.
  let count: Int
  /// The distance between streams in memory, in floats.
  let stride: Int
  private let history: Int
  private let samples: UnsafeMutablePointer<Float>

  /// Creates `count` silent streams, in which `history` frames before the current ones can be read.
  init(count: Int, history: Int, longest: Int) {
    self.count = count
    self.history = history
    stride = Self.stride(history: history, longest: longest)
    unsafe samples = .allocate(capacity: count * stride)
    unsafe samples.initialize(repeating: 0, count: count * stride)
  }

  deinit { unsafe samples.deallocate() }

  /// Returns the distance between streams in memory, in floats.
  static func stride(history: Int, longest: Int) -> Int { history + longest + spare }

  /// Returns the current frames of a stream; earlier frames precede them in memory.
  @_noLocks @_noAllocation @inline(__always) @unsafe func stream(_ number: Int) -> UnsafeMutablePointer<Float>
  {
    assert(0 <= number && number < count, "no such stream")
    return unsafe samples + number * stride + history
  }

  /// Turns `frames` current frames into history.
  @_noLocks @_noAllocation mutating func pass(_ frames: Int) {
    guard history > 0 else { return }
    for number in 0..<count {
      let start = unsafe samples + number * stride
      unsafe rt_copy_floats(start, start + frames, history)
    }
  }

  /// Clears all state.
  @_noLocks @_noAllocation mutating func clear() { unsafe rt_clear_floats(samples, count * stride) }
}
