// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// One band of an equalizer: where its knobs are, where they go, and what its filters multiply with
/// meanwhile.
///
/// The knobs glide: the frequency by equal ratios, the gain by equal steps, the bandwidth by equal steps of
/// its root (by equal steps a narrow resonance bends too fast, by equal ratios a wide one). The coefficients
/// follow them on a grid of ``longestSegment`` frames and go straight in between. Kind, slope and switch
/// cannot glide: they mix the coefficients of before with those of after; a section that comes or goes fades
/// from or to one that lets all through. The mix begins and ends softly, because the corners of eight
/// straight fades in a row would add up.
@safe struct EqualizerBand: BitwiseCopyable {
  /// How far apart the coefficients are computed anew while something moves, in frames.
  static var longestSegment: Int { @_noLocks @_noAllocation get { 16 } }
  /// How many sections the steepest slope has.
  static var mostSections: Int { @_noLocks @_noAllocation get { 8 } }

  /// How many sections are at work: none where the band is off.
  private(set) var sectionCount = 0
  /// Whether the coefficients change in this segment.
  private(set) var isMoving = false
  /// For how long the band rings on once its knobs have arrived, in frames.
  private(set) var tail = 0
  /// Which part of a stereo sound it works on.
  var sides = EqualizerSides()

  /// The filters, as many as the steepest slope has, in memory of the equalizer's.
  private let sections: UnsafeMutablePointer<EqualizerSection>
  private let sampleRate: Double
  private var isEnabled = true
  private var kind: Filter.Kind
  private var order = 2
  private var frequency: Float, bandwidth: Float
  private var logarithm: Ramp, root: Ramp, gain: Ramp
  /// From 0, the coefficients of before the last switch, to 1, those the knobs ask for.
  private var mix = Ramp(1)
  private var jumps = false

  /// A band at rest over uninitialised memory for ``mostSections``.
  init(_ filter: Filter, sections: UnsafeMutablePointer<EqualizerSection>, sampleRate: Double) {
    unsafe self.sections = unsafe sections
    self.sampleRate = sampleRate
    kind = filter.kind
    frequency = Float(filter.frequency)
    bandwidth = Float(filter.bandwidth)
    logarithm = Ramp(rt_log10(frequency))
    root = Ramp(rt_sqrt(bandwidth))
    gain = Ramp(Float(filter.gain))
    let coefficients = filter.coefficients(sampleRate: sampleRate)
    unsafe sections.initialize(repeating: EqualizerSection(coefficients), count: Self.mostSections)
    arrive()
  }

  /// A filter of the band. Those from ``sectionCount`` on are not in use.
  @_noLocks @_noAllocation func section(_ number: Int) -> UnsafeMutablePointer<EqualizerSection> {
    unsafe sections + number
  }

  /// Turns a knob. The caller then begins a new segment.
  @_noLocks @_noAllocation
  mutating func set(_ knob: Equalizer.BandParameter, to value: Float, over frames: Int) {
    switch knob {
    case .type:
      remix(over: frames)
      kind = Filter.Kind(rawValue: Int(value)) ?? kind
    case .slope:
      remix(over: frames)
      order = Equalizer.order(slope: Int(value))
    case .enabled:
      remix(over: frames)
      isEnabled = value >= 0.5
    case .frequency:
      frequency = value
      logarithm.glide(to: rt_log10(value), over: frames)
    case .bandwidth:
      bandwidth = value
      root.glide(to: rt_sqrt(value), over: frames)
    case .gain: gain.glide(to: value, over: frames)
    case .channels:
      sides.glide(to: Int(value), over: frames)
      return
    }
    jumps = jumps || frames <= 0
    wake()
    let filter = filter(after: Int.max / 2)
    tail = 0
    for number in 0..<sectionCount { tail += asked(number, of: filter, mix: 1).tail }
  }

  /// Ends all glides where they were heading.
  @_noLocks @_noAllocation mutating func arrive() {
    logarithm.finish()
    root.finish()
    gain.finish()
    mix.finish()
    sides.finish()
    jumps = false
    isMoving = false
    sectionCount = isEnabled ? wantedCount : 0
    let filter = filter(after: 0)
    tail = 0
    for number in 0..<sectionCount {
      unsafe sections[number].coefficients = asked(number, of: filter, mix: 1)
      unsafe tail += sections[number].coefficients.tail
    }
  }

