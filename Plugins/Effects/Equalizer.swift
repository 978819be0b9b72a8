// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Shapes tone with 1 to 32 bands of thirteen kinds of filter, one after the other, and a gain behind them.
///
/// A band is on unless it is switched off. Every parameter may move while sound passes: filters glide and stay
/// stable, and a new type of filter fades in over the old one. A frequency above 0.49 of the sample rate acts at
/// that limit. Any number of channels from 1 to 64; in stereo, a band may work on one channel, on the middle or on
/// the sides alone.
@safe public struct Equalizer: Effect, ~Copyable {
  /// The numbers of the parameters.
  public enum Parameter: RawRepresentable, Sendable {
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
  public enum BandParameter: Int, CaseIterable, Sendable {
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
    /// The slope of a pass, as an index into 6, 12, 18, 24, 36, 48, 72 and 96 dB an octave.
    case slope
    /// Which part of a stereo sound it works on: 0 all, 1 left, 2 right, 3 mid, 4 side.
    case channels

    @usableFromInline static var count: Int { @_noLocks @_noAllocation get { 7 } }
  }

  static var mostBands: Int { @_noLocks @_noAllocation get { 32 } }
  /// How many frames are worked on at once: what fits the fastest cache.
  private static var stretch: Int { @_noLocks @_noAllocation get { 64 } }

  private let bandCount: Int, pairCount: Int, isStereo: Bool
  private let bands: UnsafeMutablePointer<EqualizerBand>
  private let sections: UnsafeMutablePointer<EqualizerSection>
  /// The sections' memories, band by band, pair of channels by pair of channels. Those of sections that are
  /// not in use are clear, so that one begins from silence when it comes back.
  private let memories: UnsafeMutablePointer<Biquad>
  /// The stretch being worked on, and what it was before a band that works on a part of it.
  private let samples: UnsafeMutablePointer<SIMD2<Double>>, dry: UnsafeMutablePointer<SIMD2<Double>>
  private var amplitude = Ramp(1)
  /// How many frames of the segment in which coefficients move lie ahead; `Int.max` while nothing moves.
  private var segment = 0

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require(bands: 1...Self.mostBands)
    try layout.requireMatching()
    bandCount = layout.bandCount
    pairCount = ((layout.outputs.first ?? 1) + 1) / 2
    isStereo = layout.outputs.first == 2
    let sectionCount = bandCount * EqualizerBand.mostSections
    unsafe bands = .allocate(capacity: bandCount)
    unsafe sections = .allocate(capacity: sectionCount)
    for band in 0..<bandCount {
      let flat = unsafe EqualizerBand(
        Filter(.parametric, frequency: 1000), sections: sections + band * EqualizerBand.mostSections,
        sampleRate: layout.sampleRate)
      unsafe (bands + band).initialize(to: flat)
    }
    unsafe memories = .allocate(capacity: sectionCount * pairCount)
    unsafe memories.initialize(repeating: Biquad(), count: sectionCount * pairCount)
    unsafe samples = .allocate(capacity: Self.stretch)
    unsafe samples.initialize(repeating: SIMD2(), count: Self.stretch)
    unsafe dry = .allocate(capacity: Self.stretch)
    unsafe dry.initialize(repeating: SIMD2(), count: Self.stretch)
  }

  deinit {
    unsafe bands.deallocate()
    unsafe sections.deallocate()
    unsafe memories.deallocate()
    unsafe samples.deallocate()
    unsafe dry.deallocate()
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
    for band in 0..<bandCount {
      unsafe bands[band].arrive()
      clear(band, 0..<EqualizerBand.mostSections)
    }
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
      let used = unsafe bands[band].sectionCount
      unsafe bands[band].beginSegment(segment)
      clear(band, unsafe min(bands[band].sectionCount, used)..<used)
    }
  }

  /// Lets sections of a band forget all sound.
  @_noLocks @_noAllocation private mutating func clear(_ band: Int, _ sections: Range<Int>) {
    for pair in 0..<pairCount {
      let memory = unsafe self.memory(band, pair)
      for section in sections { unsafe memory[section] = Biquad() }
    }
  }

  @_noLocks @_noAllocation private func memory(_ band: Int, _ pair: Int) -> UnsafeMutablePointer<Biquad> {
    unsafe memories + (pair * bandCount + band) * EqualizerBand.mostSections
  }

  @_noLocks @_noAllocation private mutating func finish(_ count: Int) {
    amplitude.skip(count)
    for band in 0..<bandCount { unsafe bands[band].sides.skip(count) }
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

  /// Runs the stretch through the bands.
  @_noLocks @_noAllocation private mutating func filter(_ pair: Int, _ count: Int) {
    var row = unsafe EqualizerRow(samples, count: count)
    for band in 0..<bandCount {
      let sectionCount = unsafe bands[band].sectionCount
      guard sectionCount > 0 else { continue }
      let isPart = unsafe isStereo ? !bands[band].sides.areAll : false
      if isPart {
        row.finish()
        for frame in 0..<count { unsafe dry[frame] = samples[frame] }
      }
      let memory = unsafe self.memory(band, pair), isMoving = unsafe bands[band].isMoving
      for section in 0..<sectionCount {
        unsafe row.add(memory + section, bands[band].section(section), isMoving: isMoving)
      }
      if isPart {
        row.finish()
        unsafe bands[band].sides.spread(samples, over: dry, count: count)
      }
    }
    row.finish()
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Equalizer, _ block: Block) {
  unit.set(.band(0, .gain), to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
