// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A wave at a multiple of the rate, kept as one stream for each place between two frames.
///
/// Samples that follow each other in a stream are a frame apart. So filters run over frames that lie side by
/// side, and what knows no time takes the streams one by one.
@safe struct Phases: ~Copyable {
  /// How many frames more than asked for may be read and written: a group's.
  static var spare: Int { @_noLocks @_noAllocation get { 16 } }

  /// How many streams there are.
  let count: Int
  /// How far streams lie apart in memory.
  let stride: Int
  private let history: Int
  private let samples: UnsafeMutablePointer<Float>

  /// `count` silent streams, of which `history` frames before the present ones can be read.
  init(count: Int, history: Int, longest: Int) {
    self.count = count
    self.history = history
    stride = Self.stride(history: history, longest: longest)
    unsafe samples = .allocate(capacity: count * stride)
    unsafe samples.initialize(repeating: 0, count: count * stride)
  }

  deinit { unsafe samples.deallocate() }

  /// How far streams lie apart in memory.
  static func stride(history: Int, longest: Int) -> Int { history + longest + spare }

  /// The present frames of a stream; those before them lie before.
  @_noLocks @_noAllocation @inline(__always) @unsafe func stream(_ number: Int) -> UnsafeMutablePointer<Float>
  {
    assert(0 <= number && number < count, "no such stream")
    return unsafe samples + number * stride + history
  }

  /// Makes `frames` present frames past ones.
  @_noLocks @_noAllocation mutating func pass(_ frames: Int) {
    guard history > 0 else { return }
    for number in 0..<count {
      let start = unsafe samples + number * stride
      unsafe rt_copy_floats(start, start + frames, history)
    }
  }

  /// Forgets all sound.
  @_noLocks @_noAllocation mutating func clear() { unsafe rt_clear_floats(samples, count * stride) }
}
