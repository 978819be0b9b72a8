// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Mixes sound with a copy whose phase swings: notches that wander, in no harmonic order.
///
/// The copy passes n all-pass filters of first order, each of which turns it by 2·atan(tan(πf/r)/tan(πc/r))
/// at the frequency f and the rate r, by a right angle at the centre c. With as much copy as sound, notches
/// lie where n filters turn it by an odd number of half turns: tan(πf/r) = tan(πc/r)·tan((2k + 1)π/2n). The
/// oscillator moves the centre by half the depth to either side. Feedback goes round a frame late and never
/// passes 18 dB above full scale. Any number of channels from 1 to 64.
@safe public struct Phaser: Effect, ~Copyable {
  /// The numbers of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// How many filters, from 2 to 12.
    case stages
    /// How often the centre swings, in hertz.
    case rate
    /// The centre of the swing, in hertz.
    case centre
    /// How far it swings from lowest to highest, in octaves.
    case depth
    /// How much of the copy goes in again, in percent.
    case feedback
    /// How far each channel swings ahead of the one before, in degrees.
    case stereoPhase
    /// How the centre swings: 0 as a sine, 1 as a triangle.
    case shape
    /// How much of what comes out is the copy, in percent.
    case mix
  }

  /// What two channels remember.
  private struct Chain: BitwiseCopyable {
    var stages = InlineArray<12, SIMD2<Double>>(repeating: SIMD2())
    var last = SIMD2<Double>()

    @_noLocks @_noAllocation init() {}
  }

  /// How many frames are worked on at once.
  private static var stretch: Int { @_noLocks @_noAllocation get { 64 } }

  private let sampleRate: Double
  private let pairCount: Int
  private let chains: UnsafeMutablePointer<Chain>
  private let phases: UnsafeMutablePointer<UInt64>, edges: UnsafeMutablePointer<Double>
  /// How far each frame moves a filter's memory, for two channels.
  private let pulls: UnsafeMutablePointer<SIMD2<Double>>
  private var lfo: LFO
  /// In octaves above one hertz, and in octaves.
  private var centre: EasedRamp, depth: EasedRamp
  private var turn: EasedRamp
  private var stages: Ramp, feedback: Ramp, mix: Ramp

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial
    sampleRate = layout.sampleRate
    pairCount = ((layout.outputs.first ?? 1) + 1) / 2
    unsafe chains = .allocate(capacity: pairCount)
    unsafe chains.initialize(repeating: Chain(), count: pairCount)
    unsafe phases = .allocate(capacity: Self.stretch)
    unsafe phases.initialize(repeating: 0, count: Self.stretch)
    unsafe edges = .allocate(capacity: Self.stretch)
    unsafe edges.initialize(repeating: 0, count: Self.stretch)
    unsafe pulls = .allocate(capacity: Self.stretch)
    unsafe pulls.initialize(repeating: SIMD2(), count: Self.stretch)
    lfo = LFO(rate: initial.rate, sampleRate: layout.sampleRate)
    centre = EasedRamp(Self.octaves(initial.centre))
    depth = EasedRamp(Double(initial.depth))
    turn = EasedRamp(Double(initial.stereoPhase) / 360)
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

  /// Until what goes round lies 140 dB below what came in, with the centre at its lowest all the time.
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
    turn.finish()
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
    case .stereoPhase: turn.glide(to: Double(value) / 360, over: frames)
    case .shape: lfo.setShape(value, over: frames)
    case .mix: mix.glide(to: value / 100, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      var count = min(Self.stretch, block.frameCount - start)
      // How many filters run changes on the frame where their fade ends.
      if stages.isMoving { count = min(count, stages.remaining) }
      unsafe lfo.run(phases, edges: edges, count: count)
      for pair in 0..<pairCount {
        swing(pair, count)
        work(block.slice(from: start, count: count), pair)
      }
      centre.skip(count)
      depth.skip(count)
      turn.skip(count)
      stages.skip(count)
      feedback.skip(count)
      mix.skip(count)
      start += count
    }
  }

  /// Finds where the filters of two channels stand at each frame.
  @_noLocks @_noAllocation private mutating func swing(_ pair: Int, _ count: Int) {
    let left = UInt64(truncatingIfNeeded: 2 * pair)
    for frame in 0..<count {
      let middle = centre.value(after: frame + 1), half = depth.value(after: frame + 1) / 2
      let turn = LFO.phase(turn.value(after: frame + 1))
      let phase = unsafe phases[frame] &+ turn &* left, edge = unsafe edges[frame]
      unsafe pulls[frame] = pull(
        middle + half * SIMD2(LFO.value(phase, edge: edge), LFO.value(phase &+ turn, edge: edge)))
    }
  }

  /// Takes two channels through the filters, at most a stretch of frames.
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
        Double(LoopBend.bend(dry.x + Float(chain.last.x) * back)),
        Double(LoopBend.bend(dry.y + Float(chain.last.y) * back)))
      for stage in 0..<running {
        let memory = chain.stages[stage], step = (sound - memory) * pull
        let low = memory + step, turned = 2 * low - sound
        chain.stages[stage] = low + step
        if moves {
          // While the number glides, filters come in and go out softly, one after the other.
          let share = min(max(present - Double(stage), 0), 1)
          sound += (turned - sound) * (share * share * (3 - 2 * share))
        } else {
          sound = turned
        }
      }
      chain.last = sound
      wetLeft[frame] = dry.x * (1 - amount) + Float(sound.x) * amount
      wetRight[frame] = dry.y * (1 - amount) + Float(sound.y) * amount
    }
    unsafe chains[pair] = chain
  }

  /// How far a frame moves the memories of two channels' filters towards the sound: g/(1 + g) with
  /// g = tan(πc/r), where c lies `octaves` above one hertz; within 10⁻⁹.
  ///
  /// Whole octaves are a number's exponent. The rest of the power of two, and the sine and cosine of πc/r, are
  /// Taylor's series.
  @_noLocks @_noAllocation @inline(__always) private func pull(_ octaves: SIMD2<Double>) -> SIMD2<Double> {
    // At this size a double counts in ones, so adding it rounds, and its lowest bits are the whole number.
    let counting = 0x1.8p52, rounded = octaves + counting
    let rest = (octaves - (rounded - counting)) * 0.693_147_180_559_945_3
    var power = 1.0 / 720 + rest * (1.0 / 5040 + rest * (1.0 / 40_320))
    power = 1.0 / 6 + rest * (1.0 / 24 + rest * (1.0 / 120 + rest * power))
    power = 1 + rest * (1 + rest * (0.5 + rest * power))
    let asked = power * SIMD2(Self.octave(rounded.x), Self.octave(rounded.y)) * (.pi / sampleRate)
    let most = 0.49 * Double.pi
    let angle = SIMD2(asked.x < most ? asked.x : most, asked.y < most ? asked.y : most)
    let square = angle * angle
    var sine = 1.0 / 362_880 - square * (1.0 / 39_916_800 - square * (1.0 / 6_227_020_800))
    sine = 1.0 / 120 - square * (1.0 / 5040 - square * sine)
    sine = angle * (1 - square * (1.0 / 6 - square * sine))
    var cosine = 1.0 / 3_628_800 - square * (1.0 / 479_001_600 - square * (1.0 / 87_178_291_200))
    cosine = 1.0 / 720 - square * (1.0 / 40_320 - square * cosine)
    cosine = 1 - square * (0.5 - square * (1.0 / 24 - square * cosine))
    return sine / (sine + cosine)
  }

  /// Two to the power of a whole number, which stands in the lowest bits of `counted`.
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

@_noLocks @_noAllocation private func proof(_ unit: inout Phaser, _ block: Block) {
  unit.set(.stages, to: 2, over: 0)
  unit.reset()
  unit.process(block)
}
