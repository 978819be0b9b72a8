// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A test signal generator: sine, sweep, noise and impulses, in one channel.
///
/// The signal is identical after each reset, for blocks of any size. At 0 dBFS a sine, a sweep and an impulse reach
/// full scale. Noise has the mean power of that sine, so its samples peak above full scale: white noise by 1.8 dB, pink
/// noise by about 9 dB.
@safe public struct Generator: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The signal: 0 sine, 1 sweep, 2 white noise, 3 pink noise, 4 impulse.
    case signal
    /// The level, in dBFS.
    case level
    /// The frequency of the sine, and the start frequency of a sweep, in hertz.
    case frequency
    /// The end frequency of a sweep, in hertz.
    case end
    /// The length of a sweep, and the time between impulses, in seconds.
    case period
  }

  public static var description: EffectDescription {
    EffectDescription(
      "generator", name: "Generator", "Generates test signals", uri: "urn:swiftlet:generator",
      lv2Class: "GeneratorPlugin", inputs: [], outputs: [EffectBus("out", .channels(1))])
  }

  private let sampleRate: Double
  private var signal = Signal.sine, wanted = Signal.sine
  /// The level while one signal fades out and the next one fades in, and the length of a fade.
  private var gate = Ramp(1), fadeFrames = 0
  private var level: Ramp, frequency = Ramp(1000), end = Ramp(20000)
  private var period: Float = 1
  private var noise: NoiseSource
  /// The phase of sine or sweep in cycles, from 0 to 1, and the number of elapsed frames of the period.
  private var phase = 0.0, elapsed = 0

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require(channels: 1...1)
    guard layout.inputs.isEmpty, layout.outputs.count == 1 else { throw .channels(layout.inputs.first ?? 0) }
    sampleRate = layout.sampleRate
    level = Ramp(Decibels.fader(-20))
    noise = NoiseSource(sampleRate: layout.sampleRate)
  }

  /// `Int.max`: the signal never ends.
  public var tail: Int { @_noLocks @_noAllocation get { .max } }

  @_noLocks @_noAllocation public mutating func reset() {
    level.finish()
    frequency.finish()
    end.finish()
    gate = Ramp(1)
    signal = wanted
    restart()
  }

  @_noLocks @_noAllocation private mutating func restart() {
    noise.reset()
    phase = 0
    elapsed = 0
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .signal:
      wanted = Signal(rawValue: Int(value)) ?? wanted
      guard wanted.rawValue != signal.rawValue else { break }
      fadeFrames = abs(frames) / 2
      gate.glide(to: 0, over: -fadeFrames)
      if fadeFrames == 0 { change() }
    case .level: level.glide(to: Decibels.fader(value), over: frames)
    case .frequency: frequency.glide(to: value, over: frames)
    case .end: end.glide(to: value, over: frames)
    case .period: period = value
    }
  }

  /// Begins the next signal, which fades in.
  @_noLocks @_noAllocation private mutating func change() {
    signal = wanted
    restart()
    gate.glide(to: 1, over: -fadeFrames)
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      if gate.target == 0, !gate.isMoving { change() }
      let left = block.frameCount - start, count = gate.isMoving ? min(left, gate.remaining) : left
      generate(block.slice(from: start, count: count))
      start += count
    }
  }

  @_noLocks @_noAllocation private mutating func generate(_ block: Block) {
    let wet = block.output()[0], count = block.frameCount
    switch signal {
    case .sine: for frame in 0..<count { wet[frame] = sine(frame + 1) }
    case .sweep: for frame in 0..<count { wet[frame] = sweep(frame + 1) }
    case .white: for frame in 0..<count { wet[frame] = noise.next() * noise.white }
    case .pink: for frame in 0..<count { wet[frame] = Float(noise.filter(Double(noise.next()))) * noise.pink }
    case .impulse: for frame in 0..<count { wet[frame] = impulse() }
    }
    for frame in 0..<count { wet[frame] *= level.value(after: frame + 1) }
    if gate.isMoving { for frame in 0..<count { wet[frame] *= gate.value(after: frame + 1) } }
    gate.skip(count)
    level.skip(count)
    frequency.skip(count)
    end.skip(count)
  }

  @_noLocks @_noAllocation private mutating func sine(_ frame: Int) -> Float {
    let sample = rt_sin_double(2 * .pi * phase)
    advancePhase(by: reachable(frequency, frame) / sampleRate)
    return Float(sample)
  }

  /// Returns the next sample of a sweep whose frequency grows exponentially: after the proportion u of the time it is
  /// f₁ · (f₂ / f₁)ᵘ, as in A. Farina, "Simultaneous Measurement of Impulse Response and Distortion with a Swept-Sine
  /// Technique", AES Convention 108, 2000. The phase advances by the integral of the frequency over each frame.
  @_noLocks @_noAllocation private mutating func sweep(_ frame: Int) -> Float {
    let sample = rt_sin_double(2 * .pi * phase), frames = Double(period) * sampleRate
    let first = reachable(frequency, frame), ratio = reachable(end, frame) / first
    let now = first * rt_pow_double(ratio, Double(elapsed) / frames)
    // The mean of an exponential growth from 1 to 1 + h in a frame is h / ln(1 + h): 1 + h/2 − h²/12 …
    let growth = rt_pow_double(ratio, 1 / frames) - 1
    advancePhase(by: now * (1 + growth / 2 - growth * growth / 12) / sampleRate)
    elapsed += 1
    if Double(elapsed) >= frames { restart() }
    return Float(sample)
  }

  @_noLocks @_noAllocation private mutating func impulse() -> Float {
    let sample: Float = elapsed == 0 ? 1 : 0
    elapsed += 1
    if Double(elapsed) >= Double(period) * sampleRate { elapsed = 0 }
    return sample
  }

  @_noLocks @_noAllocation private func reachable(_ requested: Ramp, _ frame: Int) -> Double {
    min(Double(requested.value(after: frame)), 0.49 * sampleRate)
  }

  @_noLocks @_noAllocation private mutating func advancePhase(by cycles: Double) {
    phase += cycles
    phase -= rt_floor_double(phase)
  }
}

