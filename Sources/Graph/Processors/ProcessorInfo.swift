// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The description of an effect or a plugin: parameters, bands, meters and presets. It is available without running
/// the effect.
public struct ProcessorInfo: Sendable, Equatable {
  /// The origin of a processor.
  package enum Origin: String, Sendable, Equatable {
    /// A built-in effect, written in Swift.
    case builtIn = "effect"
    /// An LV2 plugin.
    case lv2
  }

  /// The name in a manifest: an effect's symbol, a plugin's URI.
  public var id: String
  /// The display name.
  public var name: String
  /// One line that describes the effect; may be empty.
  public var meaning: String
  /// The origin of the processor.
  package var origin: Origin
  /// The displayed category, such as `Delay`; may be empty.
  public var category: String
  /// The input buses, main bus first.
  package var inputs: [Bus]
  /// The output buses, main bus first.
  package var outputs: [Bus]
  /// The parameters that are not in bands.
  public var parameters: [ParameterInfo]
  /// The parameters that repeat per band, if any.
  public var bands: Bands?
  /// The values that the effect measures while it runs, such as gain reduction.
  public var meters: [Meter]
  /// The presets.
  public var presets: [Preset]
  /// The files that the effect is created with; empty for plugins.
  package var files: [File]
  /// The properties that a plugin receives by messages rather than by ports; empty for built-in effects. Numeric
  /// properties are also among the parameters.
  package var properties: [Property]
  /// The available algorithms, the default first; empty if there is no choice.
  package var algorithms: [String]
  /// The host features that a plugin requires, as URIs; empty for built-in effects.
  package var requiredFeatures: [String]
  /// The reason why the processor cannot be used here; nil if it can.
  package var refusal: String?
  /// Whether the processor is useless without connected inputs; nil if its buses alone determine that.
  package var needsInput: Bool?
  /// Whether a plugin's code lists programs, which are selected as presets are loaded.
  package var hasPrograms: Bool

  /// Describes a processor.
  package init(
    id: String, name: String, meaning: String = "", origin: Origin, category: String = "", inputs: [Bus],
    outputs: [Bus], parameters: [ParameterInfo], bands: Bands? = nil, meters: [Meter] = [],
    presets: [Preset] = [], files: [File] = [], properties: [Property] = [], algorithms: [String] = [],
    requiredFeatures: [String] = [],
    refusal: String? = nil, needsInput: Bool? = nil, hasPrograms: Bool = false
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
    self.algorithms = algorithms
    self.requiredFeatures = requiredFeatures
    self.refusal = refusal
    self.needsInput = needsInput
    self.hasPrograms = hasPrograms
  }
}
