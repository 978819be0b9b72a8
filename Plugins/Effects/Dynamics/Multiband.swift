// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A multiband compressor with four bands.
///
/// Three Linkwitz–Riley crossovers of 24 or 48 dB an octave make the bands. Each half of the middle crossover passes an
/// all-pass for the crossover of the other half, so that all bands have the same phase shift, and without compression
/// they sum flat: the output has the spectrum of the input. The crossover frequencies should be in ascending order. In
/// any other order the sum is still flat, but a band between two crossovers in the wrong order has little energy. Each
/// band's gain is computed from its loudest channel. 1 to 64 channels.
///
/// A tone is also softly in the other bands, which do not compress it. If it lies an octave or more inside its band,
/// its level is up to 4 dB above the band's curve at a reduction of 15 dB with 24 dB an octave. With 48 dB an octave it
/// is at most 1 dB above it, at reductions up to 25 dB.
@safe public struct Multiband: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: RawRepresentable, Sendable {
    /// The crossover frequency after a band, counted from 0.
    case crossover(Int)
    /// The width of the knee of each band, in decibels.
    case knee
    /// The gain after all bands, in decibels.
    case gain
    /// The slope of the crossovers: 0 for 24, 1 for 48 dB an octave.
    case slope
    /// A parameter of a band; the band's index counts from 0, the lowest.
    case band(Int, BandParameter)

    @_noLocks @_noAllocation public init?(rawValue: Int) {
      let index = rawValue - 6, perBand = BandParameter.count
      switch rawValue {
      case 0, 1, 2: self = .crossover(rawValue)
      case 3: self = .knee
      case 4: self = .gain
      case 5: self = .slope
      default:
        guard 0 <= index && index < Multiband.bandCount * perBand,
          let parameter = BandParameter(rawValue: index % perBand)
        else { return nil }
        self = .band(index / perBand, parameter)
      }
    }

