// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A plugin as its Turtle describes it, before a line of its code has run.
struct PluginModel: Sendable {
  var uri: String
  var name: String
  var comment: String
  var category: String
  /// Whether its class says that it makes sound or events by itself.
  var isSource = false
  /// The path of its shared library.
  var library: String?
  var ports: [PluginPort]
  /// What it reads or reports by messages, numbered on from the ports.
  var properties: [PluginProperty] = []
  /// What is wrong with the description; nil for a sound one.
  var flaw: String?
  var requiredFeatures: [String]
  var optionalFeatures: [String]
  var requiredOptions: [String]
  /// The options that it reads if they are there.
  var supportedOptions: [String]
  /// The shortest block the plugin says it can work on, in frames; nil for one that says nothing of it.
  var shortestBlock: Int?
  /// The groups that carry the main signal.
  var mainInput: String?, mainOutput: String?

  /// Whether the plugin requires this feature, or uses it where there is one.
  func asks(_ feature: String) -> Bool {
    requiredFeatures.contains(feature) || optionalFeatures.contains(feature)
  }

  /// The atom input that takes messages about properties: of several, the one that is designated as the control port.
  var messageInput: PluginPort? {
    let inputs = ports.filter { $0.kind == .atom && $0.isInput && $0.supports.contains(Name.patchMessage) }
    return inputs.first(where: \.isControl) ?? inputs.first
  }

  /// Whether a block must never be cut: the plugin asks for lengths of one kind,
  /// or states how short they may be.
  ///
  /// Those that state it have convolvers which their worker makes anew for each new length. Guitarix' crash
  /// when that happens while they run.
  var needsWholeBlocks: Bool {
    shortestBlock != nil || asks(Name.fixedBlockLength) || asks(Name.powerOf2BlockLength)
      || asks(Name.coarseBlockLength)
  }

  /// Whether the plugin was made for the length of blocks that it was told.
  var reliesOnLengths: Bool {
    let lengths = [Name.minBlockLength, Name.maxBlockLength, Name.nominalBlockLength]
    return needsWholeBlocks || asks(Name.boundedBlockLength)
      || lengths.contains { requiredOptions.contains($0) || supportedOptions.contains($0) }
  }
}

extension PluginModel {
  /// A plugin of which nothing but its URI can be read.
  init(uri: String, flaw: String) {
    self.init(
      uri: uri, name: uri, comment: "", category: "", ports: [], flaw: flaw, requiredFeatures: [],
      optionalFeatures: [], requiredOptions: [], supportedOptions: [])
  }
}
