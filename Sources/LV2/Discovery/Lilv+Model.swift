// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import SwiftletGraph

extension Lilv {
  /// Renames ports that share a symbol, which the specification forbids: `gain`, `gain_2`. Presets and saved states
  /// refer to the first one.
  private func makeSymbolsUnique(_ ports: inout [PluginPort]) {
    var taken = Set(ports.map(\.symbol)), seen: Set<String> = []
    for index in ports.indices where !seen.insert(ports[index].symbol).inserted {
      var number = 2
      while taken.contains("\(ports[index].symbol)_\(number)") { number += 1 }
      ports[index].symbol += "_\(number)"
      taken.insert(ports[index].symbol)
    }
  }

  /// Whether every port index is within bounds. lilv allocates a list as long as the highest index requires, and a
  /// negative index overflows its length.
  private func hasBoundedIndices(_ plugin: OpaquePointer) -> Bool {
    guard let port = node(Name.port), let index = node(Name.index),
      let ports = lilv_plugin_get_value(plugin, port)
    else { return true }
    defer { lilv_nodes_free(ports) }
    var iterator = lilv_nodes_begin(ports)
    while !lilv_nodes_is_end(ports, iterator) {
      guard hasBoundedIndex(lilv_nodes_get(ports, iterator), index) else { return false }
      iterator = lilv_nodes_next(ports, iterator)
    }
    return true
  }

  private func hasBoundedIndex(_ port: OpaquePointer?, _ index: OpaquePointer) -> Bool {
    guard let port, lilv_node_is_uri(port) || lilv_node_is_blank(port),
      let numbers = lilv_world_find_nodes(world, port, index, nil)
    else { return true }
    defer { lilv_nodes_free(numbers) }
    var iterator = lilv_nodes_begin(numbers)
    while !lilv_nodes_is_end(numbers, iterator) {
      if let number = lilv_nodes_get(numbers, iterator), lilv_node_is_int(number),
        !(0...PluginModel.highestPort ~= Int(lilv_node_as_int(number)))
      {
        return false
      }
      iterator = lilv_nodes_next(numbers, iterator)
    }
    return true
  }

  /// Reads a plugin's description.
  func model(of plugin: OpaquePointer, uri: String) -> PluginModel {
    var ports: [PluginPort] = []
    var flaw: String?
    // lilv reads all ports at the first query about one.
    let isBounded = hasBoundedIndices(plugin), count = isBounded ? Int(lilv_plugin_get_num_ports(plugin)) : 0
    for index in 0..<count {
      if let port = port(index, of: plugin) {
        ports.append(port)
      } else {
        flaw = "its description leaves out port \(index), or that port's symbol or direction"
      }
    }
    // lilv returns no port at all if the indices have a gap.
    if count < values(of: plugin, Name.port).count { flaw = "the numbers of its ports have gaps" }
    if !isBounded { flaw = "the number of a port is negative, or above \(PluginModel.highestPort)" }
    makeSymbolsUnique(&ports)
    if !lilv_plugin_verify(plugin) {
      flaw = "its description is broken or incomplete"
    }
    let library = Self.text(lilv_plugin_get_library_uri(plugin)).flatMap { Self.path(of: $0) }
    if library == nil { flaw = flaw ?? "its description names no library" }
    return PluginModel(
      uri: uri, name: Self.take(lilv_plugin_get_name(plugin)) ?? uri,
      comment: values(of: plugin, Name.comment).first ?? "",
      category: Self.text(lilv_plugin_class_get_label(lilv_plugin_get_class(plugin))) ?? "",
      isSource: isSource(plugin),
      hasPrograms: values(of: plugin, Name.extensionData).contains(Name.programsInterface), library: library,
      bundle: Self.text(lilv_plugin_get_bundle_uri(plugin)).flatMap { Self.path(of: $0) } ?? "",
      ports: ports,
      properties: properties(of: plugin, besides: ports), flaw: flaw,
      requiredFeatures: Self.take(all: lilv_plugin_get_required_features(plugin)).sorted(),
      optionalFeatures: Self.take(all: lilv_plugin_get_optional_features(plugin)).sorted(),
      requiredOptions: values(of: plugin, Name.requiredOption).sorted(),
      supportedOptions: values(of: plugin, Name.supportedOption).sorted(),
      shortestBlock: values(of: plugin, Name.minBlockLength).first.flatMap { Int($0) },
      mainInput: values(of: plugin, Name.mainInput).first,
      mainOutput: values(of: plugin, Name.mainOutput).first)
  }

  /// Whether one of a plugin's classes is a generator class, or a subclass of one.
  private func isSource(_ plugin: OpaquePointer) -> Bool {
    let all = lilv_world_get_plugin_classes(world)
    for type in values(of: plugin, Name.type) {
      var name = type
      // The subclass relation of a broken vocabulary may have a cycle.
      for _ in 0..<16 where name != Name.plugin {
        if Name.sources.contains(name) { return true }
        guard let node = node(name), let found = lilv_plugin_classes_get_by_uri(all, node),
          let parent = Self.text(lilv_plugin_class_get_parent_uri(found))
        else { break }
        name = parent
      }
    }
    return false
  }

  /// The presets that any bundle has for a plugin, sorted by label.
  func presets(of plugin: OpaquePointer) -> [ProcessorInfo.Preset] {
    guard let kind = node(Name.preset), let related = lilv_plugin_get_related(plugin, kind) else { return [] }
    defer { lilv_nodes_free(related) }
    var presets: [ProcessorInfo.Preset] = []
    var iterator = lilv_nodes_begin(related)
    while !lilv_nodes_is_end(related, iterator) {
      if let preset = lilv_nodes_get(related, iterator), let uri = Self.text(preset),
        guarded.danger(of: uri) == nil
      {
        lilv_world_load_resource(world, preset)
        let bank = value(ofSubject: preset, Name.presetBank)
        let bankLabel = bank.map { value(ofSubject: node($0), Name.label) ?? $0 }
        presets.append(.init(id: uri, label: value(ofSubject: preset, Name.label) ?? uri, bank: bankLabel))
      }
      iterator = lilv_nodes_next(related, iterator)
    }
    return presets.sorted { ($0.label, $0.id) < ($1.label, $1.id) }
  }
}
