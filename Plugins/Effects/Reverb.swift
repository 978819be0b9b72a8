// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Puts sound into a room, from a booth to a cathedral.
///
/// Both sides pass the cuts, the pre-delay and a diffuser. It feeds the early reflections, a few echoes that depend on
/// the size, and the tail, a network of sixteen delay lines. The decay times to −60 dB do not depend on the size.
/// Between low and high frequencies the *rate* of decay, in decibels a second, moves from one to the other, and is
/// half-way at the crossover: `1/T(f) = (1/T_low + (f/fc)² / T_high) / (1 + (f/fc)²)`. The wet sound is about
/// as loud as the dry one for steady sound, however long it rings. Lines that swing lose a little more above
/// 10 kHz, as sound does in air.
///
/// A new size or pre-delay fades in over the old one; all else glides. One channel in gives two out; else as
/// many come out as go in, up to eight: those of even number share one side of the room, those of odd number
/// the other, and each has a tail of its own.
@safe public struct Reverb: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// How much of what comes out is reverb, in percent. No preset touches it.
    case mix
    /// Until the first reflection leaves, in milliseconds.
    case preDelay
    /// How far sound goes from wall to wall on average, in metres.
    case size
    /// The time to −60 dB at low frequencies, in seconds.
    case decayLow
    /// The time to −60 dB at high frequencies, in seconds.
    case decayHigh
    /// The frequency where the rate of decay is half-way between low and high, in hertz.
    case crossover
    /// How soon echoes melt into each other, in percent.
    case diffusion
    /// How much of the reverb's energy is tail, in percent; the rest is reflections.
    case balance
    /// How often the lines' lengths swing, in hertz.
    case modulationRate
    /// How far the lines' lengths swing to each side, in milliseconds.
    case modulationDepth
    /// How far apart left and right are, in percent; 0 is mono.
    case width
    /// The low cut of the sound that enters the reverb, in hertz.
    case lowCut
    /// The high cut of the sound that enters the reverb, in hertz.
    case highCut
  }

  private static var stretch: Int { @_noLocks @_noAllocation get { ReverbNetwork.stretch } }
  /// The speed of sound, in millimetres a second.
  private static var speed: Double { @_noLocks @_noAllocation get { 343_000 } }

  private let sampleRate: Double
  private let inputCount: Int, outputCount: Int
  private var tone = ReverbTone()
  private var leftLine: DelayLine, rightLine: DelayLine
  private var leftDiffuser: ReverbDiffuser, rightDiffuser: ReverbDiffuser
  private var reflections: ReverbReflections
  private var network: ReverbNetwork
  private let memory: ReverbMemory

  /// The pre-delay in frames, from a stretch for none; the room's size in millimetres.
  private var preDelay: ReadPoints, size: ReadPoints
  private var decay: ReverbDecay
  private var levels: ReverbLevels
  private var diffusion: Ramp, depth: Ramp, rate: Ramp, lowShare: Ramp, highShare: Ramp
  /// What the diffusers feed back as the segment begins, and what that grows by.
  private var gains = (now: SIMD4<Float>(), growth: SIMD4<Float>())
  /// How many frames of the segment have passed in which the moving parts go straight; and whether it ends
  /// here.
  private var place = 0, isCut = true
  /// Whether the moving parts are where they go at once.
  private var jumps = false

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require(channels: 1...8)
    if layout.inputs != [1] || layout.outputs != [2] { try layout.requireMatching() }
    self.init(checked: layout)
  }

  private init(checked layout: Layout) {
    inputCount = layout.inputs.first ?? 1
    outputCount = layout.outputs.first ?? 1
    sampleRate = layout.sampleRate
    let initial = Self.initial, stretch = Self.stretch
    let longest = ReadPoints.frames(Double(Self.longestPreDelay), sampleRate) + 2 * stretch
    leftLine = DelayLine(longest: longest)
    rightLine = DelayLine(longest: longest)
    leftDiffuser = ReverbDiffuser(side: 0, sampleRate: sampleRate, stretch: stretch)
    rightDiffuser = ReverbDiffuser(side: 1, sampleRate: sampleRate, stretch: stretch)
    let longestMean = Double(Self.largest) * 1000 / Self.speed
    reflections = ReverbReflections(
      channels: outputCount, longestMean: longestMean, sampleRate: sampleRate, stretch: stretch)
    network = ReverbNetwork(
      longestMean: longestMean, deepest: Double(Self.deepest) / 1000, sampleRate: sampleRate)
    memory = ReverbMemory(channels: outputCount, stretch: stretch)
    let fade = Int(Self.longestFade * sampleRate)
    preDelay = ReadPoints(
      delay: ReadPoints.frames(Double(initial.preDelay), sampleRate) + stretch, longestFade: fade)
    size = ReadPoints(delay: Int(initial.size * 1000), longestFade: fade)
    decay = ReverbDecay(low: initial.low, high: initial.high, crossover: initial.crossover)
    levels = ReverbLevels(mix: Self.initialMix / 100, late: initial.late / 100, width: initial.width / 100)
    diffusion = Ramp(initial.diffusion / 100)
    rate = Ramp(initial.rate)
    depth = Ramp(Self.swing(initial.depth, sampleRate))
    lowShare = Ramp(ReverbTone.lowShare(initial.lowCut, sampleRate))
    highShare = Ramp(Self.highShare(initial.highCut, sampleRate))
    reset()
  }

  /// Until the tail lies 120 dB below what came in.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      let ring = 2 * decay.longest + 0.2 + 3 * Double(size.target) / Self.speed
      return preDelay.target + 80 * leftDiffuser.longest
        + Int(ring * sampleRate + 16 / Double(lowShare.target))
    }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    tone = ReverbTone()
    leftLine.clear()
    rightLine.clear()
    leftDiffuser.clear()
    rightDiffuser.clear()
    reflections.clear()
    preDelay.arrive()
    size.arrive()
    decay.finish()
    balance(over: 0)
    levels.skip(.max / 2)
    diffusion.finish()
    depth.finish()
    rate.finish()
    lowShare.finish()
    highShare.finish()
    network.clear(
      mean: Self.seconds(size.target), depth: depth.target, decay.asked(after: 0, sampleRate: sampleRate))
    gains = (feedback(after: 0), SIMD4())
    place = 0
    isCut = true
    jumps = false
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .mix: levels.set(mix: value / 100, over: frames)
    case .width: levels.set(width: value / 100, over: frames)
    case .preDelay:
      preDelay.glide(to: ReadPoints.frames(Double(value), sampleRate) + Self.stretch, over: frames)
    case .lowCut: lowShare.glide(to: ReverbTone.lowShare(value, sampleRate), over: frames)
    case .highCut: highShare.glide(to: Self.highShare(value, sampleRate), over: frames)
    case .balance: levels.set(late: value / 100, over: frames)
    case .size:
      size.glide(to: Int(value * 1000), over: frames)
      guard frames <= 0 else { break }
      network.fade(toMean: Self.seconds(size.target))
      network.arrive()
    case .decayLow: decay.set(.low, to: value, over: frames)
    case .decayHigh: decay.set(.high, to: value, over: frames)
    case .crossover: decay.set(.crossover, to: value, over: frames)
    case .diffusion: diffusion.glide(to: value / 100, over: frames)
    case .modulationRate: rate.glide(to: value, over: frames)
    case .modulationDepth: depth.glide(to: Self.swing(value, sampleRate), over: frames)
    }
    balance(over: frames)
    isCut = true
    jumps = jumps || frames <= 0
  }

  /// Weighs reflections and tail anew.
  ///
  /// Each pass through a line of mean length leaves `g²` of the energy, so that all passes together give
  /// `g² / (1 − g²)` of what came in.
  @_noLocks @_noAllocation private mutating func balance(over frames: Int) {
    let time = decay.time(at: 1000)
    let left = rt_exp_double(-13.815_510_557_964_274 * Self.seconds(size.target) / time)
    let loss = Float(min(rt_sqrt_double(1 / max(left, 1e-9) - 1), 2))
    levels.set(loss: loss, over: frames)
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      let count = begin(min(Self.stretch, block.frameCount - start))
      work(block.slice(from: start, count: count))
      advance(count)
      start += count
    }
  }

  /// Begins what is due: a hop to another size, a segment. Gives how many frames can be worked on at once.
  @_noLocks @_noAllocation private mutating func begin(_ frames: Int) -> Int {
    let wasFading = size.isFading
    let count = preDelay.begin(size.begin(frames))
    if !wasFading {
      if size.isFading {
        network.fade(toMean: Self.seconds(size.next))
        isCut = true
      }
    }
    if isCut || place == Self.stretch { beginSegment() }
    return min(count, Self.stretch - place)
  }

  @_noLocks @_noAllocation private mutating func beginSegment() {
    let share = Float(place) / Float(Self.stretch), moves = isCut || decay.isMoving || size.isFading
    let asked = moves ? decay.asked(after: Self.stretch, sampleRate: sampleRate) : nil
    network.plan(asked, blend: size.fade.value(after: Self.stretch), after: share)
    if jumps { network.plan(nil, blend: 1, after: 1) }
    network.swing(
      by: depth.value(after: Self.stretch), rate: rate.value(after: Self.stretch), after: share)
    let end = moves || diffusion.isMoving ? feedback(after: Self.stretch) : gains.now + gains.growth
    gains.now = jumps ? end : gains.now + gains.growth * share
    gains.growth = end - gains.now
    place = 0
    isCut = false
    jumps = false
  }

  @_noLocks @_noAllocation private mutating func advance(_ count: Int) {
    let wasFading = size.isFading
    preDelay.advance(count)
    size.advance(count)
    if wasFading {
      if !size.isFading {
        network.arrive()
        isCut = true
      }
    }
    decay.skip(count)
    levels.skip(count)
    diffusion.skip(count)
    depth.skip(count)
    rate.skip(count)
    lowShare.skip(count)
    highShare.skip(count)
    place += count
  }

  /// What the diffusers feed back `frames` from now: as much as asked for, but none rings longer than half
  /// the decay.
  @_noLocks @_noAllocation private func feedback(after frames: Int) -> SIMD4<Float> {
    let bound = leftDiffuser.bound(ringing: decay.shortest(after: frames) / 2, sampleRate: sampleRate)
    let asked = SIMD4<Float>(repeating: 0.63 * diffusion.value(after: frames))
    return asked.replacing(with: bound, where: asked .> bound)
  }

  /// Works on no more than a stretch, in which everything goes straight.
  @_noLocks @_noAllocation private mutating func work(_ block: Block) {
    let count = block.frameCount, left = unsafe memory.left, right = unsafe memory.right
    let shares = unsafe memory.shares + place, fade = unsafe memory.fade
    listen(block.input(), count)
    unsafe tone.run(left, right, count: count, low: lowShare, high: highShare)
    unsafe Self.hold(back: &leftLine, left, preDelay, count, memory.second)
    unsafe Self.hold(back: &rightLine, right, preDelay, count, memory.second)
    unsafe leftDiffuser.run(left, count: count, gains: gains, shares: shares)
    unsafe rightDiffuser.run(right, count: count, gains: gains, shares: shares)
    unsafe reflections.write(left, right, count: count)
    if size.isFading { unsafe size.fade.fill(fade, count: count) }
    unsafe network.run(left, right, count: count, shares: shares, fade: size.isFading ? fade : nil)
    levels.fill(memory, count: count)
    for channel in 0..<outputCount { hear(channel, count) }
    speak(block, count)
  }

  /// Gathers the channels into both sides, and keeps the first as it came where two are made of it.
  @_noLocks @_noAllocation private func listen(_ source: InputBus, _ count: Int) {
    let left = unsafe memory.left, right = unsafe memory.right
    unsafe Self.take(source[0], left, count)
    guard inputCount > 1 else {
      unsafe rt_copy_floats(right, left, count)
      return unsafe rt_copy_floats(memory.dry, left, count)
    }
    unsafe Self.take(source[1], right, count)
    guard inputCount > 2 else { return }
    for channel in 2..<inputCount {
      let side = unsafe channel % 2 == 0 ? left : right
      for frame in 0..<count { unsafe side[frame] += source[channel][clean: frame] }
    }
    let evens = 1 / rt_sqrt(Float((inputCount + 1) / 2)), odds = 1 / rt_sqrt(Float(inputCount / 2))
    for frame in 0..<count {
      unsafe left[frame] *= evens
      unsafe right[frame] *= odds
    }
  }

  /// Copies what is sound.
  @_noLocks @_noAllocation private static func take(
    _ source: Samples, _ sink: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var frame = 0
    while frame + 8 <= count {
      unsafe sink[eightFrom: frame] = source[cleanEightFrom: frame]
      frame += 8
    }
    while frame < count {
      unsafe sink[frame] = source[clean: frame]
      frame += 1
    }
  }

  /// The pre-delay: `samples` in, what came before out. Longer than a stretch by as much as is asked for.
  @_noLocks @_noAllocation private static func hold(
    back line: inout DelayLine, _ samples: UnsafeMutablePointer<Float>, _ points: ReadPoints, _ count: Int,
    _ second: UnsafeMutablePointer<Float>
  ) {
    unsafe line.write(samples, count: count)
    unsafe points.read(line, samples, count: count, other: second, shift: count - stretch)
  }

  /// Reflections and tail of one channel.
  @_noLocks @_noAllocation private mutating func hear(_ channel: Int, _ count: Int) {
    let wet = unsafe memory.wet + channel * Self.stretch
    unsafe network.hear(channel, into: wet, count: count, gains: memory.late)
    guard levels.hasReflections else { return }
    let mean = Self.seconds(size.delay)
    guard size.isFading else {
      return unsafe reflections.add(to: wet, channel, mean: mean, count: count, gains: memory.early)
    }
    for frame in 0..<count {
      unsafe memory.earlyNew[frame] = memory.early[frame] * memory.fade[frame]
      unsafe memory.earlyOld[frame] = memory.early[frame] - memory.earlyNew[frame]
    }
    unsafe reflections.add(to: wet, channel, mean: mean, count: count, gains: memory.earlyOld)
    unsafe reflections.add(
      to: wet, channel, mean: Self.seconds(size.next), count: count, gains: memory.earlyNew)
  }

  /// Draws the channels of each pair apart or together, and adds the dry sound.
  @_noLocks @_noAllocation private func speak(_ block: Block, _ count: Int) {
    let source = block.input(), sink = block.output(), isWhole = count % 8 == 0
    for channel in 0..<outputCount {
      // Eights would go past the end of a block that is cut short.
      let sum = unsafe isWhole ? sink[channel].unsafeBase : memory.second
      if inputCount > 1 { unsafe Self.take(source[channel], memory.dry, count) }
      let isPaired = channel ^ 1 < outputCount
      let near = unsafe isPaired ? memory.near : memory.whole,
        far = unsafe isPaired ? memory.far : memory.silence
      let own = unsafe memory.wet + channel * Self.stretch
      let other = unsafe memory.wet + (isPaired ? channel ^ 1 : channel) * Self.stretch
      var frame = 0
      while frame < count {
        let wet =
          unsafe near[eightFrom: frame] * own[eightFrom: frame] + far[eightFrom: frame]
          * other[eightFrom: frame]
        unsafe sum[eightFrom: frame] = memory.dry[eightFrom: frame] * memory.dryLevel[eightFrom: frame] + wet
        frame += 8
      }
      if !isWhole { unsafe rt_copy_floats(sink[channel].unsafeBase, sum, count) }
    }
  }

  @_noLocks @_noAllocation private static func seconds(_ millimetres: Int) -> Double {
    Double(millimetres) / speed
  }

  @_noLocks @_noAllocation private static func swing(_ milliseconds: Float, _ sampleRate: Double) -> Float {
    Float(Double(milliseconds) * sampleRate / 1000)
  }

  @_noLocks @_noAllocation private static func highShare(_ frequency: Float, _ sampleRate: Double) -> Float {
    guard frequency < openHighCut else { return 1 }
    return Float(OnePole.share(frequency: Double(frequency), sampleRate: sampleRate))
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Reverb, _ block: Block) {
  unit.set(.mix, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
