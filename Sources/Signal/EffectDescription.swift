// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The description of an effect: names, buses, meters. Checks, help, the API and the LV2 export are generated from it.
public struct EffectDescription: Sendable {
  /// The effect's name in manifests, which never changes: lower-case words joined by hyphens.
  public let symbol: StaticString
  /// The effect's display name.
  public let name: StaticString
  /// The purpose of the effect, in one line.
  public let meaning: StaticString
  /// The effect's LV2 URI, which never changes.
  public let uri: StaticString
  /// The effect's class in the LV2 plugin hierarchy, such as `DelayPlugin`.
  public let lv2Class: StaticString
  /// The effect's LV2 version. The minor version grows by 2 with each new port, the micro version by 2 with any other
  /// change. Even numbers are releases.
  public let minorVersion: Int, microVersion: Int
  /// The input buses, main bus first.
  public let inputs: [EffectBus]
  /// The output buses, main bus first.
  public let outputs: [EffectBus]
  /// Whether output channel n may share the memory of input channel n.
  public let worksInPlace: Bool
  /// The meter values that the effect publishes, by the index that `Block.show` takes.
  public let meters: [MeterDescription]
  /// The files that the effect is created with.
  public let files: [FileDescription]
  /// The algorithms that the effect can use, the default first; empty if there is no choice.
  public let algorithms: [StaticString]
  /// Whether the effect reads the transport: tempo, bar or beat. As an LV2 plugin it then asks the host for them.
  public let followsTransport: Bool

  /// Describes an effect. The default is one audio bus in and one out.
  public init(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, uri: StaticString,
    lv2Class: StaticString, minorVersion: Int = 2, microVersion: Int = 0,
    inputs: [EffectBus] = [EffectBus("in")],
    outputs: [EffectBus] = [EffectBus("out")],
    worksInPlace: Bool = false, meters: [MeterDescription] = [],
    files: [FileDescription] = [], algorithms: [StaticString] = [], followsTransport: Bool = false
  ) {
    self.symbol = symbol
    self.name = name
    self.meaning = meaning
    self.uri = uri
    self.lv2Class = lv2Class
    self.minorVersion = minorVersion
    self.microVersion = microVersion
    self.inputs = inputs
    self.outputs = outputs
    self.worksInPlace = worksInPlace
    self.meters = meters
    self.files = files
    self.algorithms = algorithms
    self.followsTransport = followsTransport
  }
}

/// A bus of an effect.
public struct EffectBus: Sendable {
  /// The content of a bus.
  public enum Content: Sendable, Equatable {
    /// Audio with as many channels as the main input has.
    case matching
    /// Audio with as many channels as the main input has, but no fewer than this: for an output that may be wider than
    /// its input.
    case atLeast(Int)
    /// Audio with a fixed number of channels.
    case channels(Int)
    /// Events, MIDI among them.
    case events
  }
  /// The bus's name in manifests: `in`, `sidechain`.
  public let symbol: StaticString
  /// The content of the bus.
  public let content: Content

  /// Describes a bus. By default it has as many channels as the main input.
  public init(_ symbol: StaticString, _ content: Content = .matching) {
    self.symbol = symbol
    self.content = content
  }
}

/// A value that a running effect publishes: gain reduction, a pitch.
public struct MeterDescription: Sendable {
  /// The meter's name in machine-readable output.
  public let symbol: StaticString
  /// The unit of the value.
  public let unit: ParameterUnit
  /// The range of the value.
  public let range: ClosedRange<Float>

  /// Describes a meter.
  public init(_ symbol: StaticString, unit: ParameterUnit, range: ClosedRange<Float>) {
    self.symbol = symbol
    self.unit = unit
    self.range = range
  }
}
