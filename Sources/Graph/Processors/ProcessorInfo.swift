// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// What can be known of an effect or a plugin without running it: buses, parameters, presets.
///
/// One shape for built-in effects and LV2 plugins. Manifest checks, `swiftlet show` and the API read it.
public struct ProcessorInfo: Sendable, Equatable {
  /// Where the processor comes from.
  public enum Origin: String, Sendable, Equatable {
    /// Written in Swift, part of the program.
    case builtIn = "effect"
    /// An LV2 plugin.
    case lv2
  }

  /// Its name in a manifest: an effect's symbol, a plugin's URI.
  public var id: String
  /// Its name for people.
  public var name: String
  /// What it does, in one line; may be empty.
  public var meaning: String
  /// Where it comes from.
  public var origin: Origin
  /// Its kind for people, such as `Delay`; may be empty.
  public var category: String
  /// What comes in, main bus first.
  public var inputs: [BusInfo]
  /// What goes out, main bus first.
  public var outputs: [BusInfo]
  /// The parameters that stand once. A parameter's number is its `number`, not its place here.
  public var parameters: [ParameterInfo]
  /// The parameters that repeat, if any do.
  public var bands: BandInfo?
  /// What it shows while it runs.
  public var meters: [MeterInfo]
  /// The names of its presets.
  public var presets: [PresetInfo]
  /// The files it is made with; empty for plugins.
  public var files: [FileInfo]
  /// What it may do its work with, the usual one first; empty where there is no choice.
  public var engines: [String]
  /// What a plugin asks of its host, as URIs; empty for built-in effects.
  public var requiredFeatures: [String]
  /// Why it cannot be used here; nil where it can.
  public var refusal: String?

  /// Describes a processor.
  public init(
    id: String, name: String, meaning: String = "", origin: Origin, category: String = "", inputs: [BusInfo],
    outputs: [BusInfo], parameters: [ParameterInfo], bands: BandInfo? = nil, meters: [MeterInfo] = [],
    presets: [PresetInfo] = [], files: [FileInfo] = [], engines: [String] = [],
    requiredFeatures: [String] = [],
    refusal: String? = nil
  ) {
    self.id = id
    self.name = name
    self.meaning = meaning
    self.origin = origin
    self.category = category
    self.inputs = inputs
    self.outputs = outputs
    self.parameters = parameters
    self.bands = bands
    self.meters = meters
    self.presets = presets
    self.files = files
    self.engines = engines
    self.requiredFeatures = requiredFeatures
    self.refusal = refusal
  }
}

/// A bus of an effect or plugin.
public struct BusInfo: Sendable, Equatable {
  /// Its name in manifests.
  public var symbol: String
  /// What it carries.
  public var content: UnitBus.Content
  /// Whether the effect listens to it without passing it on.
  public var isSideChain: Bool

  /// Describes a bus.
  public init(_ symbol: String, _ content: UnitBus.Content, isSideChain: Bool = false) {
    self.symbol = symbol
    self.content = content
    self.isSideChain = isSideChain
  }
}

/// Parameters that repeat, band by band.
public struct BandInfo: Sendable, Equatable {
  /// The key they stand under in a manifest, and the word for one of them.
  public var symbol: String, singular: String
  /// How many there may be, and how many there are where nobody says.
  public var count: ClosedRange<Int>, initialCount: Int
  /// Whether there is one for each channel of the main input, neither more nor fewer.
  public var followsChannels: Bool
  /// The parameters of band 0. Those of band n have numbers `n * parameters.count` higher.
  public var parameters: [ParameterInfo]

  /// Describes parameters that repeat.
  public init(
    symbol: String, singular: String, count: ClosedRange<Int>, initialCount: Int,
    followsChannels: Bool = false, parameters: [ParameterInfo]
  ) {
    self.symbol = symbol
    self.singular = singular
    self.count = count
    self.initialCount = initialCount
    self.followsChannels = followsChannels
    self.parameters = parameters
  }

  /// The parameters of a band, from 0, under names of their own: `bands[1].frequency` for those of band 0.
  package func named(_ band: Int) -> [ParameterInfo] {
    parameters.map { parameter in
      var parameter = parameter
      parameter.symbol = "\(symbol)[\(band + 1)].\(parameter.symbol)"
      parameter.number += band * parameters.count
      return parameter
    }
  }

  /// How many there may be where the main input has so many channels.
  public func count(channels: Int) -> ClosedRange<Int> { followsChannels ? channels...channels : count }
}

/// A value that a processor shows while it runs.
public struct MeterInfo: Sendable, Equatable {
  /// Its name for machines.
  public var symbol: String
  /// Its name for people.
  public var name: String
  /// What its number counts.
  public var unit: ParameterUnit
  /// The values it shows.
  public var range: ClosedRange<Float>

  /// Describes a meter.
  public init(symbol: String, name: String, unit: ParameterUnit, range: ClosedRange<Float>) {
    self.symbol = symbol
    self.name = name
    self.unit = unit
    self.range = range
  }
}

/// A preset's names.
public struct PresetInfo: Sendable, Equatable {
  /// What a manifest may call it: a URI, or a built-in preset's name.
  public var id: String
  /// What people call it; a manifest may, too.
  public var label: String

  /// Names a preset.
  public init(id: String, label: String) {
    self.id = id
    self.label = label
  }
}
