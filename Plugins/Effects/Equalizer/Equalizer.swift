// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// An equalizer with 1 to 32 bands in series, each with one of thirteen kinds of filter, and a gain after them.
///
/// A band is on by default. Every parameter may move while the effect plays: filters glide and stay stable, and a new
/// filter type crossfades from the old one. A frequency above 0.49 of the sample rate is limited to it. 1 to 64
/// channels; in stereo, a band may process one channel, the mid or the side signal alone.
@safe public struct Equalizer: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: RawRepresentable, Sendable {
    /// The gain after all bands, in decibels.
    case gain
    /// A parameter of a band; the band's index counts from 0.
    case band(Int, BandParameter)

    @_noLocks @_noAllocation public init?(rawValue: Int) {
      let index = rawValue - 1, perBand = BandParameter.count
      guard index >= 0 else {
        guard rawValue == 0 else { return nil }
        self = .gain
        return
      }
      guard index < Equalizer.mostBands * perBand, let parameter = BandParameter(rawValue: index % perBand)
      else {
        return nil
      }
      self = .band(index / perBand, parameter)
    }

    public var rawValue: Int {
      @_noLocks @_noAllocation get {
        switch self {
        case .gain: 0
        case .band(let band, let parameter): 1 + band * BandParameter.count + parameter.rawValue
        }
      }
    }
  }

  /// The parameters of a band, in index order.
  public enum BandParameter: Int, CaseIterable, Sendable {
    /// The kind of filter, as a raw value of `Filter.Kind`.
    case type
    /// The centre, corner or edge frequency, in hertz.
    case frequency
    /// The bandwidth, in octaves.
    case bandwidth
    /// The gain of the filter, in decibels.
    case gain
    /// Whether the band is on.
    case enabled
    /// The slope of a low-pass or high-pass, as an index into 6, 12, 18, 24, 36, 48, 72 and 96 dB an octave.
    case slope
    /// The part of a stereo signal that the band processes: 0 all, 1 left, 2 right, 3 mid, 4 side.
    case channels

    @usableFromInline static var count: Int { @_noLocks @_noAllocation get { 7 } }
  }

  static var mostBands: Int { @_noLocks @_noAllocation get { 32 } }
  /// The number of frames in a slice, chosen to fit the first-level cache.
  private static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }

  private let bandCount: Int, pairCount: Int, isStereo: Bool
  private let bands: UnsafeMutablePointer<EqualizerBand>
  private let sections: UnsafeMutablePointer<EqualizerSection>
  /// The sections' states, ordered by pair of channels and then by band. States of unused sections are clear, so that a
  /// section starts from silence when it is used again.
  private let memories: UnsafeMutablePointer<Biquad>
  /// The current slice, and a copy of it from before a band that processes only a part.
  private let samples: UnsafeMutablePointer<SIMD2<Double>>, dry: UnsafeMutablePointer<SIMD2<Double>>
  private var amplitude = Ramp(1)
  /// The number of frames until the end of the segment in which the coefficients are interpolated; `Int.max` if no
  /// parameter moves.
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
    unsafe samples = .allocate(capacity: Self.sliceLength)
    unsafe samples.initialize(repeating: SIMD2(), count: Self.sliceLength)
    unsafe dry = .allocate(capacity: Self.sliceLength)
    unsafe dry.initialize(repeating: SIMD2(), count: Self.sliceLength)
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
    case .band(let band, let bandParameter):
      guard 0 <= band && band < bandCount else { return }
      unsafe bands[band].set(bandParameter, to: value, over: frames)
      segment = 0
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      if segment == 0 { beginSegment() }
      let count = min(min(segment, Self.sliceLength), block.frameCount - start)
      for pair in 0..<pairCount { shape(block, pair, from: start, count: count) }
      finish(count)
      start += count
    }
  }

  /// Begins a segment in which the coefficients of all bands are interpolated linearly.
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

  /// Clears the states of sections of a band.
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

  /// Processes two channels through all bands, at most a slice.
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
    let isMoving = amplitude.isMoving, rest = Double(amplitude.target)
    for frame in 0..<count {
      let factor = isMoving ? Double(amplitude.value(after: frame + 1)) : rest
      let wet = unsafe (samples[frame] * factor).clamped(lowerBound: Self.lowest, upperBound: Self.highest)
      wetLeft[start + frame] = Float(wet.x)
      wetRight[start + frame] = Float(wet.y)
    }
  }

  /// The output limits: 32 bands at +24 dB can amplify beyond the largest valid sample.
  private static var highest: SIMD2<Double> { @_noLocks @_noAllocation get { SIMD2(1e15, 1e15) } }
  private static var lowest: SIMD2<Double> { @_noLocks @_noAllocation get { SIMD2(-1e15, -1e15) } }

  /// Filters the slice with all bands.
  @_noLocks @_noAllocation private mutating func filter(_ pair: Int, _ count: Int) {
    var row = unsafe SectionChain(samples, count: count)
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

@_noLocks @_noAllocation private func proof(_ effect: inout Equalizer, _ block: Block) {
  effect.set(.band(0, .gain), to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
