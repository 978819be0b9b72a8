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
  private let lines: UnsafeMutablePointer<DelayLine>
  private let swings: UnsafeMutablePointer<ReverbSwing>
  /// Each line's length against the mean.
  private let ratios: UnsafeMutablePointer<Double>
  /// Lengths that are heard, and those that are faded to, in frames.
  private let lengths: UnsafeMutablePointer<Int>, nextLengths: UnsafeMutablePointer<Int>
  private let filters: UnsafeMutablePointer<ReverbFilters>
  /// One row of a stretch for each line; then four more, and a window.
  private let rows: UnsafeMutablePointer<Float>
  private let second: UnsafeMutablePointer<Float>, window: UnsafeMutablePointer<Float>
  /// Where each line's swing is, in turns, and how fast it goes against the others.
  private var phases = SIMD16<Float>(), speeds = SIMD16<Float>()

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
      speeds[line] = Float(0.75 + 0.5 * (Double(line) * golden * 5 + 0.3).truncatingRemainder(dividingBy: 1))
    }
    for line in 0..<count { unsafe ratios[line] /= mean }
    let swing = Int(deepest * sampleRate) + 1
    shortest = stretch + swing + 4
    longest = max(Int(longestMean * 2 * sampleRate), shortest + count * 7)
    unsafe lines = .allocate(capacity: count)
    for line in 0..<count { unsafe (lines + line).initialize(to: DelayLine(longest: longest + swing + 4)) }
    unsafe swings = .allocate(capacity: count)
    unsafe swings.initialize(repeating: ReverbSwing(), count: count)
    unsafe lengths = .allocate(capacity: 2 * count)
    unsafe lengths.initialize(repeating: longest, count: 2 * count)
    unsafe nextLengths = unsafe lengths + count
    unsafe filters = .allocate(capacity: count / 4)
    unsafe filters.initialize(repeating: ReverbFilters(), count: count / 4)
    let floats = (count + 4) * stretch + stretch + 16
    unsafe rows = .allocate(capacity: floats)
    unsafe rows.initialize(repeating: 0, count: floats)
    unsafe second = unsafe rows + count * stretch
    unsafe window = unsafe second + 4 * stretch
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
    for line in 0..<Self.lineCount {
      unsafe lines[line].clear()
      phases[line] = Float(line) * 0.381_966 - Float(Int(Float(line) * 0.381_966))
    }
    for line in 0..<Self.lineCount { unsafe swings[line].rest(at: depth * wave(line)) }
    for group in 0..<Self.lineCount / 4 { unsafe filters[group].clear() }
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
    let passed = phases + speeds * (turn * share)
    phases = passed.replacing(with: passed - 1, where: passed .>= 1)
    let ahead = phases + speeds * turn
    let ends = ahead.replacing(with: ahead - 1, where: ahead .>= 1)
    for line in 0..<Self.lineCount {
      unsafe swings[line].begin(after: share, towards: depth * Self.wave(ends[line]))
    }
  }

  @_noLocks @_noAllocation private func wave(_ line: Int) -> Float { Self.wave(phases[line]) }

  /// A smooth swing between −1 and 1 over a turn, of two parabolas.
  @_noLocks @_noAllocation private static func wave(_ turn: Float) -> Float {
    let half = 2 * turn - 1
    return 4 * half * (1 - abs(half))
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
    for group in 0..<4 { unsafe mix(rows + 4 * group * Self.stretch, count) }
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

  /// What comes out for an output channel, from the last run: lines added up, half of them upside down.
  ///
  /// Channels take different rows of the matrix, which have nothing to do with each other for the sum of the
  /// sides, nor for their difference.
  @_noLocks @_noAllocation @unsafe func output(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe rows + (2 * channel + 2) % Self.lineCount * Self.stretch
  }

  @_noLocks @_noAllocation private mutating func read(
    _ line: Int, _ count: Int, _ shares: UnsafeMutablePointer<Float>, _ fade: UnsafeMutablePointer<Float>?
  ) {
    let row = unsafe rows + line * Self.stretch
    unsafe swings[line].read(
      lines[line], length: lengths[line], into: row, count: count, shares: shares, window: window)
    guard let fade = unsafe fade else { return }
    unsafe swings[line].read(
      lines[line], length: nextLengths[line], into: second, count: count, shares: shares, window: window)
    var frame = 0
    while frame < count {
      let old = unsafe row[eightFrom: frame], new = unsafe second[eightFrom: frame]
      unsafe row[eightFrom: frame] = unsafe old + (new - old) * fade[eightFrom: frame]
      frame += 8
    }
  }

  @_noLocks @_noAllocation private mutating func filter(_ count: Int, _ shares: UnsafeMutablePointer<Float>) {
    var frame = 0
    while frame + 4 <= count {
      for group in 0..<Self.lineCount / 4 {
        unsafe filters[group].runFour(
          rows + group * 4 * Self.stretch + frame, apart: Self.stretch, shares + frame)
      }
      frame += 4
    }
    while frame < count {
      for group in 0..<Self.lineCount / 4 {
        unsafe filters[group].runOne(
          rows + group * 4 * Self.stretch + frame, apart: Self.stretch, shares[frame])
      }
      frame += 1
    }
  }

  /// Half of the Hadamard matrix: mixes four rows side by side. The factor 1/4 is in the filters.
  @_noLocks @_noAllocation private func mix(_ first: UnsafeMutablePointer<Float>, _ count: Int) {
    let step = Self.stretch
    var frame = 0
    while frame < count {
      let a = unsafe first[eightFrom: frame], b = unsafe first[eightFrom: frame + step]
      let c = unsafe first[eightFrom: frame + 2 * step], d = unsafe first[eightFrom: frame + 3 * step]
      let ab = a + b, cd = c + d, notB = a - b, notD = c - d
      unsafe first[eightFrom: frame] = ab + cd
      unsafe first[eightFrom: frame + step] = notB + notD
      unsafe first[eightFrom: frame + 2 * step] = ab - cd
      unsafe first[eightFrom: frame + 3 * step] = notB - notD
      frame += 8
    }
  }

  /// The other half: mixes four rows that lie four apart. What comes out goes into the lines, and `source`
  /// with it.
  @_noLocks @_noAllocation private mutating func write(
    _ group: Int, _ source: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let first = unsafe rows + group * Self.stretch, step = 4 * Self.stretch, isWhole = count % 8 == 0
    let one = unsafe room(group, count, isWhole), two = unsafe room(group + 4, count, isWhole)
    let three = unsafe room(group + 8, count, isWhole), four = unsafe room(group + 12, count, isWhole)
    var frame = 0
    while frame < count {
      let a = unsafe first[eightFrom: frame], b = unsafe first[eightFrom: frame + step]
      let c = unsafe first[eightFrom: frame + 2 * step], d = unsafe first[eightFrom: frame + 3 * step]
      let ab = a + b, cd = c + d, notB = a - b, notD = c - d, more = unsafe source[eightFrom: frame]
      let mixed = (ab + cd, notB + notD, ab - cd, notB - notD)
      unsafe first[eightFrom: frame] = mixed.0
      unsafe first[eightFrom: frame + step] = mixed.1
      unsafe first[eightFrom: frame + 2 * step] = mixed.2
      unsafe first[eightFrom: frame + 3 * step] = mixed.3
      unsafe one[eightFrom: frame] = mixed.0 + more
      unsafe two[eightFrom: frame] = mixed.1 + more
      unsafe three[eightFrom: frame] = mixed.2 + more
      unsafe four[eightFrom: frame] = mixed.3 + more
      frame += 8
    }
    unsafe finish(group, one, count)
    unsafe finish(group + 4, two, count)
    unsafe finish(group + 8, three, count)
    unsafe finish(group + 12, four, count)
  }

  /// Where the next frames of a line are worked out: in the line, or in the scratch of its turn where they
  /// would not lie in one piece, or not come in eights.
  @_noLocks @_noAllocation @unsafe
  private func room(_ line: Int, _ count: Int, _ isWhole: Bool) -> UnsafeMutablePointer<Float> {
    if isWhole, let room = unsafe lines[line].room(for: count) { return unsafe room }
    return unsafe scratch(line)
  }

  @_noLocks @_noAllocation @unsafe private func scratch(_ line: Int) -> UnsafeMutablePointer<Float> {
    unsafe second + line / 4 * Self.stretch
  }

  /// Counts the frames in `room` as written.
  @_noLocks @_noAllocation private mutating func finish(
    _ line: Int, _ room: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if unsafe room == scratch(line) {
      unsafe lines[line].write(room, count: count)
    } else {
      unsafe lines[line].pass(count)
    }
  }
}
