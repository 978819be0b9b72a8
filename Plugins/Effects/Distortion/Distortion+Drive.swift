// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

// The oversampler that the drive needs: the harder a signal is clipped, the more harmonics alias.

extension Distortion {
  /// The index of the oversampler for a strong drive, which follows those of the factors: 16×.
  static var driven: Int { @_noLocks @_noAllocation get { Oversampling.eightTimes.rawValue + 1 } }
  /// The drive of a full-scale signal above which that oversampler is used: 8 dB.
  private static var strongDrive: Float { @_noLocks @_noAllocation get { 2.5 } }
  /// The length of the crossfade from one oversampler to another when the drive changes, in seconds.
  private static var fade: Double { @_noLocks @_noAllocation get { 0.02 } }

  /// The same length in frames.
  var fadeLength: Int { @_noLocks @_noAllocation get { Int(Self.fade * sampleRate) } }

  /// The index of the oversampler for the chosen factor and the drive, now and at the end of all glides.
  var needed: Int {
    @_noLocks @_noAllocation get {
      factor >= Oversampling.fourTimes.rawValue && shaper.drive > Self.strongDrive ? Self.driven : factor
    }
  }

  /// Crossfades to the needed oversampler; 0 frames switch at once.
  @_noLocks @_noAllocation mutating func choose(over frames: Int) {
    let jumps = choice.glide(to: needed, over: frames)
    if jumps { unsafe oversamplers[choice.active].clear() }
  }
}
