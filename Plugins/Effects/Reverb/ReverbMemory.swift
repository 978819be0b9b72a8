// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The temporary memory of a reverb: a slice of each signal and each level. All except `shares` and `silence` are
/// written before they are read.
@safe struct ReverbMemory: ~Copyable {
  /// Both sides in the stages of the reverb; the dry signal of a channel; a temporary slice.
  let left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  let dry: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>
  /// The progress of a segment after each of its frames, and the progress of a change of size and of the lines' lengths,
  /// from 0 to 1.
  let shares: UnsafeMutablePointer<Float>, fade: UnsafeMutablePointer<Float>
  let lineFade: UnsafeMutablePointer<Float>
  /// The levels of the dry signal, of an unpaired wet channel, of a wet channel of a pair, and of its partner.
  let dryLevel: UnsafeMutablePointer<Float>, whole: UnsafeMutablePointer<Float>
  let near: UnsafeMutablePointer<Float>, far: UnsafeMutablePointer<Float>
  /// The levels of reflections and tail, and during a change of size the levels of old and new reflections.
  let early: UnsafeMutablePointer<Float>, late: UnsafeMutablePointer<Float>
  let earlyOld: UnsafeMutablePointer<Float>, earlyNew: UnsafeMutablePointer<Float>
  /// Zeros that are never overwritten.
  let silence: UnsafeMutablePointer<Float>
  /// The wet signal of each channel, one slice after the other.
  let wet: UnsafeMutablePointer<Float>

  /// Allocates memory for `channels` channels.
  init(channels: Int, sliceLength: Int) {
    let floats = (16 + channels) * sliceLength
    unsafe left = .allocate(capacity: floats)
    unsafe left.initialize(repeating: 0, count: floats)
    unsafe right = unsafe left + sliceLength
    unsafe dry = unsafe right + sliceLength
    unsafe second = unsafe dry + sliceLength
    unsafe shares = unsafe second + sliceLength
    unsafe fade = unsafe shares + sliceLength
    unsafe lineFade = unsafe fade + sliceLength
    unsafe dryLevel = unsafe lineFade + sliceLength
    unsafe whole = unsafe dryLevel + sliceLength
    unsafe near = unsafe whole + sliceLength
    unsafe far = unsafe near + sliceLength
    unsafe early = unsafe far + sliceLength
    unsafe late = unsafe early + sliceLength
    unsafe earlyOld = unsafe late + sliceLength
    unsafe earlyNew = unsafe earlyOld + sliceLength
    unsafe silence = unsafe earlyNew + sliceLength
    unsafe wet = unsafe silence + sliceLength
    for frame in 0..<sliceLength { unsafe shares[frame] = Float(frame + 1) / Float(sliceLength) }
  }

  deinit { unsafe left.deallocate() }
}
