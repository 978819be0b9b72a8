// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Pans a mono signal between left and right, or shifts the balance of a stereo signal.
///
/// A mono input becomes stereo: the pan law gives the gain of each side. With a stereo input, the side towards which
/// the position moves is unchanged, and the other is attenuated as the law does from the centre on. More channels count
/// as pairs; an odd last channel passes unchanged.
public struct Pan: Effect {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The position, from −1, left, to 1, right.
    case position
    /// The pan law: 0 linear, 1 equal power, 2 compromise, 3 equal sum.
    case law
  }

  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The position of the signal, from −1 (left) to 1 (right).
    /// Range: −1 to 1. Default: 0.
    public var position: TypedParameter<Parameter, Float> {
      .init(.position, "position", name: "Position", "From −1, left, to 1, right", range: -1...1, default: 0)
    }
    /// The pan law.
    /// Values: linear, equal-power, compromise, equal-sum. Default: equal-power.
    public var law: TypedParameter<Parameter, Law> {
      .init(
        .law, "law", name: "Law",
        "The pan law: linear and equal-sum lose 6 dB in the centre, equal-power 3 dB, compromise 4.5 dB",
        default: .equalPower, glide: 0.02)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .position: position.description
      case .law: law.description
      }
    }
  }

  /// The pan laws.
  public enum Law: Int, ParameterChoice {
    /// Linear: the centre is attenuated by 6 dB, and the gains of both sides add up to 1.
    case linear
    /// A sine: the centre is attenuated by 3 dB, and the powers of both sides add up to 1.
    case equalPower
    /// Halfway between equal power and equal sum: the centre is attenuated by 4.5 dB.
    case compromise
    /// A squared sine: the centre is attenuated by 6 dB, and the gains of both sides add up to 1.
    case equalSum

    public var symbol: StaticString {
      switch self {
      case .linear: "linear"
      case .equalPower: "equal-power"
      case .compromise: "compromise"
      case .equalSum: "equal-sum"
      }
    }
  }

  public static var description: EffectDescription {
    EffectDescription(
      "pan", name: "Pan", "Places sound between left and right", uri: "urn:swiftlet:pan",
      lv2Class: "SpatialPlugin", outputs: [EffectBus("out", .atLeast(2))], worksInPlace: true)
  }

  private let isMono: Bool
  private var position = Ramp(0)
  /// A step of the position crossfades the gains: the law has a corner in the centre, which a glide would pass fast.
  private var before: (Float, Float) = (1, 1), change = Ramp(1)
  private var laws = PanLaws(of: 1)

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    guard let input = layout.inputs.first, let output = layout.outputs.first, output == max(input, 2) else {
      throw .channels(layout.outputs.first ?? 0)
    }
    isMono = input == 1
  }

  @_noLocks @_noAllocation public mutating func reset() {
    position.finish()
    change.finish()
    laws.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .position:
      before = gains(after: 0)
      change = Ramp(frames < 0 ? 0 : 1)
      change.glide(to: 1, over: frames)
      position.glide(to: value, over: max(frames, 0))
    case .law: laws.glide(to: Int(value), over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let source = block.input(), sink = block.output(), count = block.frameCount
    var channel = 0
    while channel + 1 < sink.channelCount {
      // If a mono input shares the memory of the left output, each frame is read before it is written.
      pan(source[channel], source[isMono ? 0 : channel + 1], into: sink[channel], sink[channel + 1])
      channel += 2
    }
    if channel < sink.channelCount {
      let dry = source[channel], wet = sink[channel]
      for frame in 0..<count { wet[frame] = dry[clean: frame] }
    }
    position.skip(count)
    change.skip(count)
    laws.skip(count)
  }

  @_noLocks @_noAllocation
  private func pan(_ left: Samples, _ right: Samples, into one: MutableSamples, _ other: MutableSamples) {
    if position.isMoving || laws.isMoving || change.isMoving {
      for frame in 0..<one.count {
        let (first, second) = gains(after: frame + 1)
        let dry = left[clean: frame], beside = right[clean: frame]
        one[frame] = dry * first
        other[frame] = beside * second
      }
    } else {
      let (first, second) = gains(after: 0)
      for frame in 0..<one.count {
        let dry = left[clean: frame], beside = right[clean: frame]
        one[frame] = dry * first
        other[frame] = beside * second
      }
    }
  }

  /// Returns the gain factors of both sides, `frames` frames from now.
  @_noLocks @_noAllocation private func gains(after frames: Int) -> (Float, Float) {
    let there = position.value(after: frames), share = change.value(after: frames)
    let left = laws.factor(there, isRight: false, isMono: isMono, after: frames)
    let right = laws.factor(there, isRight: true, isMono: isMono, after: frames)
    guard share < 1 else { return (left, right) }
    return (before.0 + (left - before.0) * share, before.1 + (right - before.1) * share)
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Pan, _ block: Block) {
  effect.set(.position, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
