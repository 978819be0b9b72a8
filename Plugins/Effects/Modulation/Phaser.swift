// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A phaser: mixes the signal with a copy whose phase is modulated, so that notches that are not harmonically related
/// move through the spectrum.
///
/// The copy passes n first-order all-pass filters. Each shifts the phase at the frequency f by
/// 2·atan(tan(πf/r)/tan(πc/r)), where r is the sample rate and c the centre frequency, and by 90° at c. With a mix of
/// 50 % the notches are where n filters shift the phase by an odd multiple of 180°: tan(πf/r) = tan(πc/r)·tan((2k +
/// 1)π/2n). The oscillator moves the centre by half the depth in both directions. The feedback has a delay of one frame
/// and is limited to 18 dB above full scale. 1 to 64 channels.
@safe public struct Phaser: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The number of all-pass filters, from 2 to 12.
    case stages
    /// The modulation rate, in hertz.
    case rate
    /// The centre frequency of the modulation, in hertz.
    case centre
    /// The modulation depth: the interval between the lowest and highest frequency, in octaves.
    case depth
    /// The proportion of the copy that is fed back, in percent.
    case feedback
    /// The phase lead of each channel's modulation over the previous channel's, in degrees.
    case stereoPhase
    /// The waveform of the modulation: 0 sine, 1 triangle.
    case shape
    /// The proportion of the copy in the output, in percent.
    case mix
  }

  /// The filters' states for two channels.
  private struct Chain: BitwiseCopyable {
    var stages = InlineArray<12, SIMD2<Double>>(repeating: SIMD2())
    var last = SIMD2<Double>()

    @_noLocks @_noAllocation init() {}
  }

  /// The number of frames in a slice.
  private static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }

  private let sampleRate: Double
  private let pairCount: Int
  private let chains: UnsafeMutablePointer<Chain>
  private let phases: UnsafeMutablePointer<UInt64>, edges: UnsafeMutablePointer<Double>
  /// The filter coefficients of each frame, for two channels.
  private let pulls: UnsafeMutablePointer<SIMD2<Double>>
  private var lfo: LFO
  /// The centre in octaves above 1 Hz, and the depth in octaves.
  private var centre: FineRamp, depth: FineRamp
  private var phaseOffset: FineRamp
  private var stages: Ramp, feedback: Ramp, mix: Ramp

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial
    sampleRate = layout.sampleRate
    pairCount = ((layout.outputs.first ?? 1) + 1) / 2
    unsafe chains = .allocate(capacity: pairCount)
    unsafe chains.initialize(repeating: Chain(), count: pairCount)
    unsafe phases = .allocate(capacity: Self.sliceLength)
    unsafe phases.initialize(repeating: 0, count: Self.sliceLength)
    unsafe edges = .allocate(capacity: Self.sliceLength)
    unsafe edges.initialize(repeating: 0, count: Self.sliceLength)
    unsafe pulls = .allocate(capacity: Self.sliceLength)
    unsafe pulls.initialize(repeating: SIMD2(), count: Self.sliceLength)
    lfo = LFO(rate: initial.rate, sampleRate: layout.sampleRate)
    centre = FineRamp(Self.octaves(initial.centre))
    depth = FineRamp(Double(initial.depth))
    phaseOffset = FineRamp(Double(initial.stereoPhase) / 360)
    stages = Ramp(initial.stages)
    feedback = Ramp(initial.feedback / 100)
    mix = Ramp(initial.mix / 100)
  }

  deinit {
    unsafe chains.deallocate()
    unsafe phases.deallocate()
    unsafe edges.deallocate()
    unsafe pulls.deallocate()
  }

  /// The number of frames until the feedback is 140 dB below the input, with the centre at its lowest all the time.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      let lowest = Self.hertz(centre.target - depth.target / 2), loss = abs(feedback.target)
      let rounds = loss > 1e-7 ? 2 + -7 / Double(rt_log10(loss)) : 1
      let once = (16.2 + 2 * Double(stages.target)) / (2 * .pi * max(lowest, 1)) * sampleRate
      return Int(rounds * (once + 1)) + 1
    }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    for pair in 0..<pairCount { unsafe chains[pair] = Chain() }
    lfo.reset()
    centre.finish()
    depth.finish()
    phaseOffset.finish()
    stages.finish()
    feedback.finish()
    mix.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .stages: stages.glide(to: rt_floor(min(max(value, 2), 12) + 0.5), over: frames)
    case .rate: lfo.setRate(value, over: frames)
    case .centre: centre.glide(to: Self.octaves(value), over: frames)
    case .depth: depth.glide(to: Double(value), over: frames)
    case .feedback: feedback.glide(to: value / 100, over: frames)
    case .stereoPhase: phaseOffset.glide(to: Double(value) / 360, over: frames)
    case .shape: lfo.setShape(value, over: frames)
    case .mix: mix.glide(to: value / 100, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      var count = min(Self.sliceLength, block.frameCount - start)
      // The number of running filters changes at the frame at which their crossfade ends.
      if stages.isMoving { count = min(count, stages.remaining) }
      unsafe lfo.run(phases, edges: edges, count: count)
      for pair in 0..<pairCount {
        swing(pair, count)
        work(block.slice(from: start, count: count), pair)
      }
      centre.skip(count)
      depth.skip(count)
      phaseOffset.skip(count)
      stages.skip(count)
      feedback.skip(count)
      mix.skip(count)
      start += count
    }
  }

  /// Computes the filter coefficients of two channels for each frame.
  @_noLocks @_noAllocation private mutating func swing(_ pair: Int, _ count: Int) {
    let left = UInt64(truncatingIfNeeded: 2 * pair)
    for frame in 0..<count {
      let middle = centre.value(after: frame + 1), half = depth.value(after: frame + 1) / 2
      let phaseOffset = LFO.phase(phaseOffset.value(after: frame + 1))
      let phase = unsafe phases[frame] &+ phaseOffset &* left, edge = unsafe edges[frame]
      unsafe pulls[frame] = pull(
        middle + half * LFO.values(phase, phase &+ phaseOffset, edge: SIMD2(repeating: edge)))
    }
  }

  /// Filters two channels, at most a slice.
  @_noLocks @_noAllocation private mutating func work(_ block: Block, _ pair: Int) {
    let source = block.input(), sink = block.output()
    let left = 2 * pair, right = min(left + 1, source.channelCount - 1)
    let dryLeft = source[left], dryRight = source[right], wetLeft = sink[left], wetRight = sink[right]
    var chain = unsafe chains[pair]
    let moves = stages.isMoving, running = moves ? 12 : Int(stages.target)
    for frame in 0..<block.frameCount {
      let back = feedback.value(after: frame + 1), amount = mix.value(after: frame + 1)
      let dry = SIMD2(dryLeft[clean: frame], dryRight[clean: frame])
      let pull = unsafe pulls[frame], present = Double(stages.value(after: frame + 1))
      var sound = SIMD2(
        Double(LoopSaturation.bend(dry.x + Float(chain.last.x) * back)),
        Double(LoopSaturation.bend(dry.y + Float(chain.last.y) * back)))
      for stage in 0..<running {
        let memory = chain.stages[stage], step = (sound - memory) * pull
        let low = memory + step, allPass = 2 * low - sound
        chain.stages[stage] = low + step
        if moves {
          // While the number glides, filters fade in or out one after the other, with zero slope at both ends.
          let share = min(max(present - Double(stage), 0), 1)
          sound += (allPass - sound) * (share * share * (3 - 2 * share))
        } else {
          sound = allPass
        }
      }
      chain.last = sound
      wetLeft[frame] = dry.x * (1 - amount) + Float(sound.x) * amount
      wetRight[frame] = dry.y * (1 - amount) + Float(sound.y) * amount
    }
    unsafe chains[pair] = chain
  }

  /// Returns the coefficients of two channels' filters: g/(1 + g) with g = tan(πc/r), where c is `octaves` above 1 Hz;
  /// with an error below 10⁻⁹.
  ///
  /// The whole octaves become the exponent of the floating-point number. The rest of the power of two, and the sine and
  /// cosine of πc/r, are computed by Taylor series.
  @_noLocks @_noAllocation @inline(__always) private func pull(_ octaves: SIMD2<Double>) -> SIMD2<Double> {
    // A double of this size has a resolution of 1, so the addition rounds, and the lowest bits are the integer.
    let counting = 0x1.8p52, rounded = octaves + counting
    let rest = (octaves - (rounded - counting)) * 0.693_147_180_559_945_3
    var power = 1.0 / 720 + rest * (1.0 / 5040 + rest * (1.0 / 40_320))
    power = 1.0 / 6 + rest * (1.0 / 24 + rest * (1.0 / 120 + rest * power))
    power = 1 + rest * (1 + rest * (0.5 + rest * power))
    let requested = power * SIMD2(Self.octave(rounded.x), Self.octave(rounded.y)) * (.pi / sampleRate)
    let most = 0.49 * Double.pi
    let angle = SIMD2(requested.x < most ? requested.x : most, requested.y < most ? requested.y : most)
    let square = angle * angle
    var sine = 1.0 / 362_880 - square * (1.0 / 39_916_800 - square * (1.0 / 6_227_020_800))
    sine = 1.0 / 120 - square * (1.0 / 5040 - square * sine)
    sine = angle * (1 - square * (1.0 / 6 - square * sine))
    var cosine = 1.0 / 3_628_800 - square * (1.0 / 479_001_600 - square * (1.0 / 87_178_291_200))
    cosine = 1.0 / 720 - square * (1.0 / 40_320 - square * cosine)
    cosine = 1 - square * (0.5 - square * (1.0 / 24 - square * cosine))
    return sine / (sine + cosine)
  }

  /// Returns two to the power of the integer in the lowest bits of `counted`.
  @_noLocks @_noAllocation @inline(__always) private static func octave(_ counted: Double) -> Double {
    Double(bitPattern: (counted.bitPattern &+ 1023) &<< 52)
  }

  @_noLocks @_noAllocation private static func hertz(_ octaves: Double) -> Double {
    rt_exp_double(0.693_147_180_559_945_3 * octaves)
  }

  @_noLocks @_noAllocation private static func octaves(_ hertz: Float) -> Double {
    Double(rt_log10(max(hertz, 1))) * 3.321_928_094_887_362_3
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Phaser, _ block: Block) {
  effect.set(.stages, to: 2, over: 0)
  effect.reset()
  effect.process(block)
}
