// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The tail of a reverb: a feedback delay network of sixteen delay lines and a Hadamard matrix.
///
/// The matrix preserves energy, so all loss is in the filters after the lines, which depends on the lengths of the
/// lines. Half of the lines are inverted: the matrix alone is symmetric, so that paths through the same lines in
/// another order would add up instead of scattering. With modulation, the lengths of every second line move, and pairs
/// of lines are rotated. The network is computed line by line in slices; the lines must be longer than a slice.
@safe struct ReverbNetwork: ~Copyable {
  static var lineCount: Int { @_noLocks @_noAllocation get { 16 } }
  /// The number of frames in a slice, which is also the interval at which control values are computed.
  static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }

  private let sampleRate: Double
  private let longest: Int, shortest: Int
  private let lines: UnsafeMutablePointer<ReverbLine>
  /// The modulation of the even lines of each eight, the filters after each four, and the rotation of pairs.
  private let swings: UnsafeMutablePointer<ReverbModulation>, filters: UnsafeMutablePointer<ReverbFilters>
  private var rotation = ReverbRotation()
  private let weights = SincWeights()
  private var taps: ReverbTaps
  /// The length of each line relative to the mean.
  private let ratios: UnsafeMutablePointer<Double>
  /// The lengths that are heard, and the lengths that fade in, in frames.
  private let lengths: UnsafeMutablePointer<Int>, nextLengths: UnsafeMutablePointer<Int>
  /// One row of a slice for each line; then a temporary one, and a window.
  private let rows: UnsafeMutablePointer<Float>
  private let second: UnsafeMutablePointer<Float>, window: UnsafeMutablePointer<Float>

  /// Creates a network whose lines can have an average length of `longestMean` seconds, modulated by `deepest` seconds,
  /// with `channels` outputs.
  init(longestMean: Double, deepest: Double, channels: Int, sampleRate: Double) {
    self.sampleRate = sampleRate
    let count = Self.lineCount, sliceLength = Self.sliceLength, golden = 0.618_033_988_75
    var mean = 0.0
    unsafe ratios = .allocate(capacity: count)
    for line in 0..<count {
      let scatter = (Double(line) * golden).truncatingRemainder(dividingBy: 1) - 0.5
      unsafe (ratios + line).initialize(
        to: rt_pow_double(4.1, (Double(line) + 0.6 * scatter) / Double(count - 1)))
      unsafe mean += ratios[line] / Double(count)
    }
    for line in 0..<count { unsafe ratios[line] /= mean }
    let swing = Int(deepest * sampleRate) + 1 + ReverbModulation.margin
    shortest = sliceLength + swing
    longest = max(Int(longestMean * 2 * sampleRate), shortest + count * 7)
    unsafe lines = .allocate(capacity: count)
    for line in 0..<count {
      unsafe (lines + line).initialize(
        to: ReverbLine(longest: longest + swing + sliceLength, sliceLength: sliceLength))
    }
    taps = ReverbTaps(channels: channels, lineCount: count, sliceLength: sliceLength)
    unsafe swings = .allocate(capacity: count / 8)
    for group in 0..<count / 8 { unsafe (swings + group).initialize(to: ReverbModulation(from: 8 * group)) }
    unsafe filters = .allocate(capacity: count / 4)
    unsafe filters.initialize(repeating: ReverbFilters(), count: count / 4)
    unsafe lengths = .allocate(capacity: 2 * count)
    unsafe lengths.initialize(repeating: longest, count: 2 * count)
    unsafe nextLengths = unsafe lengths + count
    let floats = (count + 2) * sliceLength + 16
    unsafe rows = .allocate(capacity: floats)
    unsafe rows.initialize(repeating: 0, count: floats)
    unsafe second = unsafe rows + count * sliceLength
    unsafe window = unsafe second + sliceLength
  }

  deinit {
    unsafe lines.deinitialize(count: Self.lineCount)
    unsafe lines.deallocate()
    unsafe swings.deallocate()
    unsafe ratios.deallocate()
    unsafe lengths.deallocate()
    unsafe filters.deallocate()
    unsafe rows.deallocate()
  }

  /// Clears all state, and sets the lines to an average of `mean` seconds, modulated by `depth` frames.
  @_noLocks @_noAllocation mutating func clear(mean: Double, depth: Float, _ decay: ReverbDecay.Requested) {
    for line in 0..<Self.lineCount { unsafe lines[line].clear() }
    for group in 0..<Self.lineCount / 8 { unsafe swings[group].rest(by: depth, weights: weights) }
    for group in 0..<Self.lineCount / 4 { unsafe filters[group].clear() }
    rotation.rest()
    fade(toMean: mean)
    arrive()
    plan(decay, blend: 1, after: 1)
    plan(nil, blend: 1, after: 1)
  }

  /// Begins a crossfade to lines of `mean` seconds on average.
  @_noLocks @_noAllocation mutating func fade(toMean mean: Double) {
    for line in 0..<Self.lineCount {
      let requested = unsafe Int(mean * ratios[line] * sampleRate)
      unsafe nextLengths[line] = min(max(requested, shortest + 7 * line), longest)
    }
    unsafe taps.fade(to: nextLengths)
  }

  /// Ends the crossfade.
  @_noLocks @_noAllocation mutating func arrive() {
    for line in 0..<Self.lineCount { unsafe lengths[line] = nextLengths[line] }
    taps.arrive()
  }

  /// Computes the filters at the end of the next segment. `share` is the proportion of the last segment that has
  /// elapsed.
  ///
  /// - Parameters:
  ///   - decay: the decay at the end of the segment; nil if it does not change.
  ///   - blend: the proportion of the next lengths at the end of the segment.
  @_noLocks @_noAllocation mutating func plan(
    _ decay: ReverbDecay.Requested?, blend: Float, after share: Float
  ) {
    if let decay {
      for line in 0..<Self.lineCount {
        let old = unsafe Double(lengths[line]), new = unsafe Double(nextLengths[line])
        let shelf = decay.shelf(length: old + (new - old) * Double(blend))
        unsafe filters[line / 4].set(line % 4, shelf, inverted: 0x4E63 >> line & 1 == 1)
      }
    }
    for group in 0..<Self.lineCount / 4 { unsafe filters[group].begin(after: share) }
  }

  /// Computes the read points and rotations at the end of the next segment. `share` is the proportion of the last
  /// segment that has elapsed.
  ///
  /// - Parameters:
  ///   - depth, rate: the modulation of the lines, in frames and in hertz.
  ///   - speed: the average speed of the rotations, in turns a second.
  @_noLocks @_noAllocation
  mutating func swing(by depth: Float, rate: Float, speed: Float, after share: Float) {
    let seconds = Float(Self.sliceLength) / Float(sampleRate)
    for group in 0..<Self.lineCount / 8 {
      unsafe swings[group].begin(after: share, advance: rate * seconds, depth: depth, weights: weights)
    }
    rotation.begin(after: share, angle: 2 * .pi * speed * seconds)
  }

  /// Processes `count` frames. The sum of both sides feeds the even lines and their difference the odd lines, so that
  /// one side alone excites as many echoes as both.
  ///
  /// - Parameters:
  ///   - left: the input, which is overwritten; `right` too.
  ///   - fade: the proportion of the next lengths at each frame; nil if there is no crossfade.
  @_noLocks @_noAllocation @unsafe mutating func run(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int,
    shares: UnsafeMutablePointer<Float>, fade: UnsafeMutablePointer<Float>?
  ) {
    for line in 0..<Self.lineCount { unsafe read(line, count, shares, fade) }
    unsafe filter(count, shares)
    unsafe Self.cross(left, right, count)
    for group in 0..<4 { unsafe write(group, group % 2 == 0 ? left : right, count, shares) }
  }

  @_noLocks @_noAllocation private static func cross(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let half = rt_sqrt(0.5)
    var frame = 0
    while frame < count {
      let one = unsafe left[eightFrom: frame] * half, other = unsafe right[eightFrom: frame] * half
      unsafe left[eightFrom: frame] = one + other
      unsafe right[eightFrom: frame] = one - other
      frame += 8
    }
  }

  /// Writes an output channel of the last run to `sink`, multiplied by `gains`.
  ///
  /// - Parameter fade: the proportion of the next lengths at each frame; nil if there is no crossfade.
  @_noLocks @_noAllocation @unsafe func mixOutput(
    _ channel: Int, into sink: UnsafeMutablePointer<Float>, count: Int, gains: UnsafeMutablePointer<Float>,
    fade: UnsafeMutablePointer<Float>?
  ) {
    unsafe taps.read(channel, lines, into: sink, count: count, gains: gains, isNext: false)
    guard let fade = unsafe fade else { return }
    unsafe taps.read(channel, lines, into: second, count: count, gains: gains, isNext: true)
    unsafe Self.mix(second, into: sink, count: count, fade)
  }

  @_noLocks @_noAllocation private mutating func read(
    _ line: Int, _ count: Int, _ shares: UnsafeMutablePointer<Float>, _ fade: UnsafeMutablePointer<Float>?
  ) {
    let row = unsafe rows + line * Self.sliceLength
    unsafe read(line, lengths[line], row, count, shares)
    guard let fade = unsafe fade else { return }
    unsafe read(line, nextLengths[line], second, count, shares)
    unsafe Self.mix(second, into: row, count: count, fade)
  }

  @_noLocks @_noAllocation private func read(
    _ line: Int, _ length: Int, _ row: UnsafeMutablePointer<Float>, _ count: Int,
    _ shares: UnsafeMutablePointer<Float>
  ) {
    guard line % 2 == 0 else {
      let frames = unsafe lines[line].frames(delay: length, count: count, spare: window)
      return unsafe rt_copy_floats(row, frames, count)
    }
    unsafe swings[line / 8].read(
      lines[line], line % 8 / 2, length: length, into: row, count: count, shares: shares, window: window)
  }

  /// Crossfades from `sink` to `other` in place.
  @_noLocks @_noAllocation private static func mix(
    _ other: UnsafeMutablePointer<Float>, into sink: UnsafeMutablePointer<Float>, count: Int,
    _ fade: UnsafeMutablePointer<Float>
  ) {
    var frame = 0
    while frame < count {
      let old = unsafe sink[eightFrom: frame], new = unsafe other[eightFrom: frame]
      unsafe sink[eightFrom: frame] = unsafe old + (new - old) * fade[eightFrom: frame]
      frame += 8
    }
  }

  /// Filters all rows, and mixes each four neighbouring rows: half of the Hadamard matrix. Its factor is included in
  /// the filters.
  @_noLocks @_noAllocation private mutating func filter(_ count: Int, _ shares: UnsafeMutablePointer<Float>) {
    var frame = 0
    while frame + 4 <= count {
      unsafe filter(frame, shares, count: 4)
      frame += 4
    }
    if frame < count { unsafe filter(frame, shares, count: count - frame) }
  }

  /// Does the same for up to four frames. It is inlined, so that no counting remains for a constant of four.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func filter(_ frame: Int, _ shares: UnsafeMutablePointer<Float>, count: Int) {
    for group in 0..<Self.lineCount / 4 {
      unsafe filters[group].run(
        rows + group * 4 * Self.sliceLength + frame, apart: Self.sliceLength, shares + frame, count: count)
    }
  }

  /// Mixes four rows that are four apart, the other half of the matrix, rotates both pairs, and writes the result plus
  /// `source` to the lines. The angle of the second pair is 90° larger.
  @_noLocks @_noAllocation private mutating func write(
    _ group: Int, _ source: UnsafeMutablePointer<Float>, _ count: Int, _ shares: UnsafeMutablePointer<Float>
  ) {
    let first = unsafe rows + group * Self.sliceLength, step = 4 * Self.sliceLength
    let one = unsafe lines[group].writeAddress, two = unsafe lines[group + 4].writeAddress
    let three = unsafe lines[group + 8].writeAddress, four = unsafe lines[group + 12].writeAddress
    let cosine = rotation.cosines[group], cosineGrowth = rotation.cosineGrowth[group]
    let sine = rotation.sines[group], sineGrowth = rotation.sineGrowth[group]
    var frame = 0
    while frame < count {
      let more = unsafe source[fourFrom: frame], share = unsafe shares[fourFrom: frame]
      let mixed = unsafe Hadamard.mixed(
        first[fourFrom: frame], first[fourFrom: frame + step], first[fourFrom: frame + 2 * step],
        first[fourFrom: frame + 3 * step])
      let c = cosine + cosineGrowth * share, s = sine + sineGrowth * share
      unsafe one[fourFrom: frame] = more + (c * mixed.0 - s * mixed.1)
      unsafe two[fourFrom: frame] = more + (s * mixed.0 + c * mixed.1)
      unsafe three[fourFrom: frame] = more - (s * mixed.2 + c * mixed.3)
      unsafe four[fourFrom: frame] = more + (c * mixed.2 - s * mixed.3)
      frame += 4
    }
    for line in 0..<4 { unsafe lines[group + 4 * line].commit(count) }
  }
}
