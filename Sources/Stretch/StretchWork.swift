// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The implementation of a ``StretchAlgorithm``, which processes interleaved samples slice by slice.
protocol StretchWork: AnyObject {
  /// The maximum number of frames that wait in it in prompt mode, at any pitch and at speed 1.
  var lag: Int { get }
  /// Whether a change applies to the sound that comes out next, not to the sound that is pushed next.
  var isSteady: Bool { get set }
  /// Sets speed and pitch from the next slice on.
  ///
  /// - Returns: The ratio at which the slice's output must be resampled.
  func change(to stretch: Stretch) -> Double
  /// The ratio at which the next output frames must be resampled: an earlier ratio while sound waits that was pushed
  /// before the last change.
  var ratio: Double { get }
  /// Pushes `count` frames.
  func push(_ frames: UnsafePointer<Float>, count: Int)
  /// Pulls up to `count` frames, and returns their number.
  func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int
}
