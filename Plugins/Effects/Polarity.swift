// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Turns sides over, changes them round, or makes both the same.
///
/// In this order: each side is turned over, then both change places, then both become their mean. More
/// channels than two count as pairs; one without a partner counts as left and is only turned over.
public struct Polarity: Effect {
  /// The numbers of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// Whether the left side is turned over.
    case invertLeft
    /// Whether the right side is turned over.
    case invertRight
    /// Whether both sides change places.
    case swap
    /// Whether both sides become their mean.
    case mono
  }

  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Makes the list; it holds no state.
    public init() {}

    /// Whether the left side is turned over.
    /// Default: false.
    public var invertLeft: TypedParameter<Parameter, Bool> {
      .init(
        .invertLeft, "invert-left", name: "Invert left", "Whether the left side is turned over",
        default: false)
    }
    /// Whether the right side is turned over.
    /// Default: false.
    public var invertRight: TypedParameter<Parameter, Bool> {
      .init(
        .invertRight, "invert-right", name: "Invert right", "Whether the right side is turned over",
        default: false)
    }
    /// Whether left and right change places.
    /// Default: false.
    public var swap: TypedParameter<Parameter, Bool> {
      .init(.swap, "swap", name: "Swap", "Whether left and right change places", default: false)
    }
    /// Whether both sides become their mean.
    /// Default: false.
    public var mono: TypedParameter<Parameter, Bool> {
      .init(.mono, "mono", name: "Mono", "Whether both sides become their mean", default: false)
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
      "polarity", name: "Polarity", "Turns sides over, changes them round, or makes them one",
      uri: "urn:swiftlet:polarity", lv2Class: "UtilityPlugin", worksInPlace: true)
  }

  private var left: Float = 1, right: Float = 1, isSwapped = false, isMono = false
  /// What goes to the same side, and to the other.
  private var leftToLeft = Ramp(1), leftToRight = Ramp(0), rightToLeft = Ramp(0), rightToRight = Ramp(1)
  /// What a channel without a partner is multiplied by.
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

  /// Leaves what is under way to the same end alone.
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

@_noLocks @_noAllocation private func proof(_ unit: inout Polarity, _ block: Block) {
  unit.set(.mono, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
