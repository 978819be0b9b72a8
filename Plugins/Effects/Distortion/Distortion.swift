// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A distortion with five stages.
///
/// The stages, in series, are echoes with a constant decay rate; decimation and rounding; a polynomial of third order;
/// ring modulation by two sines; and a gain with a soft clipper, a low cut and a high cut. Each of the first four has a
/// mix of its own. The low cut removes the DC offset. Polynomial, ring modulation and clipper are oversampled;
/// harmonics above half the higher rate alias. With 4×, a full-scale sine of 5 kHz and 12 dB of gain, no alias is above
/// −100 dB. The dry signal has the same latency as the wet one.
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
  private static var stretch: Int { @_noLocks @_noAllocation get { 64 } }
  /// The distance between channels in memory, in floats: a slice, and a margin for stores of several floats at once.
  private static var apart: Int { @_noLocks @_noAllocation get { stretch + PolyphaseBuffer.spare } }

  private let sampleRate: Double
  private let channelCount: Int
  private var echo: DecayingEcho
  private var crusher: Crusher
  private var shaper: Waveshaper
  private var ring: RingModulator
  /// One oversampler for each factor, and the selection among them.
  private let oversamplers: UnsafeMutablePointer<Oversampler>
  private var choice: ChoiceFade
  private let limits: UnsafeMutablePointer<BandLimits>
  private var mix: Ramp, lowShare: Ramp, highShare: Ramp
  private var lowCut: Float, highCut: Float
  /// The dry signal, delayed by the latency of the wet one.
  private let lines: UnsafeMutablePointer<DelayLine>
  /// A slice of every channel; the same with the next oversampling factor, or temporary memory for the dry signal.
  private let sound: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    self.init(checked: layout)
  }

  private init(checked layout: Layout) {
    let rate = layout.sampleRate, channels = layout.outputs.first ?? 1, stretch = Self.stretch
    let initial = PresetValues()
    sampleRate = rate
    channelCount = channels
    echo = DecayingEcho(
      channelCount: channels, time: initial.delay, rate: initial.decay, sampleRate: rate, stretch: stretch)
    crusher = Crusher(channelCount: channels, sampleRate: rate, stretch: stretch)
    shaper = Waveshaper(stretch: stretch)
    ring = RingModulator(initial.ringFrequencies, sampleRate: rate, most: 8, stretch: stretch)
    unsafe oversamplers = .allocate(capacity: Self.multipleCount)
    for doublings in 0..<Self.multipleCount {
      let oversampler = Oversampler(
        doublings: doublings, channelCount: channels, sampleRate: rate, longest: stretch)
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
    let longest = unsafe stretch + oversamplers[Self.multipleCount - 1].latency
    for channel in 0..<channels { unsafe (lines + channel).initialize(to: DelayLine(longest: longest)) }
    unsafe sound = .allocate(capacity: (2 * channels + 1) * Self.apart)
    unsafe sound.initialize(repeating: 0, count: (2 * channels + 1) * Self.apart)
    unsafe second = unsafe sound + channels * Self.apart
    for (parameter, value) in initial.values { set(parameter, to: value, over: 0) }
  }

  deinit {
    unsafe oversamplers.deinitialize(count: Self.multipleCount)
    unsafe oversamplers.deallocate()
    unsafe limits.deallocate()
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe sound.deallocate()
  }

  public var latency: Int { @_noLocks @_noAllocation get { unsafe oversamplers[choice.wanted].latency } }

  /// The filters of the oversampling have the same delay before and after the waveshaper.
  @_noLocks @_noAllocation public func latency(before parameter: Parameter) -> Int {
    switch parameter {
    case .delay, .decay, .delayMix, .decimation, .rounding, .decimationMix: 0
    case .lowCut, .highCut, .oversampling, .mix: latency
    default: latency / 2
    }
  }

  /// The number of frames until the echoes and the filters' states have decayed.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      let ring = 4.5 / Double(lowCut) + 2 / Double(highCut)
      return echo.tail + Int((ring + 0.001) * sampleRate) + 3 * longestLatency
    }
  }

  private var longestLatency: Int {
    @_noLocks @_noAllocation get { unsafe oversamplers[Self.multipleCount - 1].latency }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    echo.reset()
    crusher.reset()
    shaper.reset()
    ring.reset()
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
      if choice.glide(to: min(max(Int(value), 0), 3), over: frames) {
        unsafe oversamplers[choice.active].clear()
      }
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      if choice.begin() {
        let next = choice.next
        unsafe oversamplers[next].clear()
        // After this time its filters are filled.
        unsafe choice.wait(2 * oversamplers[next].latency + 1)
      }
      let most = choice.stretch(min(Self.stretch, block.frameCount - start))
      let count = ring.stretch(echo.stretch(most))
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

  /// Processes all channels by polynomial, ring modulation and clipper at the oversampled rate. During a change of the
  /// factor, both factors are processed.
  @_noLocks @_noAllocation private mutating func distort(_ count: Int) {
    let rings = ring.isAudible
    shaper.advance(count)
    ring.advance(count)
    if choice.isChanging { unsafe distort(by: choice.next, to: second, count, rings: rings) }
    unsafe distort(by: choice.active, to: sound, count, rings: rings)
    guard choice.isChanging else { return }
    for channel in 0..<channelCount {
      let own = unsafe sound + channel * Self.apart, other = unsafe second + channel * Self.apart
      for frame in 0..<count {
        unsafe own[frame] += (other[frame] - own[frame]) * choice.fade.value(after: frame + 1)
      }
    }
  }

  @_noLocks @_noAllocation @unsafe private mutating func distort(
    by place: Int, to sink: UnsafeMutablePointer<Float>, _ count: Int, rings: Bool
  ) {
    let streams = unsafe oversamplers[place].factor
    if rings { ring.layOut(streams, count: count) }
    for channel in 0..<channelCount {
      unsafe oversamplers[place].raise(channel, sound + channel * Self.apart, count: count)
      for number in 0..<streams {
        let wave = unsafe oversamplers[place].stream(number, of: channel)
        unsafe shaper.bend(wave, number: number, of: streams, count: count)
        if rings { unsafe ring.run(number, wave, count: count) }
        unsafe shaper.clip(wave, number: number, of: streams, count: count)
      }
      unsafe oversamplers[place].lower(channel, to: sink + channel * Self.apart, count: count)
    }
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

@_noLocks @_noAllocation private func proof(_ unit: inout Distortion, _ block: Block) {
  unit.set(.gain, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
