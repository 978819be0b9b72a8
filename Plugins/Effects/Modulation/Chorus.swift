// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A chorus: makes one voice sound like several.
///
/// One to four voices repeat the signal after a short modulated delay, so each is slightly detuned: by a factor of up
/// to 1 ± π·rate·depth with a sine, and constantly of 1 ± 2·rate·depth with a triangle. Fractional delays are
/// interpolated between twelve frames: at 48 kHz a voice loses less than 1 dB at 18 kHz. Changes of delay and depth
/// glide and bend the pitch. The feedback loop is limited to 18 dB above full scale. 1 to 64 channels.
public struct Chorus: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The number of voices, from 1 to 4.
    case voices
    /// The modulation rate, in hertz.
    case rate
    /// The modulation depth: the difference between longest and shortest delay, in milliseconds.
    case depth
    /// The minimum delay, in milliseconds.
    case delay
    /// The proportion of the voices' mean that is fed back, in percent.
    case feedback
    /// The difference in modulation phase between the channels, in percent.
    case spread
    /// The waveform of the modulation: 0 sine, 1 triangle.
    case shape
    /// The proportion of voices in the output, in percent.
    case mix
  }

  private var voices: ModulatedDelay

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial
    voices = ModulatedDelay(
      channelCount: layout.outputs.first ?? 1, longest: Self.longestDelay + Self.deepest, rate: initial.rate,
      sampleRate: layout.sampleRate)
    voices.setVoices(initial.voices, over: 0)
    voices.setDepth(initial.depth, over: 0)
    voices.setDelay(initial.delay, over: 0)
    voices.feedback = Ramp(initial.feedback / 100)
    voices.phaseOffset = FineRamp(Self.phaseOffset(initial.spread))
    voices.mix = Ramp(initial.mix / 100)
  }

  public var tail: Int { @_noLocks @_noAllocation get { voices.tail } }

  @_noLocks @_noAllocation public mutating func reset() { voices.reset() }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .voices: voices.setVoices(value, over: frames)
    case .rate: voices.lfo.setRate(value, over: frames)
    case .depth: voices.setDepth(value, over: frames)
    case .delay: voices.setDelay(value, over: frames)
    case .feedback: voices.feedback.glide(to: value / 100, over: frames)
    case .spread: voices.phaseOffset.glide(to: Self.phaseOffset(value), over: frames)
    case .shape: voices.lfo.setShape(value, over: frames)
    case .mix: voices.mix.glide(to: value / 100, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) { voices.process(block) }

  /// Returns the phase offset between neighbouring channels in cycles. The maximum is three eighths of a cycle: no
  /// voice of a channel then has the same phase as a voice of the neighbouring channel, for any number of voices.
  @_noLocks @_noAllocation private static func phaseOffset(_ spread: Float) -> Double {
    Double(spread) / 100 * 0.375
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Chorus, _ block: Block) {
  effect.set(.voices, to: 1, over: 0)
  effect.reset()
  effect.process(block)
}
