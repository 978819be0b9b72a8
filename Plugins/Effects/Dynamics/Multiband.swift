// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A multiband compressor with four bands.
///
/// Three Linkwitz–Riley crossovers of 24 dB an octave make the bands. Each half of the middle crossover passes an
/// all-pass for the crossover of the other half, so that all bands have the same phase shift, and without compression
/// they sum flat: the output has the spectrum of the input. The crossover frequencies should be in ascending order. In
/// any other order the sum is still flat, but a band between two crossovers in the wrong order has little energy. Each
/// band's gain is computed from its loudest channel. 1 to 64 channels.
@safe public struct Multiband: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: RawRepresentable, Sendable {
    /// The crossover frequency after a band, counted from 0.
    case crossover(Int)
    /// The width of the knee of each band, in decibels.
    case knee
    /// The gain after all bands, in decibels.
    case gain
    /// A parameter of a band; the band's index counts from 0, the lowest.
    case band(Int, BandParameter)

    @_noLocks @_noAllocation public init?(rawValue: Int) {
      let place = rawValue - 5, knobs = BandParameter.count
      switch rawValue {
      case 0, 1, 2: self = .crossover(rawValue)
      case 3: self = .knee
      case 4: self = .gain
      default:
        guard 0 <= place && place < Multiband.bandCount * knobs,
          let knob = BandParameter(rawValue: place % knobs)
        else { return nil }
        self = .band(place / knobs, knob)
      }
    }

    public var rawValue: Int {
      @_noLocks @_noAllocation get {
        switch self {
        case .crossover(let number): number
        case .knee: 3
        case .gain: 4
        case .band(let band, let knob): 5 + band * BandParameter.count + knob.rawValue
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

  /// The filters' states for two channels.
  private struct Filters: BitwiseCopyable {
    var low = LinkwitzRiley(), middle = LinkwitzRiley(), high = LinkwitzRiley()
    /// The all-passes that give the lower half the phase shift of the highest crossover, and the upper half that of the
    /// lowest.
    var lowerTurn = Biquad(), upperTurn = Biquad()

    @_noLocks @_noAllocation init() {}
  }

  static var bandCount: Int { @_noLocks @_noAllocation get { 4 } }
  /// The number of frames in a slice.
  private static var stretch: Int { @_noLocks @_noAllocation get { 64 } }

  private let pairCount: Int
  private var low: Crossover, middle: Crossover, high: Crossover
  private let filters: UnsafeMutablePointer<Filters>
  private let bands: UnsafeMutablePointer<CompressorBand>
  /// The bands of a slice, ordered by pair of channels.
  private let samples: UnsafeMutablePointer<SIMD2<Double>>
  /// The magnitudes, then the gain factors of a slice, ordered by band.
  private let gains: UnsafeMutablePointer<Float>
  private var gain: Ramp

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require(bands: Self.bandCount...Self.bandCount)
    try layout.requireMatching()
    let initial = Self.initial, rate = layout.sampleRate
    pairCount = ((layout.outputs.first ?? 1) + 1) / 2
    low = Crossover(initial.low, rate)
    middle = Crossover(initial.middle, rate)
    high = Crossover(initial.high, rate)
    gain = Ramp(1)
    unsafe filters = .allocate(capacity: pairCount)
    unsafe filters.initialize(repeating: Filters(), count: pairCount)
    unsafe bands = .allocate(capacity: Self.bandCount)
    for band in 0..<Self.bandCount { unsafe (bands + band).initialize(to: Self.band(rate)) }
    unsafe samples = .allocate(capacity: pairCount * Self.bandCount * Self.stretch)
    unsafe samples.initialize(repeating: SIMD2(), count: pairCount * Self.bandCount * Self.stretch)
    unsafe gains = .allocate(capacity: Self.bandCount * Self.stretch)
    unsafe gains.initialize(repeating: 0, count: Self.bandCount * Self.stretch)
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
    for pair in 0..<pairCount { unsafe filters[pair] = Filters() }
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
    case .band(let band, let knob):
      guard 0 <= band && band < Self.bandCount else { return }
      switch knob {
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
      var count = min(Self.stretch, block.frameCount - start)
      count = min(low.begin(count), min(middle.begin(count), high.begin(count)))
      let part = block.slice(from: start, count: count)
      for pair in 0..<pairCount { cut(part, pair) }
      for band in 0..<Self.bandCount { most[band] = max(most[band], compress(band, count)) }
      for pair in 0..<pairCount { sum(part, pair) }
      low.advance(count)
      middle.advance(count)
      high.advance(count)
      gain.skip(count)
      start += count
    }
    for band in 0..<Self.bandCount { block.show(most[band], on: band) }
  }

  /// Splits two channels into bands, at most a slice.
  @_noLocks @_noAllocation private mutating func cut(_ block: Block, _ pair: Int) {
    let source = block.input(), count = block.frameCount
    let left = 2 * pair, right = min(left + 1, source.channelCount - 1)
    let dryLeft = source[left], dryRight = source[right]
    let first = unsafe samples + pair * Self.bandCount * Self.stretch
    let second = unsafe first + Self.stretch
    let third = unsafe second + Self.stretch, fourth = unsafe third + Self.stretch
    for frame in 0..<count {
      unsafe fourth[frame] = SIMD2(Double(dryLeft[clean: frame]), Double(dryRight[clean: frame]))
    }
    unsafe filters[pair].middle.run(fourth, low: second, count: count, middle)
    unsafe Self.turn(second, count, &filters[pair].lowerTurn, high)
    unsafe Self.turn(fourth, count, &filters[pair].upperTurn, low)
    unsafe filters[pair].low.run(second, low: first, count: count, low)
    unsafe filters[pair].high.run(fourth, low: third, count: count, high)
  }

  /// Applies the all-pass of `crossover`.
  @_noLocks @_noAllocation
  private static func turn(
    _ samples: UnsafeMutablePointer<SIMD2<Double>>, _ count: Int, _ filter: inout Biquad,
    _ crossover: Crossover
  ) {
    if crossover.isMoving {
      for frame in 0..<count {
        let with = crossover.coefficients(after: frame + 1).allPass
        unsafe samples[frame] = filter.next(samples[frame], with)
      }
    } else {
      unsafe filter.run(samples, count: count, crossover.coefficients(after: 0).allPass)
    }
  }

  /// Computes the gain factors of a band.
  ///
  /// - Returns: its largest gain reduction, in decibels.
  @_noLocks @_noAllocation private mutating func compress(_ band: Int, _ count: Int) -> Float {
    let factors = unsafe gains + band * Self.stretch
    for frame in 0..<count { unsafe factors[frame] = 0 }
    for pair in 0..<pairCount {
      let sound = unsafe samples + (pair * Self.bandCount + band) * Self.stretch
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
    let sound = unsafe samples + pair * Self.bandCount * Self.stretch
    for frame in 0..<block.frameCount {
      var whole = SIMD2<Double>()
      for band in 0..<Self.bandCount {
        let place = band * Self.stretch + frame
        unsafe whole += sound[place] * Double(gains[place])
      }
      whole *= Double(gain.value(after: frame + 1))
      wetLeft[frame] = Float(whole.x)
      wetRight[frame] = Float(whole.y)
    }
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Multiband, _ block: Block) {
  unit.set(.band(0, .gain), to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