extension Generator {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The signal.
    /// Values: sine, sweep, white, pink, impulse. Default: sine.
    public var signal: TypedParameter<Parameter, Signal> {
      .init(
        .signal, "signal", name: "Signal", "The signal; a new one fades in and starts from its beginning",
        default: .sine, glide: 0.02)
    }
    /// The level of the signal.
    /// Range: −96 dB to 0 dB. Default: −20 dB.
    public var level: TypedParameter<Parameter, Level> {
      .init(
        .level, "level", name: "Level",
        "The level: at 0 dB a sine is at full scale, and noise has the same power; −96 dB is silence",
        range: Decibels.silence...0, default: .decibels(-20))
    }
    /// The frequency of the sine, and the start frequency of a sweep.
    /// Range: 10 Hz to 20000 Hz. Default: 1000 Hz.
    public var frequency: TypedParameter<Parameter, Frequency> {
      .init(
        .frequency, "frequency", name: "Frequency",
        "The frequency of a sine, and the start frequency of a sweep; a change during a sweep is a step",
        range: 10...20000, default: .hertz(1000), curve: .logarithmic,
        needs: ParameterCondition("signal", ["sine", "sweep"]))
    }
    /// The end frequency of a sweep.
    /// Range: 10 Hz to 20000 Hz. Default: 20000 Hz.
    public var end: TypedParameter<Parameter, Frequency> {
      .init(
        .end, "end", name: "End", "The end frequency of a sweep; a change during a sweep is a step",
        range: 10...20000, default: .hertz(20000),
        curve: .logarithmic, needs: ParameterCondition("signal", ["sweep"]))
    }
    /// The length of a sweep, and the time between impulses.
    /// Range: 0.01 s to 60 s. Default: 1 s.
    public var period: TypedParameter<Parameter, Duration> {
      .init(
        .period, "period", name: "Period",
        "The length of a sweep, and the time between impulses; a step moves the frequency of a sweep",
        unit: .seconds, range: 0.01...60, default: .seconds(1), curve: .logarithmic, glide: 0,
        needs: ParameterCondition("signal", ["sweep", "impulse"]))
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .signal: signal.description
      case .level: level.description
      case .frequency: frequency.description
      case .end: end.description
      case .period: period.description
      }
    }
  }

  /// The signal of the generator.
  public enum Signal: Int, ParameterChoice {
    /// A sine at one frequency.
    case sine
    /// A sine that sweeps from one frequency to another, repeatedly.
    case sweep
    /// White noise, with constant power density.
    case white
    /// Pink noise, with the same power in every octave.
    case pink
    /// Single samples at full level, at equal intervals.
    case impulse

    public var symbol: StaticString {
      switch self {
      case .sine: "sine"
      case .sweep: "sweep"
      case .white: "white"
      case .pink: "pink"
      case .impulse: "impulse"
      }
    }
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Generator, _ block: Block) {
  effect.set(.level, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
