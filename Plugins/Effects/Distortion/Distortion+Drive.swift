// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

// The oversampled part of the effect, and the oversampler that the drive needs: the harder a signal is clipped, the more
// harmonics alias.

extension Distortion {
  /// The index of the oversampler for a strong drive, which follows those of the factors: 16×.
  static var driven: Int { @_noLocks @_noAllocation get { eightTimes + 1 } }
  /// The indices of the oversamplers of two factors: the raw values of ``Oversampling``.
  static var fourTimes: Int { @_noLocks @_noAllocation get { 2 } }
  static var eightTimes: Int { @_noLocks @_noAllocation get { 3 } }
  /// The drive of a full-scale signal above which that oversampler is used: 8 dB.
  private static var strongDrive: Float { @_noLocks @_noAllocation get { 2.5 } }
  /// The length of the crossfade from one oversampler to another when the drive changes, in seconds.
  private static var fade: Double { @_noLocks @_noAllocation get { 0.02 } }

  /// The same length in frames.
  var fadeLength: Int { @_noLocks @_noAllocation get { Int(Self.fade * sampleRate) } }

  /// The index of the oversampler for the chosen factor and the drive, now and at the end of all glides.
  var needed: Int {
    @_noLocks @_noAllocation get {
      factor >= Self.fourTimes && shaper.drive > Self.strongDrive ? Self.driven : factor
    }
  }

  /// Crossfades to the needed oversampler; 0 frames switch at once.
  @_noLocks @_noAllocation mutating func choose(over frames: Int) {
    let jumps = choice.glide(to: needed, over: frames)
    if jumps { unsafe oversamplers[choice.active].clear() }
  }

  /// Processes all channels by polynomial, ring modulation and clipper at the oversampled rate. During a change of the
  /// factor, both factors are processed.
  @_noLocks @_noAllocation mutating func distort(_ count: Int) {
    let rings = ring.isAudible
    shaper.advance(count)
    ring.advance(count)
    if choice.isChanging { unsafe distort(by: choice.next, to: second, count, rings: rings) }
    unsafe distort(by: choice.active, to: sound, count, rings: rings)
    guard choice.isChanging else { return }
    for channel in 0..<channelCount {
      let own = unsafe sound + channel * Self.apart, other = unsafe second + channel * Self.apart
      for frame in 0..<count {
        unsafe own[frame] += (other[frame] - own[frame]) * choice.fade.value(after: frame + 1)
      }
    }
  }

  @_noLocks @_noAllocation @unsafe private mutating func distort(
    by index: Int, to sink: UnsafeMutablePointer<Float>, _ count: Int, rings: Bool
  ) {
    let streams = unsafe oversamplers[index].factor
    if rings { ring.layOut(streams, count: count) }
    for channel in 0..<channelCount {
      unsafe oversamplers[index].raise(channel, sound + channel * Self.apart, count: count)
      for number in 0..<streams {
        let wave = unsafe oversamplers[index].stream(number, of: channel)
        unsafe shaper.bend(wave, number: number, of: streams, count: count)
        if rings { unsafe ring.run(number, wave, count: count) }
        unsafe shaper.clip(wave, number: number, of: streams, count: count)
      }
      unsafe oversamplers[index].lower(channel, to: sink + channel * Self.apart, count: count)
    }
  }
}
