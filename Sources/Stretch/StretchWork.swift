// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a ``StretchEngine`` does, piece by piece. Samples lie channel beside channel.
protocol StretchWork: AnyObject {
  /// How many frames of sound wait in it at most at any pitch and its own speed, where it is to be prompt.
  var lag: Int { get }
  /// How fast and how high sound plays, from the next piece on.
  ///
  /// - Returns: at what ratio its frames are to be resampled.
  func change(to stretch: Stretch) -> Double
  /// Takes `count` frames in.
  func push(_ frames: UnsafePointer<Float>, count: Int)
  /// Gives up to `count` frames out, and tells how many.
  func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int
}
