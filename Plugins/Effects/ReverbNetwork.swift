// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The late part of a reverb: sixteen delay lines that feed each other through a Hadamard matrix.
///
/// The matrix keeps energy, so all that takes some away is the filter behind each line, which takes as much
/// as its length asks for. Half of the lines are turned upside down: the matrix alone is the same forwards
/// and backwards, so that ways through the same lines in another order would add up instead of scattering. It
/// is worked line by line over stretches of frames; the lines must be longer than that.
@safe struct ReverbNetwork: ~Copyable {
  static var lineCount: Int { @_noLocks @_noAllocation get { 16 } }
  /// How many frames are worked on at once, and how far apart the moving parts are computed anew.
  static var stretch: Int { @_noLocks @_noAllocation get { 64 } }

  private let sampleRate: Double
  private let longest: Int, shortest: Int
  private let lines: UnsafeMutablePointer<ReverbLine>
  /// How each four lines swing, and what lies behind them.
  private let swings: UnsafeMutablePointer<ReverbSwing>, filters: UnsafeMutablePointer<ReverbFilters>
  /// Each line's length against the mean.
  private let ratios: UnsafeMutablePointer<Double>
  /// Lengths that are heard, and those that are faded to, in frames.
  private let lengths: UnsafeMutablePointer<Int>, nextLengths: UnsafeMutablePointer<Int>
  /// One row of a stretch for each line; then one more, and a window.
  private let rows: UnsafeMutablePointer<Float>
  private let second: UnsafeMutablePointer<Float>, window: UnsafeMutablePointer<Float>

