// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Inverts channels, swaps left and right, or mixes both to mono.
///
/// The order is: inversion, swap, mono. More than two channels count as pairs; an odd last channel counts as left and
/// can only be inverted.
public struct Polarity: Effect {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// Whether the left channel is inverted.
    case invertLeft
    /// Whether the right channel is inverted.
    case invertRight
    /// Whether left and right are swapped.
    case swap
    /// Whether both channels become their mean.
    case mono
  }

  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// Whether the left channel is inverted.
    /// Default: false.
    public var invertLeft: TypedParameter<Parameter, Bool> {
      .init(
        .invertLeft, "invert-left", name: "Invert left", "Whether the left channel is inverted",
        default: false)
    }
    /// Whether the right channel is inverted.
    /// Default: false.
    public var invertRight: TypedParameter<Parameter, Bool> {
      .init(
        .invertRight, "invert-right", name: "Invert right", "Whether the right channel is inverted",
        default: false)
    }
    /// Whether left and right are swapped.
    /// Default: false.
    public var swap: TypedParameter<Parameter, Bool> {
      .init(.swap, "swap", name: "Swap", "Whether left and right are swapped", default: false)
    }
    /// Whether both channels become their mean.
    /// Default: false.
    public var mono: TypedParameter<Parameter, Bool> {
      .init(.mono, "mono", name: "Mono", "Whether both channels become their mean", default: false)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .invertLeft: invertLeft.description
      case .invertRight: invertRight.description
      case .swap: swap.description
      case .mono: mono.description
      }
    }
  }

  public static var description: EffectDescription {
    EffectDescription(
      "polarity", name: "Polarity", "Inverts channels, swaps left and right, or mixes both to mono",
      uri: "urn:swiftlet:polarity", lv2Class: "UtilityPlugin", worksInPlace: true)
  }

  private var left: Float = 1, right: Float = 1, isSwapped = false, isMono = false
  /// The gain factors from each channel to the same and to the other channel.
  private var leftToLeft = Ramp(1), leftToRight = Ramp(0), rightToLeft = Ramp(0), rightToRight = Ramp(1)
  /// The gain factor of an odd last channel.
  private var alone = Ramp(1)

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
  }

  @_noLocks @_noAllocation public mutating func reset() {
    leftToLeft.finish()
    leftToRight.finish()
    rightToLeft.finish()
    rightToRight.finish()
    alone.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    let isOn = value >= 0.5
    switch parameter {
    case .invertLeft: left = isOn ? -1 : 1
    case .invertRight: right = isOn ? -1 : 1
    case .swap: isSwapped = isOn
    case .mono: isMono = isOn
    }
    let straight: Float = isMono ? 0.5 : isSwapped ? 0 : 1, crossed = 1 - straight
    Self.move(&leftToLeft, left * straight, frames)
    Self.move(&leftToRight, left * crossed, frames)
    Self.move(&rightToLeft, right * crossed, frames)
    Self.move(&rightToRight, right * straight, frames)
    Self.move(&alone, left, frames)
  }

  /// Starts a glide, unless the ramp already has this target.
  @_noLocks @_noAllocation private static func move(_ ramp: inout Ramp, _ target: Float, _ frames: Int) {
    if ramp.target != target { ramp.glide(to: target, over: frames) }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let source = block.input(), sink = block.output(), count = block.frameCount
    var channel = 0
    while channel + 1 < sink.channelCount {
      let one = source[channel], other = source[channel + 1]
      let first = sink[channel], second = sink[channel + 1]
      for frame in 0..<count {
        let x = one[clean: frame], y = other[clean: frame], there = frame + 1
        first[frame] = x * leftToLeft.value(after: there) + y * rightToLeft.value(after: there)
        second[frame] = x * leftToRight.value(after: there) + y * rightToRight.value(after: there)
      }
      channel += 2
    }
    if channel < sink.channelCount {
      let dry = source[channel], wet = sink[channel]
      for frame in 0..<count { wet[frame] = dry[clean: frame] * alone.value(after: frame + 1) }
    }
    leftToLeft.skip(count)
    leftToRight.skip(count)
    rightToLeft.skip(count)
    rightToRight.skip(count)
    alone.skip(count)
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Polarity, _ block: Block) {
  effect.set(.mono, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
