// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// One band of an equalizer: where its knobs are, where they go, and what the filter multiplies with
/// meanwhile.
///
/// The knobs glide: frequency by equal ratios, the others by equal steps. The coefficients follow them on a
/// grid of ``longestSegment`` frames and go straight in between. Kind and switch cannot glide: they mix the
/// coefficients of before with those of after.
struct EqualizerBand: BitwiseCopyable {
  /// How far apart the coefficients are computed anew while something moves, in frames.
  static var longestSegment: Int { @_noLocks @_noAllocation get { 16 } }

  /// Whether the band shapes the sound, or is on its way to do so or to stop.
  var isActive: Bool { @_noLocks @_noAllocation get { isEnabled || mix.isMoving || isMoving } }
  /// Whether the coefficients change in this segment.
  private(set) var isMoving = false
  /// What the filter multiplies with: at rest all the time, on the move after the frame last worked on.
  private(set) var coefficients: BiquadCoefficients
  /// What the coefficients are after the stretch being worked on; written by who runs the filter.
  var reached: BiquadCoefficients
  /// What is added to them each frame while they move.
  private(set) var step: BiquadCoefficients
  /// For how long the band rings on once its knobs have arrived, in frames.
  private(set) var tail = 0

  private let sampleRate: Double
  private var isEnabled: Bool
  private var kind: Filter.Kind
  private var frequency: Float
  private var logarithm: Ramp, bandwidth: Ramp, gain: Ramp
  /// From 0, the coefficients of before the last switch, to 1, those the knobs ask for.
  private var mix = Ramp(1)
  private var before: BiquadCoefficients
  private var arrival: BiquadCoefficients
  private var jumps = false

  /// A band at rest.
  init(_ filter: Filter, isEnabled: Bool, sampleRate: Double) {
    self.sampleRate = sampleRate
    self.isEnabled = isEnabled
    kind = filter.kind
    frequency = Float(filter.frequency)
    logarithm = Ramp(rt_log10(frequency))
    bandwidth = Ramp(Float(filter.bandwidth))
    gain = Ramp(Float(filter.gain))
    coefficients = filter.coefficients(sampleRate: sampleRate)
    step = coefficients
    reached = coefficients
    before = coefficients
    arrival = coefficients
    arrive()
  }

  /// Turns a knob. The caller then begins a new segment.
  @_noLocks @_noAllocation
  mutating func set(_ knob: Equalizer.BandParameter, to value: Float, over frames: Int) {
    switch knob {
    case .type:
      kind = Filter.Kind(rawValue: Int(value)) ?? kind
      remix(over: frames)
    case .enabled:
      isEnabled = value >= 0.5
      remix(over: frames)
    case .frequency:
      frequency = value
      logarithm.glide(to: rt_log10(value), over: frames)
    case .bandwidth: bandwidth.glide(to: value, over: frames)
    case .gain: gain.glide(to: value, over: frames)
    }
    jumps = jumps || frames <= 0
    tail = asked(after: Int.max / 2).tail
  }

  /// Ends all glides where they were heading.
  @_noLocks @_noAllocation mutating func arrive() {
    logarithm.finish()
    bandwidth.finish()
    gain.finish()
    mix.finish()
    jumps = false
    isMoving = false
    coefficients = asked(after: 0)
    tail = coefficients.tail
  }

  /// For how many frames something moves at the least; `Int.max` if nothing does.
  var shortestGlide: Int {
    @_noLocks @_noAllocation get {
      var shortest = Int.max
      if logarithm.isMoving { shortest = min(shortest, logarithm.remaining) }
      if bandwidth.isMoving { shortest = min(shortest, bandwidth.remaining) }
      if gain.isMoving { shortest = min(shortest, gain.remaining) }
      if mix.isMoving { shortest = min(shortest, mix.remaining) }
      return shortest
    }
  }

  /// Plans the next `frames` frames: where the coefficients go from here.
  @_noLocks @_noAllocation mutating func beginSegment(_ frames: Int) {
    if jumps { coefficients = asked(after: 0) }
    jumps = false
    isMoving = shortestGlide < Int.max
    guard isMoving else { return }
    arrival = asked(after: frames)
    step = coefficients.step(to: arrival, over: frames)
  }

  /// Moves on `frames` frames within a segment, which brought the coefficients to ``reached``.
  @_noLocks @_noAllocation mutating func advance(_ frames: Int, atEnd: Bool) {
    logarithm.skip(frames)
    bandwidth.skip(frames)
    gain.skip(frames)
    mix.skip(frames)
    coefficients = atEnd ? arrival : reached
    if atEnd { isMoving = shortestGlide < Int.max }
  }

  @_noLocks @_noAllocation private mutating func remix(over frames: Int) {
    before = coefficients
    mix = Ramp(0)
    mix.glide(to: 1, over: frames)
  }

  /// What the knobs ask for `frames` from now.
  @_noLocks @_noAllocation private func asked(after frames: Int) -> BiquadCoefficients {
    let isGliding = logarithm.isMoving && frames < logarithm.remaining
    let filter = Filter(
      kind,
      frequency: isGliding ? rt_pow_double(10, Double(logarithm.value(after: frames))) : Double(frequency),
      bandwidth: Double(bandwidth.value(after: frames)), gain: Double(gain.value(after: frames)))
    let shaped = filter.coefficients(sampleRate: sampleRate)
    let target = isEnabled ? shaped : shaped.bypassed
    let amount = mix.value(after: frames)
    return amount < 1 ? before.mixed(with: target, Double(amount)) : target
  }
}
