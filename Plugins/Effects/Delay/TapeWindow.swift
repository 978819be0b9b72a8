// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The part of a line that a ``TapeHead`` passes in a slice, for interpolated reading.
@safe struct TapeWindow: ~Copyable {
  /// The number of frames that the line must hold beyond the head's longest delay.
  static var margin: Int { 2 }

  private let delays: UnsafeMutablePointer<Double>
  private let samples: UnsafeMutablePointer<Float>
  /// The delay of the window's first frame, and the number of frames in the window.
  private var depth = 1, length = 1

  /// Creates a window for slices of up to `sliceLength` frames.
  init(sliceLength: Int) {
    unsafe delays = .allocate(capacity: sliceLength)
    unsafe delays.initialize(repeating: 1, count: sliceLength)
    // At twice the speed the head passes two frames in each frame, and needs two frames on each side.
    unsafe samples = .allocate(capacity: 2 * sliceLength + 8)
    unsafe samples.initialize(repeating: 0, count: 2 * sliceLength + 8)
  }

  deinit {
    unsafe delays.deallocate()
    unsafe samples.deallocate()
  }

  /// Moves the head over the next `count` frames, which must be within its reach.
  @_noLocks @_noAllocation mutating func move(_ points: inout ReadPoints, count: Int) {
    unsafe points.bend(delays, count: count)
    var oldest = 0, newest = Int.min
    for frame in 0..<count {
      let whole = unsafe Int(delays[frame])
      oldest = max(oldest, whole + 2 - frame)
      newest = max(newest, frame - whole + 1)
    }
    depth = oldest
    length = depth + min(newest, -1) + 1
  }

  /// Reads `count` frames of a line at the delays of the last move.
  ///
  /// The interpolation is of third order for delays of two frames or more, which have frames on both sides, and linear
  /// for shorter delays.
  @_noLocks @_noAllocation @unsafe
  func read(_ line: borrowing DelayLine, _ sink: UnsafeMutablePointer<Float>, count: Int) {
    unsafe line.read(samples, delay: depth, count: length)
    for frame in 0..<count {
      let delay = unsafe delays[frame], whole = Int(delay), part = Float(delay - Double(whole))
      let older = depth + frame - whole - 1
      if whole < 2 {
        unsafe sink[frame] = samples[older + 1] + (samples[older] - samples[older + 1]) * part
      } else {
        let weights = CubicWeights.at(part)
        let far = unsafe samples[older - 1] * weights.x + samples[older] * weights.y
        let near = unsafe samples[older + 1] * weights.z + samples[older + 2] * weights.w
        unsafe sink[frame] = far + near
      }
    }
  }
}
