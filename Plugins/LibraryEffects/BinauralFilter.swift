// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The binaural rendering of one source: two pairs of filters, one for each ear, between which the signal crossfades.
///
/// It is created and destroyed on a control thread, and used on the audio thread in between.
@safe struct BinauralFilter: ~Copyable {
  /// The number of frames that can be processed at once.
  static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }

  /// Whether a crossfade from one pair of filters to the other is in progress.
  private(set) var isFading = false

  private let taps: Int, paddedTaps: Int
  /// The left and right filter of the first pair, then of the second.
  private let filters: UnsafeMutablePointer<Float>
  private var current = 0
  /// The direction of the current pair; the zero vector if there is none.
  private var facing = SIMD3<Float>()

  /// Creates silent filters.
  init(_ table: borrowing HRTFTable) {
    taps = table.taps
    paddedTaps = table.paddedTaps
    unsafe filters = .allocate(capacity: 4 * paddedTaps)
    unsafe filters.initialize(repeating: 0, count: 4 * paddedTaps)
  }

  deinit { unsafe filters.deallocate() }

  /// Prepares a crossfade to `direction` over the segment that begins, or a switch at its start.
  ///
  /// - Parameter scratch: temporary memory for as many floats as a row of the table has.
  @_noLocks @_noAllocation @unsafe mutating func fade(
    to direction: SIMD3<Float>, atOnce: Bool, _ table: UnsafePointer<HRTFTable>,
    _ scratch: UnsafeMutablePointer<Float>
  ) {
    let way = direction - facing
    isFading = (way * way).max() > 0
    guard isFading else { return }
    if atOnce { isFading = false }
    let pair = atOnce ? current : 1 - current
    unsafe table.pointee.write(
      direction, left: filter(pair, 0), right: filter(pair, 1), scratch: scratch)
    facing = direction
  }

  /// Clears the current direction.
  @_noLocks @_noAllocation mutating func clearDirection() {
    isFading = false
    facing = SIMD3()
  }

  /// Ends the segment, or interrupts it after the proportion `share`.
  @_noLocks @_noAllocation mutating func end(at share: Float) {
    guard isFading else { return }
    isFading = false
    guard share < 1 else {
      current = 1 - current
      return
    }
    let now = unsafe filter(current, 0), next = unsafe filter(1 - current, 0)
    for eight in 0..<2 * paddedTaps / 8 {
      let before = unsafe now[eightFrom: 8 * eight]
      unsafe now[eightFrom: 8 * eight] = before + (next[eightFrom: 8 * eight] - before) * share
    }
    // The current filters belong to no direction, so that any next direction differs.
    facing = SIMD3()
  }

  /// Renders `count` frames.
  ///
  /// - Parameters:
  ///   - sound: the frames, preceded by all earlier frames that the filters need; frames up to a multiple of sixteen
  ///     may be read.
  ///   - share: the proportion of the segment before the first frame, and the proportion of each frame.
  ///   - sink: memory for four times ``sliceLength`` floats; the left and right output come first.
  @_noLocks @_noAllocation @unsafe func render(
    _ sound: UnsafeMutablePointer<Float>, count: Int, share: (before: Float, each: Float),
    into sink: UnsafeMutablePointer<Float>
  ) {
    unsafe convolve(sound, count, current, sink)
    guard isFading else { return }
    let other = unsafe sink + 2 * Self.sliceLength
    unsafe convolve(sound, count, 1 - current, other)
    for ear in 0..<2 {
      let now = unsafe sink + ear * Self.sliceLength, next = unsafe other + ear * Self.sliceLength
      for frame in 0..<count {
        let passed = share.before + share.each * Float(frame + 1)
        unsafe now[frame] += (next[frame] - now[frame]) * passed
      }
    }
  }

  /// Convolves sixteen frames for both ears at a time, tap by tap. Each frame is summed in the same order, independent
  /// of block sizes.
  @_noLocks @_noAllocation private func convolve(
    _ sound: UnsafeMutablePointer<Float>, _ count: Int, _ pair: Int, _ sink: UnsafeMutablePointer<Float>
  ) {
    let left = unsafe filter(pair, 0), right = unsafe filter(pair, 1)
    var start = 0
    while start < count {
      var left0 = SIMD8<Float>(repeating: 0), left1 = left0, right0 = left0, right1 = left0
      var frames = unsafe sound + start
      for tap in 0..<taps {
        let early = unsafe frames[eightFrom: 0], late = unsafe frames[eightFrom: 8]
        let toLeft = unsafe SIMD8(repeating: left[tap]), toRight = unsafe SIMD8(repeating: right[tap])
        left0 += early * toLeft
        left1 += late * toLeft
        right0 += early * toRight
        right1 += late * toRight
        unsafe frames -= 1
      }
      unsafe sink[eightFrom: start] = left0
      unsafe sink[eightFrom: start + 8] = left1
      unsafe sink[eightFrom: Self.sliceLength + start] = right0
      unsafe sink[eightFrom: Self.sliceLength + start + 8] = right1
      start += 16
    }
  }

  @_noLocks @_noAllocation private func filter(_ pair: Int, _ ear: Int) -> UnsafeMutablePointer<Float> {
    unsafe filters + (2 * pair + ear) * paddedTaps
  }
}
