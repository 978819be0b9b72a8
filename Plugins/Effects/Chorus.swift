// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Makes one voice sound like several.
///
/// One to four voices repeat the sound after a short delay that swings, so each is a little out of tune: by a
/// factor of up to 1 ± π·rate·depth with a sine, and of 1 ± 2·rate·depth all the time with a triangle. Read
/// points lie between frames, by cubic interpolation. Delay and depth glide as tape does, with a bend of
/// pitch. The loop of the feedback never passes 18 dB above full scale. Any number of channels from 1 to 64.
public struct Chorus: Effect, ~Copyable {
  /// The numbers of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// How many voices, from 1 to 4.
    case voices
    /// How often they swing, in hertz.
    case rate
    /// How far the delay swings from shortest to longest, in milliseconds.
    case depth
    /// The shortest delay, in milliseconds.
    case delay
    /// How much of the voices' mean goes in again, in percent.
    case feedback
    /// How far the channels' swings lie apart, in percent.
    case spread
    /// How the delay swings: 0 as a sine, 1 as a triangle.
    case shape
    /// How much of what comes out is voices, in percent.
    case mix
  }

  private var voices: SwingingDelay

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let initial = Self.initial
    voices = SwingingDelay(
      channelCount: layout.outputs.first ?? 1, longest: Self.longestDelay + Self.deepest, rate: initial.rate,
      sampleRate: layout.sampleRate)
    voices.setVoices(initial.voices, over: 0)
    voices.setDepth(initial.depth, over: 0)
    voices.setDelay(initial.delay, over: 0)
    voices.feedback = Ramp(initial.feedback / 100)
    voices.turn = EasedRamp(Self.turn(initial.spread))
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
    case .spread: voices.turn.glide(to: Self.turn(value), over: frames)
    case .shape: voices.lfo.setShape(value, over: frames)
    case .mix: voices.mix.glide(to: value / 100, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) { voices.process(block) }

  /// Three eighths of a cycle at the most: then no voice of a channel swings with one of its neighbour's,
  /// however many there are.
  @_noLocks @_noAllocation private static func turn(_ spread: Float) -> Double {
    Double(spread) / 100 * 0.375
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Chorus, _ block: Block) {
  unit.set(.voices, to: 1, over: 0)
  unit.reset()
  unit.process(block)
}
