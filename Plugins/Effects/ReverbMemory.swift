// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a reverb works on: a stretch of each signal and each level on the way. All but the shares are
/// overwritten before they are read.
@safe struct ReverbMemory: ~Copyable {
  /// Both sides, on their way through the stages; the dry sound of a channel; one more.
  let left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  let dry: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>
  /// How far a segment has come after each of its frames, and how far the room has changed, from 0 to 1.
  let shares: UnsafeMutablePointer<Float>, fade: UnsafeMutablePointer<Float>
  /// The levels of dry sound, of a wet channel alone, of one of a pair, and of its partner.
  let dryLevel: UnsafeMutablePointer<Float>, whole: UnsafeMutablePointer<Float>
  let near: UnsafeMutablePointer<Float>, far: UnsafeMutablePointer<Float>
  /// The levels of reflections, in a room that changes of the old ones and the new ones, and of the tail.
  let early: UnsafeMutablePointer<Float>, late: UnsafeMutablePointer<Float>
  let earlyOld: UnsafeMutablePointer<Float>, earlyNew: UnsafeMutablePointer<Float>
  /// Nothing, always.
  let silence: UnsafeMutablePointer<Float>
  /// The wet sound of each channel, a stretch apart.
  let wet: UnsafeMutablePointer<Float>

  /// Memory for `channels` channels.
  init(channels: Int, stretch: Int) {
    let floats = (15 + channels) * stretch
    unsafe left = .allocate(capacity: floats)
    unsafe left.initialize(repeating: 0, count: floats)
    unsafe right = unsafe left + stretch
    unsafe dry = unsafe right + stretch
    unsafe second = unsafe dry + stretch
    unsafe shares = unsafe second + stretch
    unsafe fade = unsafe shares + stretch
    unsafe dryLevel = unsafe fade + stretch
    unsafe whole = unsafe dryLevel + stretch
    unsafe near = unsafe whole + stretch
    unsafe far = unsafe near + stretch
    unsafe early = unsafe far + stretch
    unsafe late = unsafe early + stretch
    unsafe earlyOld = unsafe late + stretch
    unsafe earlyNew = unsafe earlyOld + stretch
    unsafe silence = unsafe earlyNew + stretch
    unsafe wet = unsafe silence + stretch
    for frame in 0..<stretch { unsafe shares[frame] = Float(frame + 1) / Float(stretch) }
  }

  deinit { unsafe left.deallocate() }
}
