// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Delay {
  public static var description: EffectDescription {
    EffectDescription(
      "delay", name: "Delay", "Repeats the signal after a time, with less treble in each repeat",
      uri: "urn:swiftlet:delay",
      lv2Class: "DelayPlugin", minorVersion: 6, worksInPlace: true,
      followsTransport: true)
  }

  /// The longest time, in milliseconds.
  static var longestTime: Float { @_noLocks @_noAllocation get { 10_000 } }
  /// The cutoffs at which low-pass and high-pass are off, in hertz.
  static var openLowPass: Float { @_noLocks @_noAllocation get { 20_000 } }
  static var openHighPass: Float { @_noLocks @_noAllocation get { 10 } }
  /// The maximum length of a crossfade from one time to another, in seconds.
  static var longestFade: Double { @_noLocks @_noAllocation get { 0.05 } }
  /// The default values.
  static var initial: (time: Float, feedback: Float, lowPass: Float, mix: Float) { (500, 40, 15_000, 30) }
}

extension Delay {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The time until the first repeat.
    /// Range: 0 ms to 10000 ms. Default: 500 ms.
    public var time: TypedParameter<Parameter, Duration> {
      .init(
        .time, "time", name: "Time", "The time until the first repeat, rounded to frames, at least one frame",
        range: 0...Delay.longestTime, default: .milliseconds(Int(Delay.initial.time)), glide: 0.05)
    }
    /// The level of a repeat relative to the one before; negative values invert it.
    /// Range: −100 % to 100 %. Default: 40 %.
    public var feedback: TypedParameter<Parameter, Percentage> {
      .init(
        .feedback, "feedback", name: "Feedback",
        "The level of a repeat relative to the one before; negative values invert it",
        range: -100...100, default: .percent(Delay.initial.feedback))
    }
    /// The cutoff of the low-pass that each repeat passes.
    /// Range: 10 Hz to 20000 Hz. Default: 15000 Hz.
    public var lowPass: TypedParameter<Parameter, Frequency> {
      .init(
        .lowPass, "low-pass", name: "Low-pass",
        "The cutoff of the low-pass that each repeat passes; at 20 kHz it is off",
        range: 10...Delay.openLowPass,
        default: .hertz(Delay.initial.lowPass), curve: .logarithmic)
    }
    /// The proportion of repeats in the output.
    /// Range: 0 % to 100 %. Default: 30 %.
    public var mix: TypedParameter<Parameter, Percentage> {
      .init(
        .mix, "mix", name: "Mix", "The proportion of repeats in the output", range: 0...100,
        default: .percent(Delay.initial.mix))
    }
    /// The note value of the tempo that the time follows.
    /// Default: off.
    public var sync: TypedParameter<Parameter, NoteValue> {
      .init(
        .sync, "sync", name: "Sync",
        "The note value that sets the time at the transport's tempo; without a tempo, 'time' applies",
        default: .none,
        glide: 0.05)
    }
    /// The transition to a new time.
    /// Values: fade, tape. Default: fade.
    public var change: TypedParameter<Parameter, Change> {
      .init(
        .change, "change", name: "Change",
        "The transition to a new time: a crossfade (along a ramp, the pitch follows its slope), or as on tape",
        default: .fade)
    }
    /// The cutoff of the high-pass that each repeat passes.
    /// Range: 10 Hz to 10000 Hz. Default: 10 Hz.
    public var highPass: TypedParameter<Parameter, Frequency> {
      .init(
        .highPass, "high-pass", name: "High-pass",
        "The cutoff of the high-pass that each repeat passes; at 10 Hz it is off",
        range: Delay.openHighPass...10_000, default: .hertz(Delay.openHighPass), curve: .logarithmic)
    }
    /// The side on which repeats begin to alternate, in stereo.
    /// Values: off, left, right. Default: off.
    public var pingPong: TypedParameter<Parameter, PingPong> {
      .init(
        .pingPong, "ping-pong", name: "Ping-pong",
        "In stereo: the side of the first repeat if repeats alternate", default: .off, glide: 0.05,
        isForStereo: true)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .time: time.description
      case .feedback: feedback.description
      case .lowPass: lowPass.description
      case .mix: mix.description
      case .sync: sync.description
      case .change: change.description
      case .highPass: highPass.description
      case .pingPong: pingPong.description
      }
    }
  }

  /// The transition to a new delay time.
  public enum Change: Int, ParameterChoice {
    /// The old read point crossfades to the new one, with no change of pitch.
    case fade
    /// The read point moves, as a tape head does, and bends the pitch.
    case tape

    public var symbol: StaticString {
      switch self {
      case .fade: "fade"
      case .tape: "tape"
      }
    }
  }

  /// The side of the first repeat if repeats alternate between the sides.
  public enum PingPong: Int, ParameterChoice {
    /// Repeats stay on the side of their source.
    case off
    /// The first repeat is on the left, the second on the right, and so on.
    case left
    /// The first repeat is on the right, the second on the left, and so on.
    case right

    public var symbol: StaticString {
      switch self {
      case .off: "off"
      case .left: "left"
      case .right: "right"
      }
    }
  }
}