  /// For how many frames something moves at the least; `Int.max` if nothing does.
  var shortestGlide: Int {
    @_noLocks @_noAllocation get {
      var shortest = Int.max
      if logarithm.isMoving { shortest = min(shortest, logarithm.remaining) }
      if root.isMoving { shortest = min(shortest, root.remaining) }
      if gain.isMoving { shortest = min(shortest, gain.remaining) }
      if mix.isMoving { shortest = min(shortest, mix.remaining) }
      return shortest
    }
  }

  /// Plans the next `frames` frames: where the coefficients go from here. Sections may come to their end.
  @_noLocks @_noAllocation mutating func beginSegment(_ frames: Int) {
    if !mix.isMoving { sectionCount = isEnabled ? min(sectionCount, wantedCount) : 0 }
    if jumps {
      let filter = filter(after: 0), mix = mixed(after: 0)
      for number in 0..<sectionCount {
        unsafe sections[number].coefficients = asked(number, of: filter, mix: mix)
      }
    }
    jumps = false
    isMoving = isGliding
    guard isMoving else { return }
    let filter = filter(after: frames), mix = mixed(after: frames)
    for number in 0..<sectionCount {
      let arrival = asked(number, of: filter, mix: mix)
      unsafe sections[number].arrival = arrival
      unsafe sections[number].step = sections[number].coefficients.step(to: arrival, over: frames)
    }
  }

  /// Moves on `frames` frames within a segment, which brought the coefficients to what was reached.
  @_noLocks @_noAllocation mutating func advance(_ frames: Int, atEnd: Bool) {
    logarithm.skip(frames)
    root.skip(frames)
    gain.skip(frames)
    mix.skip(frames)
    for number in 0..<sectionCount {
      unsafe sections[number].coefficients = atEnd ? sections[number].arrival : sections[number].reached
    }
    if atEnd { isMoving = isGliding }
  }

  private var isGliding: Bool { @_noLocks @_noAllocation get { shortestGlide < Int.max } }

  /// How many sections kind and slope ask for.
  private var wantedCount: Int {
    @_noLocks @_noAllocation get {
      min(Filter(kind, frequency: 1000).sectionCount(order: order), Self.mostSections)
    }
  }

  /// Begins to fade from the coefficients as they are.
  @_noLocks @_noAllocation private mutating func remix(over frames: Int) {
    for number in 0..<sectionCount { unsafe sections[number].before = sections[number].coefficients }
    mix = Ramp(0)
    mix.glide(to: 1, over: frames)
  }

  /// Takes into use the sections that are missing: what they were before lets all through.
  @_noLocks @_noAllocation private mutating func wake() {
    guard isEnabled else { return }
    let filter = filter(after: 0)
    while sectionCount < wantedCount {
      let start = asked(sectionCount, of: filter, mix: 1).bypassed
      unsafe sections[sectionCount] = EqualizerSection(start)
      sectionCount += 1
    }
  }

  /// What the knobs describe `frames` from now.
  @_noLocks @_noAllocation private func filter(after frames: Int) -> Filter {
    // At the end of a glide the knob itself is read, so that it is exact.
    let logarithm = Double(logarithm.value(after: frames)), root = Double(root.value(after: frames))
    return Filter(
      kind, frequency: frames < self.logarithm.remaining ? rt_pow_double(10, logarithm) : Double(frequency),
      bandwidth: frames < self.root.remaining ? root * root : Double(bandwidth),
      gain: Double(gain.value(after: frames)))
  }

  /// How much of what the knobs ask for is there `frames` from now.
  @_noLocks @_noAllocation private func mixed(after frames: Int) -> Float {
    let share = mix.value(after: frames)
    return share * share * (3 - 2 * share)
  }

  /// What a section is asked for by a filter, so much of the way from what it was before.
  @_noLocks @_noAllocation private func asked(_ number: Int, of filter: Filter, mix: Float)
    -> BiquadCoefficients
  {
    var target = unsafe sections[number].before.bypassed
    if number < filter.sectionCount(order: order) {
      target = filter.coefficients(section: number, order: order, sampleRate: sampleRate)
      if !isEnabled { target = target.bypassed }
    }
    return mix < 1 ? unsafe sections[number].before.mixed(with: target, Double(mix)) : target
  }
}
