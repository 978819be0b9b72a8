// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Mixes sound with a copy whose short delay swings: a comb that moves through the spectrum.
///
/// With a delay of τ seconds and as much copy as sound, notches lie at (2k + 1)/2τ hertz. Feedback sharpens
/// what lies between; where it is negative, it sharpens the notches' side. Its loop never passes 18 dB above
/// full scale. The copy never comes nearer than two frames, so it does not pass through zero. Read points lie
/// between frames, by cubic interpolation. Any number of channels from 1 to 64.
public struct Flanger: Effect, ~Copyable {
  /// The numbers of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// How often the delay swings, in hertz.
    case rate
    /// How far it swings from shortest to longest, in milliseconds.
    case depth
    /// The shortest delay, in milliseconds.
    case delay
    /// How much of the copy goes in again, in percent.
    case feedback
    /// How far each channel swings ahead of the one before, in degrees.
    case stereoPhase
    /// How the delay swings: 0 as a sine, 1 as a triangle.
    case shape
    /// How much of what comes out is the copy, in percent.
    case mix
  }

  private var copy: SwingingDelay

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial
    copy = SwingingDelay(
      channelCount: layout.outputs.first ?? 1, longest: Self.longestDelay + Self.deepest, rate: initial.rate,
      sampleRate: layout.sampleRate)
    copy.setDepth(initial.depth, over: 0)
    copy.setDelay(initial.delay, over: 0)
    copy.feedback = Ramp(initial.feedback / 100)
    copy.turn = EasedRamp(Double(initial.stereoPhase) / 360)
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
    case .stereoPhase: copy.turn.glide(to: Double(value) / 360, over: frames)
    case .shape: copy.lfo.setShape(value, over: frames)
    case .mix: copy.mix.glide(to: value / 100, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) { copy.process(block) }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Flanger, _ block: Block) {
  unit.set(.rate, to: 1, over: 0)
  unit.reset()
  unit.process(block)
}
