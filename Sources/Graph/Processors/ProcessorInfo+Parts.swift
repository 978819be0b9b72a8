// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension ProcessorInfo {
  /// A bus of an effect or plugin.
  package struct Bus: Sendable, Equatable {
    /// The name in manifests.
    package var symbol: String
    /// The content of the bus: audio or events.
    package var content: EffectBus.Content
    /// Whether the bus is a side chain, which the effect does not pass on.
    package var isSideChain: Bool

    /// Describes a bus.
    package init(_ symbol: String, _ content: EffectBus.Content, isSideChain: Bool = false) {
      self.symbol = symbol
      self.content = content
      self.isSideChain = isSideChain
    }
  }

  /// Parameters that repeat, band by band.
  public struct Bands: Sendable, Equatable {
    /// The key in a manifest, and the singular for messages.
    package var symbol: String, singular: String
    /// The allowed number of bands, and the default number.
    public var count: ClosedRange<Int>, defaultCount: Int
    /// Whether the number of bands equals the number of channels of the main input.
    package var followsChannels: Bool
    /// The parameters of band 0. The numbers of band n are higher by `n * parameters.count`.
    public var parameters: [ParameterInfo]

    /// Describes parameters that repeat.
    package init(
      symbol: String, singular: String, count: ClosedRange<Int>, defaultCount: Int,
      followsChannels: Bool = false, parameters: [ParameterInfo]
    ) {
      self.symbol = symbol
      self.singular = singular
      self.count = count
      self.defaultCount = defaultCount
      self.followsChannels = followsChannels
      self.parameters = parameters
    }

    /// Returns the parameters of a band, counted from 0, with unique names: `bands[1].frequency` is a parameter of
    /// band 0.
    package func named(_ band: Int) -> [ParameterInfo] {
      parameters.map { parameter in
        var parameter = parameter
        parameter.symbol = "\(symbol)[\(band + 1)].\(parameter.symbol)"
        parameter.number += band * parameters.count
        return parameter
      }
    }

    /// Returns the allowed number of bands for a number of channels of the main input.
    package func count(channels: Int) -> ClosedRange<Int> { followsChannels ? channels...channels : count }
  }

  /// A value that a processor measures while it runs.
  public struct Meter: Sendable, Equatable {
    /// The machine-readable name.
    public var symbol: String
    /// The display name.
    public var name: String
    /// The unit of the meter's value.
    public var unit: ParameterUnit
    /// The range of the meter's values.
    public var range: ClosedRange<Float>

    /// Describes a meter.
    package init(symbol: String, name: String, unit: ParameterUnit, range: ClosedRange<Float>) {
      self.symbol = symbol
      self.name = name
      self.unit = unit
      self.range = range
    }
  }

  /// A preset's names and values.
  public struct Preset: Sendable, Equatable {
    /// The name of a built-in preset, or the URI of a plugin's preset. Manifests accept it.
    public var id: String
    /// The display label. Manifests accept it, too.
    public var label: String
    /// The values that a built-in preset sets, by the numbers of the parameters; empty for a plugin's.
    package var values: [Int: Float]
    /// The display name of the preset's bank; nil for none.
    package var bank: String?

    /// Describes a preset.
    package init(id: String, label: String, bank: String? = nil, values: [Int: Float] = [:]) {
      self.id = id
      self.label = label
      self.bank = bank
      self.values = values
    }
  }

  /// A file that an effect is created with, for manifests, help and the API.
  package struct File: Sendable, Equatable {
    /// The key in a manifest's `files`.
    package var symbol: String
    /// The display name.
    package var name: String
    /// One line that describes the purpose of the file; may be empty.
    package var meaning: String
    /// The form in which the effect receives the file.
    package var content: FileDescription.Content
    /// Whether the effect cannot be created without the file.
    package var isRequired: Bool

    /// Describes a file.
    package init(
      symbol: String, name: String, meaning: String = "", content: FileDescription.Content = .sound,
      isRequired: Bool = true
    ) {
      self.symbol = symbol
      self.name = name
      self.meaning = meaning
      self.content = content
      self.isRequired = isRequired
    }

    init(_ description: FileDescription) {
      self.init(
        symbol: "\(description.symbol)", name: "\(description.name)", meaning: "\(description.meaning)",
        content: description.content, isRequired: description.isRequired)
    }
  }
}