  /// A network whose lines can be `longestMean` seconds long on average, and swing by `deepest` seconds.
  init(longestMean: Double, deepest: Double, sampleRate: Double) {
    self.sampleRate = sampleRate
    let count = Self.lineCount, stretch = Self.stretch, golden = 0.618_033_988_75
    var mean = 0.0
    unsafe ratios = .allocate(capacity: count)
    for line in 0..<count {
      let scatter = (Double(line) * golden).truncatingRemainder(dividingBy: 1) - 0.5
      unsafe (ratios + line).initialize(
        to: rt_pow_double(4.1, (Double(line) + 0.6 * scatter) / Double(count - 1)))
      unsafe mean += ratios[line] / Double(count)
    }
    for line in 0..<count { unsafe ratios[line] /= mean }
    let swing = Int(deepest * sampleRate) + 1
    shortest = stretch + swing + 4
    longest = max(Int(longestMean * 2 * sampleRate), shortest + count * 7)
    unsafe lines = .allocate(capacity: count)
    for line in 0..<count {
      unsafe (lines + line).initialize(to: ReverbLine(longest: longest + swing + 4, stretch: stretch))
    }
    unsafe swings = .allocate(capacity: count / 4)
    for group in 0..<count / 4 { unsafe (swings + group).initialize(to: ReverbSwing(from: 4 * group)) }
    unsafe filters = .allocate(capacity: count / 4)
    unsafe filters.initialize(repeating: ReverbFilters(), count: count / 4)
    unsafe lengths = .allocate(capacity: 2 * count)
    unsafe lengths.initialize(repeating: longest, count: 2 * count)
    unsafe nextLengths = unsafe lengths + count
    let floats = (count + 2) * stretch + 16
    unsafe rows = .allocate(capacity: floats)
    unsafe rows.initialize(repeating: 0, count: floats)
    unsafe second = unsafe rows + count * stretch
    unsafe window = unsafe second + stretch
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

  /// Forgets all sound, and is at rest with lines of `mean` seconds that swing by `depth` frames.
  @_noLocks @_noAllocation mutating func clear(mean: Double, depth: Float, _ decay: ReverbDecay.Asked) {
    for line in 0..<Self.lineCount { unsafe lines[line].clear() }
    for group in 0..<Self.lineCount / 4 {
      unsafe swings[group].rest(by: depth)
      unsafe filters[group].clear()
    }
    fade(toMean: mean)
    arrive()
    plan(decay, blend: 1, after: 1)
    plan(nil, blend: 1, after: 1)
  }

  /// From now on fades to lines of `mean` seconds on average.
  @_noLocks @_noAllocation mutating func fade(toMean mean: Double) {
    for line in 0..<Self.lineCount {
      let asked = unsafe Int(mean * ratios[line] * sampleRate)
      unsafe nextLengths[line] = min(max(asked, shortest + 7 * line), longest)
    }
  }

  /// The fade is over.
  @_noLocks @_noAllocation mutating func arrive() {
    for line in 0..<Self.lineCount { unsafe lengths[line] = nextLengths[line] }
  }

  /// Plans where the filters go over the next segment, after so much of the last one.
  ///
  /// - Parameters:
  ///   - decay: what is asked for at the segment's end; nil for what it was.
  ///   - blend: how much of the next lengths is heard then.
  @_noLocks @_noAllocation mutating func plan(_ decay: ReverbDecay.Asked?, blend: Float, after share: Float) {
    if let decay {
      for line in 0..<Self.lineCount {
        let old = unsafe Double(lengths[line]), new = unsafe Double(nextLengths[line])
        let shelf = decay.shelf(length: old + (new - old) * Double(blend))
        unsafe filters[line / 4].set(line % 4, shelf, turned: 0x4E63 >> line & 1 == 1)
      }
    }
    for group in 0..<Self.lineCount / 4 { unsafe filters[group].begin(after: share) }
  }

  /// Plans where the read points go over the next segment, after so much of the last one.
  @_noLocks @_noAllocation mutating func swing(by depth: Float, rate: Float, after share: Float) {
    let turn = rate * Float(Self.stretch) / Float(sampleRate)
    for group in 0..<Self.lineCount / 4 {
      unsafe swings[group].begin(after: share, turn: turn, depth: depth)
    }
  }

  /// Works on `count` frames: the sum of both sides goes into every other line, their difference into those
  /// between, so that either side alone starts as many echoes as both.
  ///
  /// - Parameters:
  ///   - left: what comes in, spoilt on the way; `right` too.
  ///   - fade: how much of the next lengths is heard at each frame; nil while none are faded to.
  @_noLocks @_noAllocation @unsafe mutating func run(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int,
    shares: UnsafeMutablePointer<Float>, fade: UnsafeMutablePointer<Float>?
  ) {
    for line in 0..<Self.lineCount { unsafe read(line, count, shares, fade) }
    unsafe filter(count, shares)
    unsafe Self.cross(left, right, count)
    for group in 0..<4 { unsafe write(group, group % 2 == 0 ? left : right, count) }
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

  /// Writes to `sink` what comes out for an output channel, from the last run, `gains` loud: lines added up,
  /// half of them upside down.
  ///
  /// Channels take different rows of the matrix, which have nothing to do with each other for the sum of the
  /// sides, nor for their difference. Half of each row has been added up in the filters.
  @_noLocks @_noAllocation @unsafe func hear(
    _ channel: Int, into sink: UnsafeMutablePointer<Float>, count: Int, gains: UnsafeMutablePointer<Float>
  ) {
    let row = (2 * channel + 2) % Self.lineCount, step = 4 * Self.stretch
    let first = unsafe rows + row % 4 * Self.stretch
    let turn: Float = row / 4 % 2 == 0 ? 1 : -1, halfTurn: Float = row < 8 ? 1 : -1
    var frame = 0
    while frame < count {
      let ab = unsafe first[eightFrom: frame] + turn * first[eightFrom: frame + step]
      let cd = unsafe first[eightFrom: frame + 2 * step] + turn * first[eightFrom: frame + 3 * step]
      unsafe sink[eightFrom: frame] = (ab + halfTurn * cd) * gains[eightFrom: frame]
      frame += 8
    }
  }

  @_noLocks @_noAllocation private mutating func read(
    _ line: Int, _ count: Int, _ shares: UnsafeMutablePointer<Float>, _ fade: UnsafeMutablePointer<Float>?
  ) {
    let row = unsafe rows + line * Self.stretch
    unsafe swings[line / 4].read(
      lines[line], line % 4, length: lengths[line], into: row, count: count, shares: shares, window: window)
    guard let fade = unsafe fade else { return }
    unsafe swings[line / 4].read(
      lines[line], line % 4, length: nextLengths[line], into: second, count: count, shares: shares,
      window: window)
    var frame = 0
    while frame < count {
      let old = unsafe row[eightFrom: frame], new = unsafe second[eightFrom: frame]
      unsafe row[eightFrom: frame] = unsafe old + (new - old) * fade[eightFrom: frame]
      frame += 8
    }
  }

  /// Filters all rows, and mixes each four that lie side by side: half of the Hadamard matrix. Its factor is
  /// in the filters.
  @_noLocks @_noAllocation private mutating func filter(_ count: Int, _ shares: UnsafeMutablePointer<Float>) {
    var frame = 0
    while frame + 4 <= count {
      unsafe filter(frame, shares, count: 4)
      frame += 4
    }
    if frame < count { unsafe filter(frame, shares, count: count - frame) }
  }

  /// The same for up to four frames. Inlined, so that nothing counts where four are said.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func filter(_ frame: Int, _ shares: UnsafeMutablePointer<Float>, count: Int) {
    for group in 0..<Self.lineCount / 4 {
      unsafe filters[group].run(
        rows + group * 4 * Self.stretch + frame, apart: Self.stretch, shares + frame, count: count)
    }
  }

  /// The other half of the matrix mixes four rows that lie four apart. What comes out goes into the lines, and
  /// `source` with it.
  @_noLocks @_noAllocation private mutating func write(
    _ group: Int, _ source: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let first = unsafe rows + group * Self.stretch, step = 4 * Self.stretch
    let one = unsafe lines[group].room, two = unsafe lines[group + 4].room
    let three = unsafe lines[group + 8].room, four = unsafe lines[group + 12].room
    var frame = 0
    while frame < count {
      let more = unsafe source[fourFrom: frame]
      let mixed = unsafe Hadamard.mixed(
        first[fourFrom: frame], first[fourFrom: frame + step], first[fourFrom: frame + 2 * step],
        first[fourFrom: frame + 3 * step])
      unsafe one[fourFrom: frame] = mixed.0 + more
      unsafe two[fourFrom: frame] = mixed.1 + more
      unsafe three[fourFrom: frame] = mixed.2 + more
      unsafe four[fourFrom: frame] = mixed.3 + more
      frame += 4
    }
    for line in 0..<4 { unsafe lines[group + 4 * line].pass(count) }
  }
}
