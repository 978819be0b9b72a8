// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A flanger: mixes the signal with a copy whose short delay is modulated, so that a comb filter moves through the
/// spectrum.
///
/// With a delay of τ seconds and a mix of 50 %, the notches are at (2k + 1)/2τ hertz. Positive feedback sharpens the
/// peaks between the notches, negative feedback the frequencies of the notches. The feedback loop is limited to 18 dB
/// above full scale. The copy is delayed by at least two frames, so there is no through-zero flanging. Fractional
/// delays are interpolated between twelve frames, delays below six frames between fewer. 1 to 64 channels.
public struct Flanger: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The modulation rate, in hertz.
    case rate
    /// The modulation depth: the difference between longest and shortest delay, in milliseconds.
    case depth
    /// The minimum delay, in milliseconds.
    case delay
    /// The proportion of the copy that is fed back, in percent.
    case feedback
    /// The phase lead of each channel's modulation over the previous channel's, in degrees.
    case stereoPhase
    /// The waveform of the modulation: 0 sine, 1 triangle.
    case shape
    /// The proportion of the copy in the output, in percent.
    case mix
  }

  private var copy: ModulatedDelay

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial
    copy = ModulatedDelay(
      channelCount: layout.outputs.first ?? 1, longest: Self.longestDelay + Self.deepest, rate: initial.rate,
      sampleRate: layout.sampleRate)
    copy.setDepth(initial.depth, over: 0)
    copy.setDelay(initial.delay, over: 0)
    copy.feedback = Ramp(initial.feedback / 100)
    copy.phaseOffset = FineRamp(Double(initial.stereoPhase) / 360)
    copy.mix = Ramp(initial.mix / 100)
  }

  public var tail: Int { @_noLocks @_noAllocation get { copy.tail } }

  @_noLocks @_noAllocation public mutating func reset() { copy.reset() }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .rate: copy.lfo.setRate(value, over: frames)
    case .depth: copy.setDepth(value, over: frames)
    case .delay: copy.setDelay(value, over: frames)
    case .feedback: copy.feedback.glide(to: value / 100, over: frames)
    case .stereoPhase: copy.phaseOffset.glide(to: Double(value) / 360, over: frames)
    case .shape: copy.lfo.setShape(value, over: frames)
    case .mix: copy.mix.glide(to: value / 100, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) { copy.process(block) }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Flanger, _ block: Block) {
  effect.set(.rate, to: 1, over: 0)
  effect.reset()
  effect.process(block)
}