    public var rawValue: Int {
      @_noLocks @_noAllocation get {
        switch self {
        case .crossover(let number): number
        case .knee: 3
        case .gain: 4
        case .slope: 5
        case .band(let band, let parameter): 6 + band * BandParameter.count + parameter.rawValue
        }
      }
    }
  }

  /// The parameters of a band, in index order.
  public enum BandParameter: Int, CaseIterable, Sendable {
    /// The level above which the band is compressed, in dBFS.
    case threshold
    /// The compression ratio: the input change in decibels above the threshold that changes the output by 1 dB.
    case ratio
    /// The time in which a growing gain reduction is 63 % complete, in milliseconds.
    case attack
    /// The time in which a shrinking gain reduction is 63 % complete, in milliseconds.
    case release
    /// The gain after the band's compression, in decibels.
    case gain

    @usableFromInline static var count: Int { @_noLocks @_noAllocation get { 5 } }
  }

  /// The filters' states for two channels and one slope.
  private struct Filters: BitwiseCopyable {
    var low = LinkwitzRiley(), middle = LinkwitzRiley(), high = LinkwitzRiley()
    /// The all-passes that give the lower half the phase shift of the highest crossover, and the upper half that of the
    /// lowest.
    var lowerAllPass = CrossoverAllPass(), upperAllPass = CrossoverAllPass()

    @_noLocks @_noAllocation init() {}
  }

  static var bandCount: Int { @_noLocks @_noAllocation get { 4 } }
  /// The number of frames in a slice.
  private static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }

  /// The time for which the filters of another slope run unheard before they fade in, in seconds.
  private static var settling: Double { @_noLocks @_noAllocation get { 0.04 } }

  private let pairCount: Int
  private let sampleRate: Double
  private var slope = ChoiceFade(0)
  private var low: Crossover, middle: Crossover, high: Crossover
  /// The filters of both slopes, ordered by pair of channels.
  private let filters: UnsafeMutablePointer<Filters>
  private let bands: UnsafeMutablePointer<CompressorBand>
  /// The bands of a slice, ordered by pair of channels.
  private let samples: UnsafeMutablePointer<SIMD2<Double>>
  /// The bands of one pair of channels with the slope that fades in.
  private let others: UnsafeMutablePointer<SIMD2<Double>>
  /// The magnitudes, then the gain factors of a slice, ordered by band.
  private let gains: UnsafeMutablePointer<Float>
  private var gain: Ramp

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require(bands: Self.bandCount...Self.bandCount)
    try layout.requireMatching()
    let initial = Self.initial, rate = layout.sampleRate
    sampleRate = rate
    pairCount = ((layout.outputs.first ?? 1) + 1) / 2
    low = Crossover(initial.low, rate)
    middle = Crossover(initial.middle, rate)
    high = Crossover(initial.high, rate)
    gain = Ramp(1)
    unsafe filters = .allocate(capacity: 2 * pairCount)
    unsafe filters.initialize(repeating: Filters(), count: 2 * pairCount)
    unsafe bands = .allocate(capacity: Self.bandCount)
    for band in 0..<Self.bandCount { unsafe (bands + band).initialize(to: Self.band(rate)) }
    let pairSize = Self.bandCount * Self.sliceLength
    unsafe samples = .allocate(capacity: (pairCount + 1) * pairSize)
    unsafe samples.initialize(repeating: SIMD2(), count: (pairCount + 1) * pairSize)
    unsafe others = unsafe samples + pairCount * pairSize
    unsafe gains = .allocate(capacity: Self.bandCount * Self.sliceLength)
    unsafe gains.initialize(repeating: 0, count: Self.bandCount * Self.sliceLength)
  }

  deinit {
    unsafe filters.deallocate()
    unsafe bands.deinitialize(count: Self.bandCount)
    unsafe bands.deallocate()
    unsafe samples.deallocate()
    unsafe gains.deallocate()
  }

  public var tail: Int { @_noLocks @_noAllocation get { low.tail + middle.tail + high.tail } }

  @_noLocks @_noAllocation public mutating func reset() {
    low.finish()
    middle.finish()
    high.finish()
    gain.finish()
    slope.arrive()
    clear(slope.active)
    for band in 0..<Self.bandCount { unsafe bands[band].reset() }
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .crossover(let number):
      switch number {
      case 0: low.glide(to: value, over: frames)
      case 1: middle.glide(to: value, over: frames)
      default: high.glide(to: value, over: frames)
      }
    case .knee:
      for band in 0..<Self.bandCount { unsafe bands[band].curve.knee.glide(to: value, over: frames) }
    case .gain: gain.glide(to: Decibels.amplitude(value), over: frames)
    case .slope:
      if slope.glide(to: value >= 0.5 ? 1 : 0, over: frames) { clear(slope.active) }
    case .band(let band, let bandParameter):
      guard 0 <= band && band < Self.bandCount else { return }
      switch bandParameter {
      case .threshold: unsafe bands[band].curve.threshold.glide(to: value, over: frames)
      case .ratio: unsafe bands[band].curve.slope.glide(to: GainCurve.slope(value), over: frames)
      case .attack: unsafe bands[band].follower.rise.glide(to: value, over: frames)
      case .release: unsafe bands[band].setRelease(value, over: frames)
      case .gain: unsafe bands[band].gain.glide(to: Decibels.amplitude(value), over: frames)
      }
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0, most = SIMD4<Float>()
    while start < block.frameCount {
      if slope.begin() {
        clear(slope.next)
        slope.wait(max(Int(Self.settling * sampleRate), 1))
      }
      var count = slope.sliceLength(atMost: min(Self.sliceLength, block.frameCount - start))
      count = min(low.begin(count), min(middle.begin(count), high.begin(count)))
      let part = block.slice(from: start, count: count)
      for pair in 0..<pairCount { cut(part, pair) }
      for band in 0..<Self.bandCount { most[band] = max(most[band], compress(band, count)) }
      for pair in 0..<pairCount { sum(part, pair) }
      low.advance(count)
      middle.advance(count)
      high.advance(count)
      gain.skip(count)
      slope.advance(count)
      start += count
    }
    for band in 0..<Self.bandCount { block.show(most[band], on: band) }
  }

  /// Clears the filters of a slope.
  @_noLocks @_noAllocation private func clear(_ choice: Int) {
    for pair in 0..<pairCount { unsafe filters[2 * pair + choice] = Filters() }
  }

  /// Splits two channels into bands, at most a slice.
  @_noLocks @_noAllocation private func cut(_ block: Block, _ pair: Int) {
    let sound = unsafe samples + pair * Self.bandCount * Self.sliceLength
    unsafe split(block, pair, slope.active, into: sound)
    guard slope.isChanging else { return }
    unsafe split(block, pair, slope.next, into: others)
    for frame in 0..<block.frameCount {
      let way = slope.fade.value(after: frame + 1), share = Double(way * way * (3 - 2 * way))
      for band in 0..<Self.bandCount {
        let index = band * Self.sliceLength + frame
        unsafe sound[index] += (others[index] - sound[index]) * share
      }
    }
  }

  /// Splits two channels into bands with the filters of one slope.
  @_noLocks @_noAllocation
  private func split(
    _ block: Block, _ pair: Int, _ choice: Int, into first: UnsafeMutablePointer<SIMD2<Double>>
  ) {
    let source = block.input(), count = block.frameCount, isSteep = choice == 1
    let left = 2 * pair, right = min(left + 1, source.channelCount - 1)
    let dryLeft = source[left], dryRight = source[right], filter = unsafe filters + 2 * pair + choice
    let second = unsafe first + Self.sliceLength
    let third = unsafe second + Self.sliceLength, fourth = unsafe third + Self.sliceLength
    for frame in 0..<count {
      unsafe fourth[frame] = SIMD2(Double(dryLeft[clean: frame]), Double(dryRight[clean: frame]))
    }
    unsafe filter.pointee.middle.run(fourth, low: second, count: count, middle, isSteep: isSteep)
    unsafe filter.pointee.lowerAllPass.run(second, count: count, high, isSteep: isSteep)
    unsafe filter.pointee.upperAllPass.run(fourth, count: count, low, isSteep: isSteep)
    unsafe filter.pointee.low.run(second, low: first, count: count, low, isSteep: isSteep)
    unsafe filter.pointee.high.run(fourth, low: third, count: count, high, isSteep: isSteep)
  }

  /// Computes the gain factors of a band.
  ///
  /// - Returns: its largest gain reduction, in decibels.
  @_noLocks @_noAllocation private mutating func compress(_ band: Int, _ count: Int) -> Float {
    let factors = unsafe gains + band * Self.sliceLength
    for frame in 0..<count { unsafe factors[frame] = 0 }
    for pair in 0..<pairCount {
      let sound = unsafe samples + (pair * Self.bandCount + band) * Self.sliceLength
      for frame in 0..<count {
        unsafe factors[frame] = max(factors[frame], Float(max(abs(sound[frame].x), abs(sound[frame].y))))
      }
    }
    return unsafe bands[band].run(factors, count: count)
  }

  /// Sums the bands of two channels.
  @_noLocks @_noAllocation private mutating func sum(_ block: Block, _ pair: Int) {
    let sink = block.output(), left = 2 * pair, right = min(left + 1, sink.channelCount - 1)
    let wetLeft = sink[left], wetRight = sink[right]
    let sound = unsafe samples + pair * Self.bandCount * Self.sliceLength
    for frame in 0..<block.frameCount {
      var whole = SIMD2<Double>()
      for band in 0..<Self.bandCount {
        let index = band * Self.sliceLength + frame
        unsafe whole += sound[index] * Double(gains[index])
      }
      whole *= Double(gain.value(after: frame + 1))
      wetLeft[frame] = Float(whole.x)
      wetRight[frame] = Float(whole.y)
    }
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Multiband, _ block: Block) {
  effect.set(.band(0, .gain), to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
