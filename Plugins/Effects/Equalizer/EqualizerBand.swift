// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// One band of an equalizer: the values of its parameters, their targets, and the filter coefficients.
///
/// The parameters glide: the frequency logarithmically, the gain linearly in decibels, the bandwidth linearly in its
/// square root. (With a linear bandwidth a narrow resonance changes too fast, with a logarithmic one a wide resonance.)
/// The coefficients are computed on a grid of ``longestSegment`` frames and interpolated linearly in between. Kind,
/// slope and on/off cannot glide: for them the coefficients crossfade from the old to the new ones, and a section that
/// is added or removed crossfades from or to a pass-through section. The crossfade begins and ends with zero slope,
/// because the corners of eight linear crossfades in series would add up.
@safe struct EqualizerBand: BitwiseCopyable {
  /// The interval at which moving coefficients are computed, in frames.
  static var longestSegment: Int { @_noLocks @_noAllocation get { 16 } }
  /// The number of sections of the steepest slope.
  static var mostSections: Int { @_noLocks @_noAllocation get { 8 } }

  /// The number of active sections; 0 if the band is off.
  private(set) var sectionCount = 0
  /// Whether the coefficients change in this segment.
  private(set) var isMoving = false
  /// The number of frames for which the band rings after all glides have ended.
  private(set) var tail = 0
  /// The part of a stereo signal that the band processes.
  var sides = EqualizerPart()

  /// The sections, as many as the steepest slope has, in memory that the equalizer owns.
  private let sections: UnsafeMutablePointer<EqualizerSection>
  private let sampleRate: Double
  private var isEnabled = true
  private var kind: Filter.Kind
  private var order = 2
  private var frequency: Float, bandwidth: Float
  private var logarithm: Ramp, root: Ramp, gain: Ramp
  /// The progress of the crossfade, from 0, the coefficients before the last switch, to 1, those of the parameters.
  private var mix = Ramp(1)
  private var jumps = false

  /// Creates a band at rest over uninitialised memory for ``mostSections`` sections.
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

  /// Returns a section of the band. Sections from ``sectionCount`` on are not used.
  @_noLocks @_noAllocation func section(_ number: Int) -> UnsafeMutablePointer<EqualizerSection> {
    unsafe sections + number
  }

  /// Sets a parameter. The caller then begins a new segment.
  @_noLocks @_noAllocation
  mutating func set(_ parameter: Equalizer.BandParameter, to value: Float, over frames: Int) {
    switch parameter {
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
    jumps = jumps || frames == 0
    addMissingSections()
    let filter = filter(after: Int.max / 2)
    tail = 0
    for number in 0..<sectionCount { tail += requested(number, of: filter, mix: 1).tail }
  }

  /// Finishes all glides at their targets.
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
      unsafe sections[number].coefficients = requested(number, of: filter, mix: 1)
      unsafe tail += sections[number].coefficients.tail
    }
  }

  /// The number of frames until the first glide ends; `Int.max` if nothing glides.
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

  /// Computes the coefficients at the end of the next `frames` frames. Sections that are no longer needed are removed.
  @_noLocks @_noAllocation mutating func beginSegment(_ frames: Int) {
    if !mix.isMoving { sectionCount = isEnabled ? min(sectionCount, wantedCount) : 0 }
    if jumps {
      let filter = filter(after: 0), mix = mixed(after: 0)
      for number in 0..<sectionCount {
        unsafe sections[number].coefficients = requested(number, of: filter, mix: mix)
      }
    }
    jumps = false
    isMoving = isGliding
    guard isMoving else { return }
    let filter = filter(after: frames), mix = mixed(after: frames)
    for number in 0..<sectionCount {
      let arrival = requested(number, of: filter, mix: mix)
      unsafe sections[number].arrival = arrival
      unsafe sections[number].step = sections[number].coefficients.step(to: arrival, over: frames)
    }
  }

  /// Advances by `frames` frames within a segment, in which the coefficients have moved to `reached`.
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

  /// The number of sections that kind and slope require.
  private var wantedCount: Int {
    @_noLocks @_noAllocation get {
      min(Filter(kind, frequency: 1000).sectionCount(order: order), Self.mostSections)
    }
  }

  /// Starts a crossfade from the current coefficients.
  @_noLocks @_noAllocation private mutating func remix(over frames: Int) {
    for number in 0..<sectionCount { unsafe sections[number].before = sections[number].coefficients }
    mix = Ramp(0)
    mix.glide(to: 1, over: -abs(frames))
  }

  /// Adds the sections that are missing. They crossfade from a pass-through section.
  @_noLocks @_noAllocation private mutating func addMissingSections() {
    guard isEnabled else { return }
    let filter = filter(after: 0)
    while sectionCount < wantedCount {
      let start = requested(sectionCount, of: filter, mix: 1).bypassed
      unsafe sections[sectionCount] = EqualizerSection(start)
      sectionCount += 1
    }
  }

  /// Returns the filter that the parameters describe `frames` frames from now.
  @_noLocks @_noAllocation private func filter(after frames: Int) -> Filter {
    // At the end of a glide the parameter itself is read, so that the value is exact.
    let logarithm = Double(logarithm.value(after: frames)), root = Double(root.value(after: frames))
    return Filter(
      kind, frequency: frames < self.logarithm.remaining ? rt_pow_double(10, logarithm) : Double(frequency),
      bandwidth: frames < self.root.remaining ? root * root : Double(bandwidth),
      gain: Double(gain.value(after: frames)))
  }

  /// Returns the proportion of the new coefficients in the crossfade `frames` frames from now.
  @_noLocks @_noAllocation private func mixed(after frames: Int) -> Float {
    mix.value(after: frames)
  }

  /// Returns the target coefficients of a section for a filter, at the proportion `mix` of the crossfade.
  @_noLocks @_noAllocation private func requested(_ number: Int, of filter: Filter, mix: Float)
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
