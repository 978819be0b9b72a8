// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The description of an effect or a plugin: parameters, bands, meters and presets. It is read without running the
/// effect.
public struct ProcessorInfo: Sendable, Equatable {
  /// Where the processor comes from.
  package enum Origin: String, Sendable, Equatable {
    /// Written in Swift, part of the program.
    case builtIn = "effect"
    /// An LV2 plugin.
    case lv2
  }

  /// Its name in a manifest: an effect's symbol, a plugin's URI.
  public var id: String
  /// Its name for people.
  public var name: String
  /// One line that describes the effect; may be empty.
  public var meaning: String
  /// Where it comes from.
  package var origin: Origin
  /// Its kind for people, such as `Delay`; may be empty.
  public var category: String
  /// What comes in, main bus first.
  package var inputs: [Bus]
  /// What goes out, main bus first.
  package var outputs: [Bus]
  /// The parameters that are not in bands.
  public var parameters: [ParameterInfo]
  /// The parameters that repeat, if any do.
  public var bands: Bands?
  /// The values that the effect shows while it runs, such as gain reduction.
  public var meters: [Meter]
  /// The names of its presets.
  public var presets: [Preset]
  /// The files it is made with; empty for plugins.
  package var files: [File]
  /// What it reads from messages rather than ports; empty for built-in effects. Those that are numbers are among its
  /// parameters, too.
  package var properties: [Property]
  /// What it may do its work with, the usual one first; empty where there is no choice.
  package var engines: [String]
  /// What a plugin asks of its host, as URIs; empty for built-in effects.
  package var requiredFeatures: [String]
  /// Why it cannot be used here; nil where it can.
  package var refusal: String?
  /// Whether it has no use while nothing is wired into it; nil where its buses alone tell.
  package var needsInput: Bool?

  /// Describes a processor.
  package init(
    id: String, name: String, meaning: String = "", origin: Origin, category: String = "", inputs: [Bus],
    outputs: [Bus], parameters: [ParameterInfo], bands: Bands? = nil, meters: [Meter] = [],
    presets: [Preset] = [], files: [File] = [], properties: [Property] = [], engines: [String] = [],
    requiredFeatures: [String] = [],
    refusal: String? = nil, needsInput: Bool? = nil
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
    self.properties = properties
    self.engines = engines
    self.requiredFeatures = requiredFeatures
    self.refusal = refusal
    self.needsInput = needsInput
  }
}
