// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A plugin as its Turtle describes it. None of its code has run.
struct PluginModel: Sendable {
  var uri: String
  var name: String
  var comment: String
  var category: String
  /// Whether its class is that of a generator of sound or events.
  var isSource = false
  /// Whether its code has an interface for programs.
  var hasPrograms = false
  /// The path of its shared library.
  var library: String?
  /// The path of its bundle, with a trailing slash.
  var bundle = ""
  var ports: [PluginPort]
  /// The properties that it reads or reports by messages, numbered after the ports.
  var properties: [PluginProperty] = []
  /// The defect in the description; nil if there is none.
  var flaw: String?
  var requiredFeatures: [String]
  var optionalFeatures: [String]
  var requiredOptions: [String]
  /// The options that it supports but does not require.
  var supportedOptions: [String]
  /// The minimum block length that the plugin declares, in frames; nil if it declares none.
  var shortestBlock: Int?
  /// The groups that carry the main signal.
  var mainInput: String?, mainOutput: String?

  /// Whether the plugin requires a feature or uses it optionally.
  func uses(_ feature: String) -> Bool {
    requiredFeatures.contains(feature) || optionalFeatures.contains(feature)
  }

  /// The atom input for messages about properties; if there are several, the one with the designation `lv2:control`.
  var messageInput: PluginPort? {
    let inputs = ports.filter { $0.kind == .atom && $0.isInput && $0.supports.contains(Name.patchMessage) }
    return inputs.first(where: \.isControl) ?? inputs.first
  }

  /// Whether a block must never be split: the plugin asks for fixed, power-of-two or coarse block lengths, or declares
  /// a minimum length.
  ///
  /// Plugins that declare a minimum have convolvers which their worker rebuilds for each new length. Those of Guitarix
  /// crash if that happens while they run.
  var needsWholeBlocks: Bool {
    shortestBlock != nil || uses(Name.fixedBlockLength) || uses(Name.powerOf2BlockLength)
      || uses(Name.coarseBlockLength)
  }

  /// Whether the plugin depends on the block lengths that it was given at instantiation.
  var dependsOnBlockLength: Bool {
    let lengths = [Name.minBlockLength, Name.maxBlockLength, Name.nominalBlockLength]
    return needsWholeBlocks || uses(Name.boundedBlockLength)
      || lengths.contains { requiredOptions.contains($0) || supportedOptions.contains($0) }
  }
}

extension PluginModel {
  /// A plugin of which only the URI can be read.
  init(uri: String, flaw: String) {
    self.init(
      uri: uri, name: uri, comment: "", category: "", ports: [], flaw: flaw, requiredFeatures: [],
      optionalFeatures: [], requiredOptions: [], supportedOptions: [])
  }
}
