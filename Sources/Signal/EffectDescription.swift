// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a unit is: names, buses, meters. Checks, help, the API and LV2 export are made from it.
public struct EffectDescription: Sendable {
  /// Its name in manifests, for ever: lower-case words joined by hyphens.
  public let symbol: StaticString
  /// Its name for people.
  public let name: StaticString
  /// What it does, in one line.
  public let meaning: StaticString
  /// Its LV2 URI, for ever.
  public let uri: StaticString
  /// Its class in LV2's tree, such as `DelayPlugin`.
  public let lv2Class: StaticString
  /// Its version in LV2: minor grows by 2 with every new port, micro by 2 with every other change. Even is
  /// released.
  public let minorVersion: Int, microVersion: Int
  /// What comes in, main bus first.
  public let inputs: [EffectBus]
  /// What goes out, main bus first.
  public let outputs: [EffectBus]
  /// Whether output channel n may share the memory of input channel n.
  public let worksInPlace: Bool
  /// Values shown to the control thread, by the place that `Block.show` names.
  public let meters: [MeterDescription]
  /// The files it is made with.
  public let files: [FileDescription]
  /// What it may do its work with, the usual one first; empty where there is no choice.
  public let engines: [StaticString]
  /// Whether it looks at the song: at tempo, bar or beat. As a plugin it has its host tell of them.
  public let followsTransport: Bool

  /// Describes a unit with one audio bus in and one out, unless told otherwise.
  public init(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, uri: StaticString,
    lv2Class: StaticString, minorVersion: Int = 2, microVersion: Int = 0,
    inputs: [EffectBus] = [EffectBus("in")],
    outputs: [EffectBus] = [EffectBus("out")],
    worksInPlace: Bool = false, meters: [MeterDescription] = [],
    files: [FileDescription] = [], engines: [StaticString] = [], followsTransport: Bool = false
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
    self.engines = engines
    self.followsTransport = followsTransport
  }
}

/// A bus of a unit.
public struct EffectBus: Sendable {
  /// What a bus carries.
  public enum Content: Sendable, Equatable {
    /// As many channels as the wire that feeds the main input brings.
    case matching
    /// As many as that, but no fewer than this: an output that is wider than its input may be.
    case atLeast(Int)
    /// So many channels, always.
    case channels(Int)
    /// Events, MIDI among them.
    case events
  }
  /// Its name in manifests: `in`, `sidechain`.
  public let symbol: StaticString
  /// What it carries.
  public let content: Content

  /// A bus, which follows the main input's channels unless told otherwise.
  public init(_ symbol: StaticString, _ content: Content = .matching) {
    self.symbol = symbol
    self.content = content
  }
}

/// A value that a unit shows while it runs: gain reduction, a pitch.
public struct MeterDescription: Sendable {
  /// Its name for machines.
  public let symbol: StaticString
  /// What its number counts.
  public let unit: ParameterUnit
  /// The values it shows.
  public let range: ClosedRange<Float>

  /// Describes a meter.
  public init(_ symbol: StaticString, unit: ParameterUnit, range: ClosedRange<Float>) {
    self.symbol = symbol
    self.unit = unit
    self.range = range
  }
}
