// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A distortion with five stages.
///
/// The stages, in series, are echoes with a constant decay rate; decimation and rounding; a polynomial of third order;
/// ring modulation by two sines; and a gain with a soft clipper, a low cut and a high cut. Each of the first four has a
/// mix of its own. The low cut removes the DC offset. Polynomial, ring modulation and clipper are oversampled;
/// harmonics above half the higher rate alias. From 4× on, a drive of more than 8 dB is processed at 16×, with the same
/// latency: with a full-scale sine of up to 10 kHz and any gain no alias is above −80 dB. The dry signal has the same
/// latency as the wet one.
///
/// A new oversampling factor crossfades from the old one. 1 to 64 channels.
@safe public struct Distortion: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The time between echoes, in milliseconds.
    case delay
    /// The decay rate of the echoes, in nepers per second.
    case decay
    /// The proportion of echoes, in percent.
    case delayMix
    /// The decimation: how long samples are held, in percent.
    case decimation
    /// The rounding: the size of the quantisation steps, in percent.
    case rounding
    /// The proportion of decimated and rounded signal, in percent.
    case decimationMix
    /// The coefficient of x in the polynomial.
    case linearTerm
    /// The coefficient of x² in the polynomial.
    case squaredTerm
    /// The coefficient of x³ in the polynomial.
    case cubicTerm
    /// The proportion of the polynomial's output, in percent.
    case polynomialMix
    /// The frequency of the first sine, in hertz.
    case ringFrequency1
    /// The frequency of the second sine, in hertz.
    case ringFrequency2
    /// The proportion of the second sine in the modulator, in percent.
    case ringBalance
    /// The proportion of ring-modulated signal, in percent.
    case ringMix
    /// The level before the soft clip, in decibels.
    case gain
    /// The proportion of distorted signal in the output, in percent. Presets do not set it.
    case mix
    /// The low cut of the distorted sound, in hertz.
    case lowCut
    /// The high cut of the distorted sound, in hertz.
    case highCut
    /// The oversampling factor: 1, 2, 4 or 8, as the exponent of a power of two. Presets do not set it.
    case oversampling
  }

  /// The number of frames in a slice.
  private static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }
  /// The distance between channels in memory, in floats: a slice, and a margin for stores of several floats at once.
  static var apart: Int { @_noLocks @_noAllocation get { sliceLength + PolyphaseBuffer.spare } }

  let sampleRate: Double
  let channelCount: Int
  private var echo: DecayingEcho
  private var crusher: Crusher
  var shaper: Waveshaper
  var ring: RingModulator
  /// One oversampler for each factor, one for a strong drive, and the selection among them. From 4× on they have equal
  /// latencies.
  let oversamplers: UnsafeMutablePointer<Oversampler>
  var choice: ChoiceFade
  /// The factor that the user has chosen, and whether frames have been processed since the last reset.
  var factor = Distortion.initialOversampling.rawValue, hasStarted = false
  private let limits: UnsafeMutablePointer<BandLimits>
  private var mix: Ramp, lowShare: Ramp, highShare: Ramp
  private var lowCut: Float, highCut: Float
  /// The dry signal, delayed by the latency of the wet one.
  private let lines: UnsafeMutablePointer<DelayLine>
  /// A slice of every channel; the same with the next oversampling factor, or temporary memory for the dry signal.
  let sound: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    self.init(checked: layout)
  }

  private init(checked layout: Layout) {
    let rate = layout.sampleRate, channels = layout.outputs.first ?? 1, sliceLength = Self.sliceLength
    let initial = PresetValues()
    sampleRate = rate
    channelCount = channels
    echo = DecayingEcho(
      channelCount: channels, time: initial.delay, rate: initial.decay, sampleRate: rate,
      sliceLength: sliceLength)
    crusher = Crusher(channelCount: channels, sampleRate: rate, sliceLength: sliceLength)
    shaper = Waveshaper(sliceLength: sliceLength)
    ring = RingModulator(initial.ringFrequencies, sampleRate: rate, most: 16, sliceLength: sliceLength)
    unsafe oversamplers = .allocate(capacity: Self.driven + 1)
    for doublings in (0...Self.driven).reversed() {
      let isEqual = doublings >= Self.fourTimes && doublings < Self.driven
      let latency = unsafe isEqual ? oversamplers[Self.driven].latency : 0
      let oversampler = Oversampler(
        doublings: doublings, channelCount: channels, sampleRate: rate, longest: sliceLength, latency: latency
      )
      unsafe (oversamplers + doublings).initialize(to: oversampler)
    }
    choice = ChoiceFade(Self.initialOversampling.rawValue)
    unsafe limits = .allocate(capacity: channels)
    unsafe limits.initialize(repeating: BandLimits(), count: channels)
    mix = Ramp(Self.initialMix / 100)
    lowCut = initial.lowCut
    highCut = initial.highCut
    lowShare = Ramp(BandLimits.lowShare(lowCut, rate))
    highShare = Ramp(BandLimits.highShare(highCut, rate))
    unsafe lines = .allocate(capacity: channels)
    let longest = unsafe sliceLength + oversamplers[Self.driven].latency
    for channel in 0..<channels { unsafe (lines + channel).initialize(to: DelayLine(longest: longest)) }
    unsafe sound = .allocate(capacity: (2 * channels + 1) * Self.apart)
    unsafe sound.initialize(repeating: 0, count: (2 * channels + 1) * Self.apart)
    unsafe second = unsafe sound + channels * Self.apart
    for (parameter, value) in initial.values { set(parameter, to: value, over: 0) }
  }

  deinit {
    unsafe oversamplers.deinitialize(count: Self.driven + 1)
    unsafe oversamplers.deallocate()
    unsafe limits.deallocate()
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe sound.deallocate()
  }

  public var latency: Int { @_noLocks @_noAllocation get { unsafe oversamplers[choice.wanted].latency } }

  @_noLocks @_noAllocation public func latency(before parameter: Parameter) -> Int {
    switch parameter {
    case .delay, .decay, .delayMix, .decimation, .rounding, .decimationMix: 0
    case .lowCut, .highCut, .oversampling, .mix: latency
    default: unsafe oversamplers[choice.wanted].latencyBefore
    }
  }

  /// The number of frames until the echoes and the filters' states have decayed.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      let ring = 4.5 / Double(lowCut) + 2 / Double(highCut)
      return unsafe echo.tail + Int((ring + 0.001) * sampleRate) + 3 * oversamplers[Self.driven].latency
    }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    echo.reset()
    crusher.reset()
    shaper.reset()
    ring.reset()
    hasStarted = false
    _ = choice.glide(to: needed, over: 0)
    choice.arrive()
    unsafe oversamplers[choice.active].clear()
    for channel in 0..<channelCount {
      unsafe limits[channel] = BandLimits()
      unsafe lines[channel].clear()
    }
    mix.finish()
    lowShare.finish()
    highShare.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .delay: echo.setTime(value, over: frames)
    case .decay: echo.setRate(value, over: frames)
    case .delayMix: echo.setMix(value / 100, over: frames)
    case .decimation: crusher.setDecimation(value, over: frames)
    case .rounding: crusher.setRounding(value, over: frames)
    case .decimationMix: crusher.mix.glide(to: value / 100, over: frames)
    case .linearTerm: shaper.linear.glide(to: value, over: frames)
    case .squaredTerm: shaper.squared.glide(to: value, over: frames)
    case .cubicTerm: shaper.cubic.glide(to: value, over: frames)
    case .polynomialMix: shaper.mix.glide(to: value / 100, over: frames)
    case .ringFrequency1: ring.first.glide(to: value, over: frames)
    case .ringFrequency2: ring.second.glide(to: value, over: frames)
    case .ringBalance: ring.balance.glide(to: value / 100, over: frames)
    case .ringMix: ring.mix.glide(to: value / 100, over: frames)
    case .gain: shaper.gain.glide(to: Decibels.amplitude(value), over: frames)
    case .mix: mix.glide(to: value / 100, over: frames)
    case .lowCut:
      lowCut = value
      lowShare.glide(to: BandLimits.lowShare(value, sampleRate), over: frames)
    case .highCut:
      highCut = value
      highShare.glide(to: BandLimits.highShare(value, sampleRate), over: frames)
    case .oversampling:
      factor = min(max(Int(value), 0), Self.eightTimes)
      choose(over: frames)
    }
    if choice.wanted != needed { choose(over: hasStarted ? fadeLength : 0) }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    hasStarted = true
    while start < block.frameCount {
      if !shaper.glides, choice.wanted != needed { choose(over: fadeLength) }
      if choice.begin() {
        let next = choice.next
        unsafe oversamplers[next].clear()
        // After this time its filters are filled.
        unsafe choice.wait(2 * oversamplers[next].latency + 1)
      }
      let most = choice.sliceLength(atMost: min(Self.sliceLength, block.frameCount - start))
      let count = ring.sliceLength(atMost: echo.sliceLength(atMost: shaper.sliceLength(atMost: most)))
      work(block.slice(from: start, count: count))
      choice.advance(count)
      start += count
    }
  }

  @_noLocks @_noAllocation private mutating func work(_ block: Block) {
    let count = block.frameCount, source = block.input()
    for channel in 0..<channelCount {
      let dry = source[channel], own = unsafe sound + channel * Self.apart
      for frame in 0..<count { unsafe own[frame] = dry[clean: frame] }
      unsafe lines[channel].write(own, count: count)
      // Larger values would overflow in the polynomial.
      for frame in 0..<count { unsafe own[frame] = min(max(own[frame], -1000), 1000) }
    }
    unsafe echo.run(sound, apart: Self.apart, count: count)
    if crusher.begin(count) {
      for channel in 0..<channelCount {
        unsafe crusher.run(channel, sound + channel * Self.apart, count: count)
      }
    }
    distort(count)
    var channel = 0
    while channel < channelCount {
      let left = unsafe sound + channel * Self.apart
      let right = unsafe channel + 1 < channelCount ? left + Self.apart : left
      unsafe limits[channel].run(left, right, count: count, lowShare: lowShare, highShare: highShare)
      channel += 2
    }
    lowShare.skip(count)
    highShare.skip(count)
    for channel in 0..<channelCount { blend(block.output()[channel], channel, count) }
    mix.skip(count)
  }

  /// Mixes dry and wet signal.
  @_noLocks @_noAllocation private func blend(_ output: MutableSamples, _ channel: Int, _ count: Int) {
    let wet = unsafe sound + channel * Self.apart, dry = unsafe second
    unsafe lines[channel].read(dry, delay: oversamplers[choice.active].latency + count, count: count)
    if choice.isChanging {
      let other = unsafe second + Self.apart
      unsafe lines[channel].read(other, delay: oversamplers[choice.next].latency + count, count: count)
      for frame in 0..<count {
        unsafe dry[frame] += (other[frame] - dry[frame]) * choice.fade.value(after: frame + 1)
      }
    }
    for frame in 0..<count {
      output[frame] = unsafe dry[frame] + (wet[frame] - dry[frame]) * mix.value(after: frame + 1)
    }
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Distortion, _ block: Block) {
  effect.set(.gain, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
