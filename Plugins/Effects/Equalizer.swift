// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Shapes tone with 1 to 32 bands of eleven kinds of filter, one after the other, and a gain behind them.
///
/// What is written down is active: a band is on unless it is switched off. Every knob may be moved while
/// sound passes, as fast as one likes: filters glide and stay stable, and a new kind fades in over the old
/// one. A frequency above 0.49 of the sample rate is kept as asked and acts there. Any number of channels
/// from 1 to 64.
@safe public struct Equalizer: EffectUnit, ~Copyable {
  /// What can be set.
  public enum Parameter: ParameterSet {
    /// The level behind all bands, in decibels.
    case gain
    /// A knob of a band, counted from 0.
    case band(Int, BandParameter)

    @_noLocks @_noAllocation public init?(rawValue: Int) {
      let place = rawValue - 1, knobs = BandParameter.count
      guard place >= 0 else {
        guard rawValue == 0 else { return nil }
        self = .gain
        return
      }
      guard place < Equalizer.mostBands * knobs, let knob = BandParameter(rawValue: place % knobs) else {
        return nil
      }
      self = .band(place / knobs, knob)
    }

    public var rawValue: Int {
      @_noLocks @_noAllocation get {
        switch self {
        case .gain: 0
        case .band(let band, let knob): 1 + band * BandParameter.count + knob.rawValue
        }
      }
    }
  }

  /// The knobs of a band, in the order of their numbers.
  public enum BandParameter: Int, Sendable {
    /// Its kind of filter, by the number of `Filter.Kind`.
    case type
    /// Its middle, corner or edge.
    case frequency
    /// How wide it is.
    case bandwidth
    /// How much it lifts or cuts.
    case gain
    /// Whether it is on.
    case enabled

    @usableFromInline static var count: Int { @_noLocks @_noAllocation get { 5 } }
  }

  static var mostBands: Int { @_noLocks @_noAllocation get { 32 } }
  /// How many frames are worked on at once: what fits the fastest cache.
  private static var stretch: Int { @_noLocks @_noAllocation get { 64 } }

  private let bandCount: Int, pairCount: Int
  private let bands: UnsafeMutablePointer<EqualizerBand>
  /// The bands' memories, pair of channels by pair of channels.
  private let memories: UnsafeMutablePointer<Biquad>
  private let samples: UnsafeMutablePointer<SIMD2<Double>>
  private var amplitude = Ramp(1)
  /// How many frames of the segment in which coefficients move lie ahead; `Int.max` while nothing moves.
  private var segment = 0

  public init(_ layout: Layout) throws(UnitError) {
    try layout.require(bands: 1...Self.mostBands)
    try layout.requireMatching()
    bandCount = layout.bandCount
    pairCount = ((layout.outputs.first ?? 1) + 1) / 2
    unsafe bands = .allocate(capacity: bandCount)
    unsafe bands.initialize(repeating: Self.flat(layout.sampleRate), count: bandCount)
    unsafe memories = .allocate(capacity: bandCount * pairCount)
    unsafe memories.initialize(repeating: Biquad(), count: bandCount * pairCount)
    unsafe samples = .allocate(capacity: Self.stretch)
    unsafe samples.initialize(repeating: SIMD2(), count: Self.stretch)
  }

  deinit {
    unsafe bands.deallocate()
    unsafe memories.deallocate()
    unsafe samples.deallocate()
  }

  public var tail: Int {
    @_noLocks @_noAllocation get {
      var sum = 0
      for band in 0..<bandCount { unsafe sum += bands[band].tail }
      return sum
    }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    amplitude.finish()
    for band in 0..<bandCount { unsafe bands[band].arrive() }
    for memory in 0..<bandCount * pairCount { unsafe memories[memory] = Biquad() }
    segment = 0
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .gain: amplitude.glide(to: Decibels.fader(value), over: frames)
    case .band(let band, let knob):
      guard 0 <= band && band < bandCount else { return }
      unsafe bands[band].set(knob, to: value, over: frames)
      segment = 0
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      if segment == 0 { beginSegment() }
      let count = min(min(segment, Self.stretch), block.frameCount - start)
      for pair in 0..<pairCount { shape(block, pair, from: start, count: count) }
      finish(count)
      start += count
    }
  }

  /// Plans until when the coefficients of all bands go straight.
  @_noLocks @_noAllocation private mutating func beginSegment() {
    var shortest = Int.max
    for band in 0..<bandCount { unsafe shortest = min(shortest, bands[band].shortestGlide) }
    let isMoving = shortest < Int.max
    segment = isMoving ? min(shortest, EqualizerBand.longestSegment) : Int.max
    for band in 0..<bandCount {
      unsafe bands[band].beginSegment(segment)
      // A band that is off remembers nothing, so that it begins from silence when it comes back.
      guard unsafe !bands[band].isActive else { continue }
      for pair in 0..<pairCount { unsafe memories[pair * bandCount + band] = Biquad() }
    }
  }

  @_noLocks @_noAllocation private mutating func finish(_ count: Int) {
    amplitude.skip(count)
    guard segment < Int.max else { return }
    segment -= count
    for band in 0..<bandCount where unsafe bands[band].isMoving {
      unsafe bands[band].advance(count, atEnd: segment == 0)
    }
  }

  /// Takes two channels through all bands, at most a stretch of frames.
  @_noLocks @_noAllocation
  private mutating func shape(_ block: Block, _ pair: Int, from start: Int, count: Int) {
    let source = block.input(), sink = block.output()
    let left = 2 * pair, right = min(left + 1, sink.channelCount - 1)
    let dryLeft = source[left], dryRight = source[right]
    for frame in 0..<count {
      unsafe samples[frame] = SIMD2(
        Double(dryLeft[clean: start + frame]), Double(dryRight[clean: start + frame]))
    }
    filter(pair, count)
    let wetLeft = sink[left], wetRight = sink[right]
    for frame in 0..<count {
      let factor = Double(amplitude.value(after: frame + 1))
      let wet = unsafe (samples[frame] * factor).clamped(lowerBound: Self.lowest, upperBound: Self.highest)
      wetLeft[start + frame] = Float(wet.x)
      wetRight[start + frame] = Float(wet.y)
    }
  }

  /// Bounds of what comes out: 32 bands at +24 dB can lift further than a sample reaches.
  private static var highest: SIMD2<Double> { @_noLocks @_noAllocation get { SIMD2(1e15, 1e15) } }
  private static var lowest: SIMD2<Double> { @_noLocks @_noAllocation get { SIMD2(-1e15, -1e15) } }

  /// Runs the stretch through the bands: those at rest two by two, those on the move one by one.
  @_noLocks @_noAllocation private mutating func filter(_ pair: Int, _ count: Int) {
    let memories = unsafe self.memories + pair * bandCount
    var waiting = -1
    for band in 0..<bandCount where unsafe bands[band].isActive {
      if unsafe bands[band].isMoving {
        if waiting >= 0 { unsafe memories[waiting].run(samples, count: count, bands[waiting].coefficients) }
        waiting = -1
        unsafe bands[band].reached = memories[band].run(
          samples, count: count, from: bands[band].coefficients, step: bands[band].step)
      } else if waiting >= 0 {
        unsafe memories[waiting].run(
          samples, count: count, bands[waiting].coefficients, then: &memories[band], bands[band].coefficients)
        waiting = -1
      } else {
        waiting = band
      }
    }
    if waiting >= 0 { unsafe memories[waiting].run(samples, count: count, bands[waiting].coefficients) }
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Equalizer, _ block: Block) {
  unit.set(.band(0, .gain), to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
