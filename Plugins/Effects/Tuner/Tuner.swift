// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A tuner: measures the pitch of a single voice or string, and passes the signal.
///
/// It measures the mean of all channels, from 25 Hz to 4.5 kHz, and publishes a new pitch about 25 times a second. 1 to
/// 64 channels.
@safe public struct Tuner: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The pitch of the A above middle C, in hertz.
    case reference
    /// Whether the output is muted, to tune in silence.
    case mute
  }

  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The pitch of the A above middle C, from which notes are computed.
    /// Range: 400 Hz to 480 Hz. Default: 440 Hz.
    public var reference: TypedParameter<Parameter, Frequency> {
      .init(
        .reference, "reference", name: "Reference", "The pitch of the A above middle C", range: 400...480,
        default: .hertz(Tuner.usual), glide: 0)
    }
    /// Whether the output is muted, to tune in silence.
    /// Default: false.
    public var mute: TypedParameter<Parameter, Bool> {
      .init(.mute, "mute", name: "Mute", "Whether the output is muted, to tune in silence", default: false)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .reference: reference.description
      case .mute: mute.description
      }
    }
  }

  public static var description: EffectDescription {
    EffectDescription(
      "tuner", name: "Tuner", "Shows the pitch of one voice or string", uri: "urn:swiftlet:tuner",
      lv2Class: "AnalyserPlugin", worksInPlace: true,
      meters: [
        MeterDescription("pitch", unit: .hertz, range: 0...5000),
        MeterDescription("note", unit: .midiNote, range: 0...127),
        MeterDescription("cents", unit: .cents, range: -50...50),
        MeterDescription("clarity", unit: .percent, range: 0...100),
      ])
  }

  private static var usual: Float { 440 }
  /// The number of frames in a slice.
  private static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }

  /// The decimation factor of the tracker's input.
  private let thinning: Int
  private let low: (BiquadCoefficients, BiquadCoefficients, BiquadCoefficients, BiquadCoefficients)
  private let mean: UnsafeMutablePointer<SIMD2<Double>>
  private var filters = (Biquad(), Biquad(), Biquad(), Biquad())
  private var tracker: PitchTracker
  private var phase = 0
  private var reference = Tuner.usual
  private var level = Ramp(1)

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    thinning = max(Int((layout.sampleRate / 12_000).rounded()), 1)
    let rate = layout.sampleRate / Double(thinning)
    tracker = PitchTracker(rate: rate)
    // A Butterworth low-pass of the eighth order, against aliasing at the tracker's rate.
    let corner = rt_tan_double(.pi * min(0.36 * rate / layout.sampleRate, 0.45))
    func pole(_ number: Double) -> BiquadCoefficients {
      let damping = 2 * rt_sin_double(.pi * (2 * number + 1) / 16)
      return BiquadCoefficients(corner: corner, damping: damping, through: 0, bandpass: 0, lowpass: 1)
    }
    low = (pole(0), pole(1), pole(2), pole(3))
    unsafe mean = .allocate(capacity: Self.sliceLength)
    unsafe mean.initialize(repeating: SIMD2(), count: Self.sliceLength)
  }

  deinit { unsafe mean.deallocate() }

  @_noLocks @_noAllocation public mutating func reset() {
    tracker.reset()
    filters = (Biquad(), Biquad(), Biquad(), Biquad())
    phase = 0
    level.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .reference: reference = value
    case .mute: level.glide(to: 1 - value, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      let part = block.slice(from: start, count: min(Self.sliceLength, block.frameCount - start))
      track(part)
      pass(part)
      start += part.frameCount
    }
    show(block)
  }

  @_noLocks @_noAllocation private mutating func track(_ block: Block) {
    let source = block.input(), count = block.frameCount
    let share = 1 / Double(max(source.channelCount, 1))
    for frame in 0..<count { unsafe mean[frame] = SIMD2() }
    for channel in 0..<source.channelCount {
      let samples = source[channel]
      for frame in 0..<count { unsafe mean[frame].x += share * Double(samples[clean: frame]) }
    }
    unsafe filters.0.run(mean, count: count, low.0, then: &filters.1, low.1)
    unsafe filters.2.run(mean, count: count, low.2, then: &filters.3, low.3)
    for frame in 0..<count {
      phase += 1
      guard phase == thinning else { continue }
      phase = 0
      tracker.push(Float(unsafe mean[frame].x))
    }
  }

  @_noLocks @_noAllocation private mutating func pass(_ block: Block) {
    let source = block.input(), sink = block.output()
    for channel in 0..<sink.channelCount {
      let dry = source[channel], wet = sink[channel]
      for frame in 0..<block.frameCount { wet[frame] = dry[clean: frame] * level.value(after: frame + 1) }
    }
    level.skip(block.frameCount)
  }

  @_noLocks @_noAllocation private func show(_ block: Block) {
    block.show(tracker.pitch, on: 0)
    block.show(100 * tracker.clarity, on: 3)
    guard tracker.pitch > 0 else {
      block.show(0, on: 1)
      block.show(0, on: 2)
      return
    }
    // MIDI note numbers: 69 is the A above middle C, with 12 notes in an octave.
    let number = 69 + 12 * rt_log10(tracker.pitch / reference) / 0.301_029_996
    let nearest = rt_floor(number + 0.5)
    block.show(min(max(nearest, 0), 127), on: 1)
    block.show(100 * (number - nearest), on: 2)
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Tuner, _ block: Block) {
  effect.set(.mute, to: 1, over: 0)
  effect.reset()
  effect.process(block)
}
