// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a ``StretchEngine`` does, piece by piece. Samples lie channel beside channel.
protocol StretchWork: AnyObject {
  /// How many frames of sound wait in it at most at any pitch and its own speed, where it is to be prompt.
  var lag: Int { get }
  /// Whether a change is meant for the sound that comes out next, not for that which goes in next.
  var isSteady: Bool { get set }
  /// How fast and how high sound plays, from the next piece on.
  ///
  /// - Returns: at what ratio its frames are to be resampled.
  func change(to stretch: Stretch) -> Double
  /// At what ratio the frames that come out next are to be resampled: where sound waits in it that was taken in
  /// before the last change, that before.
  var ratio: Double { get }
  /// Takes `count` frames in.
  func push(_ frames: UnsafePointer<Float>, count: Int)
  /// Gives up to `count` frames out, and tells how many.
  func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int
}
