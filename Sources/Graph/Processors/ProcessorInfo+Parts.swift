// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension ProcessorInfo {
  /// A bus of an effect or plugin.
  package struct Bus: Sendable, Equatable {
    /// Its name in manifests.
    package var symbol: String
    /// What it carries.
    package var content: EffectBus.Content
    /// Whether the effect listens to it without passing it on.
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
    /// The key they stand under in a manifest, and the word for one of them.
    package var symbol: String, singular: String
    /// The allowed number of bands, and the default number.
    public var count: ClosedRange<Int>, initialCount: Int
    /// Whether there is one for each channel of the main input, neither more nor fewer.
    package var followsChannels: Bool
    /// The parameters of band 0. Those of band n have numbers `n * parameters.count` higher.
    public var parameters: [ParameterInfo]

    /// Describes parameters that repeat.
    package init(
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
    package func count(channels: Int) -> ClosedRange<Int> { followsChannels ? channels...channels : count }
  }

  /// A value that a processor shows while it runs.
  public struct Meter: Sendable, Equatable {
    /// Its name for machines.
    public var symbol: String
    /// Its name for people.
    public var name: String
    /// The unit of the meter's number.
    public var unit: ParameterUnit
    /// The values it shows.
    public var range: ClosedRange<Float>

    /// Describes a meter.
    package init(symbol: String, name: String, unit: ParameterUnit, range: ClosedRange<Float>) {
      self.symbol = symbol
      self.name = name
      self.unit = unit
      self.range = range
    }
  }

  /// A preset's names, and what it sets.
  public struct Preset: Sendable, Equatable {
    /// The name of a built-in preset, or the URI of a plugin's preset. Manifests accept it.
    public var id: String
    /// The label that is shown to users. Manifests accept it, too.
    public var label: String
    /// The values that a built-in preset sets, by the numbers of the parameters; empty for a plugin's.
    package var values: [Int: Float]
    /// What people call the bank that it is in; nil for none.
    package var bank: String?

    /// Describes a preset.
    package init(id: String, label: String, bank: String? = nil, values: [Int: Float] = [:]) {
      self.id = id
      self.label = label
      self.bank = bank
      self.values = values
    }
  }

  /// A file that an effect is made with, as manifests, help and the API see it.
  package struct File: Sendable, Equatable {
    /// The key it stands under in a manifest's `files`.
    package var symbol: String
    /// Its name for people.
    package var name: String
    /// What it is for, in one line.
    package var meaning: String
    /// How the effect wants to have it.
    package var content: FileDescription.Content
    /// Whether the effect cannot be made without.
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
