// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A reverb that simulates rooms from a booth to a cathedral.
///
/// Both sides pass the cuts, the pre-delay and a diffuser. The diffuser feeds the early reflections, a few echoes that
/// depend on the size, and the tail, a network of sixteen delay lines. The decay times to −60 dB do not depend on the
/// size. Between low and high frequencies the *rate* of decay, in decibels per second, moves from one to the other, and
/// is halfway at the crossover: `1/T(f) = (1/T_low + (f/fc)² / T_high) / (1 + (f/fc)²)`. For a steady input the wet
/// signal is about as loud as the dry one, with any decay time. Modulated lines have slightly more loss above 10 kHz,
/// similar to sound in air.
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
    /// The diffusion: how soon single echoes merge, in percent.
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

  static var stretch: Int { @_noLocks @_noAllocation get { ReverbNetwork.stretch } }
  /// The speed of sound, in millimetres a second.
  private static var speed: Double { @_noLocks @_noAllocation get { 343_000 } }

  private let sampleRate: Double
  let inputCount: Int, outputCount: Int
  var tone = ReverbTone()
  var leftLine: DelayLine, rightLine: DelayLine
  var leftDiffuser: ReverbDiffuser, rightDiffuser: ReverbDiffuser
  var reflections: ReverbReflections
  var network: ReverbNetwork
  let memory: ReverbMemory

  /// The pre-delay in frames plus one slice; the room's size in millimetres.
  var preDelay: ReadPoints, size: ReadPoints
  private var decay: ReverbDecay
  var levels: ReverbLevels
  private var diffusion: Ramp, depth: Ramp, rate: Ramp
  var lowShare: Ramp, highShare: Ramp
  /// The feedback of the diffusers at the start of the segment, and its growth over the segment.
  var gains = (now: SIMD4<Float>(), growth: SIMD4<Float>())
  /// The number of elapsed frames of the segment, in which control values are interpolated linearly.
  var place = 0
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

  /// The number of frames until the tail is 120 dB below the input.
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
      preDelay.glide(to: Double(value) * sampleRate / 1000 + Double(Self.stretch), over: frames)
    case .lowCut: lowShare.glide(to: ReverbTone.lowShare(value, sampleRate), over: frames)
    case .highCut: highShare.glide(to: Self.highShare(value, sampleRate), over: frames)
    case .balance: levels.set(late: value / 100, over: frames)
    case .size:
      size.glide(to: Double(value) * 1000, over: frames)
      guard frames == 0 else { break }
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
    jumps = jumps || frames == 0
  }

  /// Computes the levels of reflections and tail.
  ///
  /// Each pass through a line of mean length leaves `g²` of the energy, so that all passes together give
  /// `g² / (1 − g²)` of the input energy.
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

  /// Begins a crossfade to another size or a new segment if one is due. Returns the number of frames that can be
  /// processed at once.
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

  /// Returns the feedback of the diffusers `frames` frames from now: the requested one, limited so that no diffuser
  /// rings longer than half the decay time.
  @_noLocks @_noAllocation private func feedback(after frames: Int) -> SIMD4<Float> {
    let bound = leftDiffuser.bound(ringing: decay.shortest(after: frames) / 2, sampleRate: sampleRate)
    let asked = SIMD4<Float>(repeating: 0.63 * diffusion.value(after: frames))
    return asked.replacing(with: bound, where: asked .> bound)
  }

  @_noLocks @_noAllocation static func seconds(_ millimetres: Int) -> Double {
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
