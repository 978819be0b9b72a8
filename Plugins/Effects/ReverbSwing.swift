// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// How a line of the network is read between its frames: cubic interpolation that moves in a straight line.
///
/// The read point swings around the line's length. Over a segment, the four weights of its beginning turn
/// into the four of its end, on a window of five frames at most: a crossfade between two points less than a
/// frame apart. As neither end ever lifts a frequency, nothing in between does, whatever the swing.
struct ReverbSwing: BitwiseCopyable {
  /// Where the read point is against the line's length when the segment begins and when it ends, in frames.
  private var from: Float = 0, to: Float = 0
  /// The window's oldest frame, as a delay against the line's length.
  private var oldest = 0
  /// The weights of the window's frames, oldest first, and what they grow by over the segment.
  private var weights = SIMD4<Float>(), growth = SIMD4<Float>()
  /// The same for the fifth frame.
  private var fifthWeight: Float = 0, fifthGrowth: Float = 0
  /// The weights of the segment's end: those that the next one most often begins with.
  private var ending = CubicWeights.at(0), endingPlace: Float = 0
  /// How many frames the window has: one where the line is read as it stands, four, or five.
  private var width = 1

  /// The fastest that a read point goes in a segment, in frames.
  private static var fastest: Float { @_noLocks @_noAllocation get { 0.95 } }

  /// A read point at rest.
  init() {}

  /// Puts the read point at `place` at once.
  @_noLocks @_noAllocation mutating func rest(at place: Float) {
    to = place
    from = place
  }

  /// Plans the next segment.
  ///
  /// - Parameters:
  ///   - share: how much of the last segment has passed, from 0 to 1.
  ///   - target: where the read point is to be at the end of the next one; it goes there no faster than it
  ///     may.
  @_noLocks @_noAllocation mutating func begin(after share: Float, towards target: Float) {
    from = share < 1 ? from + (to - from) * share : to
    to = from + min(max(target - from, -Self.fastest), Self.fastest)
    guard from != 0 || to != 0 else {
      width = 1
      return
    }
    let first = Self.floor(from), last = Self.floor(to)
    let start = from == endingPlace ? ending : CubicWeights.at(from - Float(first))
    let end = CubicWeights.at(to - Float(last))
    ending = end
    endingPlace = to
    oldest = max(first, last) + 2
    width = first == last ? 4 : 5
    weights = first < last ? SIMD4(0, start.x, start.y, start.z) : start
    growth = (last < first ? SIMD4(0, end.x, end.y, end.z) : end) - weights
    fifthWeight = first < last ? start.w : 0
    fifthGrowth = (last < first ? end.w : 0) - fifthWeight
  }

  /// Reads `count` frames of `line`, at its `length` give or take the swing.
  ///
  /// - Parameters:
  ///   - shares: how far the segment has come at each frame, from 0 to 1.
  ///   - window: scratch for `count + 12` frames.
  @_noLocks @_noAllocation @unsafe func read(
    _ line: borrowing DelayLine, length: Int, into sink: UnsafeMutablePointer<Float>, count: Int,
    shares: UnsafeMutablePointer<Float>, window: UnsafeMutablePointer<Float>
  ) {
    guard width > 1 else { return unsafe line.read(sink, delay: length, count: count) }
    var source = unsafe UnsafePointer(window)
    if let frames = unsafe line.peek(delay: length + oldest, count: count + 12) {
      unsafe source = frames
    } else {
      unsafe line.read(window, delay: length + oldest, count: count + width - 1)
    }
    var frame = 0
    while frame < count {
      var still = unsafe source[eightFrom: frame] * weights.x
      var moved = unsafe source[eightFrom: frame] * growth.x
      unsafe still += source[eightFrom: frame + 1] * weights.y
      unsafe moved += source[eightFrom: frame + 1] * growth.y
      unsafe still += source[eightFrom: frame + 2] * weights.z
      unsafe moved += source[eightFrom: frame + 2] * growth.z
      unsafe still += source[eightFrom: frame + 3] * weights.w
      unsafe moved += source[eightFrom: frame + 3] * growth.w
      if width > 4 {
        unsafe still += source[eightFrom: frame + 4] * fifthWeight
        unsafe moved += source[eightFrom: frame + 4] * fifthGrowth
      }
      unsafe sink[eightFrom: frame] = still + moved * shares[eightFrom: frame]
      frame += 8
    }
  }

  @_noLocks @_noAllocation private static func floor(_ x: Float) -> Int {
    let whole = Int(x)
    return Float(whole) > x ? whole - 1 : whole
  }
}
