// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A reverb that simulates rooms from a booth to a cathedral.
///
/// Both sides pass the cuts, the pre-delay and a diffuser. The diffuser feeds the early reflections, a few echoes that
/// depend on the size, and the tail, a network of sixteen delay lines, whose lengths grow with the size and, up to a
/// second, with the decay time. The decay times to −60 dB do not depend on the size. Between low and high frequencies
/// the *rate* of decay, in decibels per second, moves from one to the other, and is halfway at the crossover:
/// `1/T(f) = (1/T_low + (f/fc)² / T_high) / (1 + (f/fc)²)`. For a steady input the wet signal is about as loud as the
/// dry one, with any decay time. With modulation the network has no fixed resonances: the lengths of its lines move, and
/// their mix turns.
///
/// A new size or pre-delay crossfades from the old one; all other parameters glide. One input channel gives two output
/// channels; otherwise there are as many output channels as input channels, up to eight. Channels with even indices
/// share the left side of the room, those with odd indices the right side, and each channel has a tail of its own.
@safe public struct Reverb: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The proportion of reverb in the output, in percent. Presets do not set it.
    case mix
    /// The time until the first reflection, in milliseconds.
    case preDelay
    /// The average distance from wall to wall, in metres.
    case size
    /// The time to −60 dB at low frequencies, in seconds.
    case decayLow
    /// The time to −60 dB at high frequencies, in seconds.
    case decayHigh
    /// The frequency at which the rate of decay is halfway between low and high, in hertz.
    case crossover
    /// The diffusion: the speed at which single echoes merge, in percent.
    case diffusion
    /// The proportion of the tail in the reverb's energy, in percent; the rest is early reflections.
    case balance
    /// The modulation rate of the lines' lengths, in hertz.
    case modulationRate
    /// The modulation depth of the lines' lengths in both directions, in milliseconds.
    case modulationDepth
    /// The stereo width of the reverb, in percent; 0 is mono.
    case width
    /// The cutoff of the low cut of the reverb's input, in hertz.
    case lowCut
    /// The cutoff of the high cut of the reverb's input, in hertz.
    case highCut
  }

  static var sliceLength: Int { @_noLocks @_noAllocation get { ReverbNetwork.sliceLength } }
  /// The speed of sound, in millimetres a second.
  private static var speed: Double { @_noLocks @_noAllocation get { 343_000 } }
  /// The mean time between the walls of the largest room, in seconds.
  private static var longestMean: Double { @_noLocks @_noAllocation get { Double(largest) * 1000 / speed } }

  private let sampleRate: Double
  let inputCount: Int, outputCount: Int
  var tone = ReverbTone()
  var leftLine: DelayLine, rightLine: DelayLine
  var leftDiffuser: ReverbDiffuser, rightDiffuser: ReverbDiffuser
  var reflections: ReverbReflections
  var network: ReverbNetwork
  let memory: ReverbMemory

  /// The pre-delay in frames plus one slice; the room's size in millimetres; the mean length of the network's lines in
  /// microseconds.
  var preDelay: ReadPoints, size: ReadPoints, mean: ReadPoints
  private var decay: ReverbDecay
  /// The speed of the network's rotations for a modulation of 1 Hz, in turns a second.
  private var pace: Float = 0
  var levels: ReverbLevels
  private var diffusion: Ramp, depth: Ramp, rate: Ramp
  var lowShare: Ramp, highShare: Ramp
  /// The gains of the diffusers at the start of the segment, and their growth over the segment.
  var gains = (now: ReverbDiffuser.Gains(), growth: ReverbDiffuser.Gains())
  /// The number of elapsed frames of the segment, in which control values are interpolated linearly.
  var elapsed = 0
  /// Whether the segment ends here.
  private var isCut = true
  /// Whether control values jump to their targets.
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
    let initial = Self.initial, sliceLength = Self.sliceLength, longestMean = Self.longestMean
    let longest = ReadPoints.frames(Double(Self.longestPreDelay), sampleRate) + 2 * sliceLength
    leftLine = DelayLine(longest: longest)
    rightLine = DelayLine(longest: longest)
    leftDiffuser = ReverbDiffuser(side: 0, sampleRate: sampleRate, sliceLength: sliceLength)
    rightDiffuser = ReverbDiffuser(side: 1, sampleRate: sampleRate, sliceLength: sliceLength)
    reflections = ReverbReflections(
      channels: outputCount, longestMean: longestMean, sampleRate: sampleRate, sliceLength: sliceLength)
    network = ReverbNetwork(
      longestMean: longestMean, deepest: Double(Self.deepest) / 1000, channels: outputCount,
      sampleRate: sampleRate)
    memory = ReverbMemory(channels: outputCount, sliceLength: sliceLength)
    let fade = Int(Self.longestFade * sampleRate)
    preDelay = ReadPoints(
      delay: ReadPoints.frames(Double(initial.preDelay), sampleRate) + sliceLength, longestFade: fade)
    size = ReadPoints(delay: Int(initial.size * 1000), longestFade: fade)
    mean = ReadPoints(delay: 1, longestFade: fade)
    decay = ReverbDecay(low: initial.low, high: initial.high, crossover: initial.crossover)
    levels = ReverbLevels(mix: Self.initialMix / 100, late: initial.late / 100, width: initial.width / 100)
    diffusion = Ramp(initial.diffusion / 100)
    rate = Ramp(initial.rate)
    depth = Ramp(Self.swing(initial.depth, sampleRate))
    lowShare = Ramp(ReverbTone.lowShare(initial.lowCut, sampleRate))
    highShare = Ramp(Self.highShare(initial.highCut, sampleRate))
    reset()
  }

  /// The number of frames until the tail is 120 dB below the input.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      let ring = 2 * decay.longest + 0.2 + 3 * Self.meanSeconds(mean.target)
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
    mean.arrive()
    decay.finish()
    stretchNetwork(over: 0)
    balance(over: 0)
    levels.skip(.max / 2)
    diffusion.finish()
    depth.finish()
    rate.finish()
    lowShare.finish()
    highShare.finish()
    let requested = decay.requested(after: 0, sampleRate: sampleRate)
    network.clear(mean: Self.meanSeconds(mean.target), depth: depth.target, requested)
    gains.now = diffuserGains(after: 0)
    gains.growth = gains.now.growth(from: gains.now)
    elapsed = 0
    isCut = true
    jumps = false
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .mix: levels.set(mix: value / 100, over: frames)
    case .width: levels.set(width: value / 100, over: frames)
    case .preDelay:
      preDelay.glide(to: Double(value) * sampleRate / 1000 + Double(Self.sliceLength), over: frames)
    case .lowCut: lowShare.glide(to: ReverbTone.lowShare(value, sampleRate), over: frames)
    case .highCut: highShare.glide(to: Self.highShare(value, sampleRate), over: frames)
    case .balance: levels.set(late: value / 100, over: frames)
    case .size: size.glide(to: Double(value) * 1000, over: frames)
    case .decayLow: decay.set(.low, to: value, over: frames)
    case .decayHigh: decay.set(.high, to: value, over: frames)
    case .crossover: decay.set(.crossover, to: value, over: frames)
    case .diffusion: diffusion.glide(to: value / 100, over: frames)
    case .modulationRate: rate.glide(to: value, over: frames)
    case .modulationDepth: depth.glide(to: Self.swing(value, sampleRate), over: frames)
    }
    stretchNetwork(over: frames)
    balance(over: frames)
    isCut = true
    jumps = jumps || frames == 0
  }

  /// Crossfades to the lines' lengths for the size and the decay, if they are others.
  @_noLocks @_noAllocation private mutating func stretchNetwork(over frames: Int) {
    let requested = decay.mean(forWalls: Self.seconds(size.target), longest: Self.longestMean)
    let microseconds = Int(requested * 1_000_000)
    guard microseconds != mean.target else { return }
    mean.glide(to: Double(microseconds), over: frames)
    guard frames == 0 else { return }
    network.fade(toMean: Self.meanSeconds(mean.target))
    network.arrive()
  }

  /// Computes the levels of reflections and tail.
  ///
  /// Each pass through a line of mean length leaves `g²` of the energy, so that all passes together give `1 / (1 − g²)`
  /// of the input energy.
  @_noLocks @_noAllocation private mutating func balance(over frames: Int) {
    let time = decay.time(at: 1000)
    let left = rt_exp_double(-13.815_510_557_964_274 * Self.meanSeconds(mean.target) / time)
    levels.set(loss: Float(rt_sqrt_double(1 - left)), over: frames)
    pace = Float(7 / decay.middle(after: .max / 2))
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      let count = begin(min(Self.sliceLength, block.frameCount - start))
      work(block.slice(from: start, count: count))
      advance(count)
      start += count
    }
  }

  /// Begins a crossfade to another size or a new segment if one is due. Returns the number of frames that can be
  /// processed at once.
  @_noLocks @_noAllocation private mutating func begin(_ frames: Int) -> Int {
    let wasFading = mean.isFading
    let count = mean.begin(preDelay.begin(size.begin(frames)))
    if !wasFading {
      if mean.isFading {
        network.fade(toMean: Self.meanSeconds(mean.next))
        isCut = true
      }
    }
    if isCut || elapsed == Self.sliceLength { beginSegment() }
    return min(count, Self.sliceLength - elapsed)
  }

  @_noLocks @_noAllocation private mutating func beginSegment() {
    let share = Float(elapsed) / Float(Self.sliceLength), moves = isCut || decay.isMoving || mean.isFading
    let requested = moves ? decay.requested(after: Self.sliceLength, sampleRate: sampleRate) : nil
    network.plan(requested, blend: mean.fade.value(after: Self.sliceLength), after: share)
    if jumps { network.plan(nil, blend: 1, after: 1) }
    let swing = depth.value(after: Self.sliceLength), hertz = rate.value(after: Self.sliceLength)
    network.swing(by: swing, rate: hertz, speed: turnSpeed(hertz, swing), after: share)
    let old = gains.now.grown(by: gains.growth, share), grown = gains.now.grown(by: gains.growth, 1)
    let end = moves || diffusion.isMoving ? diffuserGains(after: Self.sliceLength) : grown
    gains.now = jumps ? end : old
    gains.growth = end.growth(from: gains.now)
    elapsed = 0
    isCut = false
    jumps = false
  }

  @_noLocks @_noAllocation private mutating func advance(_ count: Int) {
    let wasFading = mean.isFading
    preDelay.advance(count)
    size.advance(count)
    mean.advance(count)
    if wasFading {
      if !mean.isFading {
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
    elapsed += count
  }

  /// Returns the gains of the diffusers `frames` frames from now: those of the requested diffusion, limited so that no
  /// diffuser rings longer than half the decay time.
  @_noLocks @_noAllocation private func diffuserGains(after frames: Int) -> ReverbDiffuser.Gains {
    leftDiffuser.gains(
      feedback: 0.63 * diffusion.value(after: frames), ringing: decay.shortest(after: frames) / 2,
      time: decay.middle(after: frames), sampleRate: sampleRate)
  }

  /// Returns the speed of the network's rotations, in turns a second: at 0.5 Hz 3.5 in a decay time, from 0.1 ms on.
  @_noLocks @_noAllocation private func turnSpeed(_ rate: Float, _ depth: Float) -> Float {
    min(pace * rate, 6) * min(depth * 10_000 / Float(sampleRate), 1)
  }

  @_noLocks @_noAllocation static func seconds(_ millimetres: Int) -> Double {
    Double(millimetres) / speed
  }

  @_noLocks @_noAllocation static func meanSeconds(_ micros: Int) -> Double { Double(micros) / 1_000_000 }

  @_noLocks @_noAllocation private static func swing(_ milliseconds: Float, _ sampleRate: Double) -> Float {
    Float(Double(milliseconds) * sampleRate / 1000)
  }

  @_noLocks @_noAllocation private static func highShare(_ frequency: Float, _ sampleRate: Double) -> Float {
    guard frequency < openHighCut else { return 1 }
    return Float(OnePole.share(frequency: Double(frequency), sampleRate: sampleRate))
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Reverb, _ block: Block) {
  effect.set(.mix, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
