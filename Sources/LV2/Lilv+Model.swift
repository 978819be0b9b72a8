// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

extension Lilv {
  /// Gives ports that share a symbol, against the specification, one each: `gain`, `gain_2`. Presets and
  /// saved states name the first.
  private func tellApart(_ ports: inout [PluginPort]) {
    var taken = Set(ports.map(\.symbol)), seen: Set<String> = []
    for place in ports.indices where !seen.insert(ports[place].symbol).inserted {
      var number = 2
      while taken.contains("\(ports[place].symbol)_\(number)") { number += 1 }
      ports[place].symbol += "_\(number)"
      taken.insert(ports[place].symbol)
    }
  }

  /// Reads what the description of a plugin says.
  func model(of plugin: OpaquePointer, uri: String) -> PluginModel {
    var ports: [PluginPort] = []
    var flaw: String?
    let count = Int(lilv_plugin_get_num_ports(plugin))
    for index in 0..<count {
      if let port = port(index, of: plugin) {
        ports.append(port)
      } else {
        flaw = "its description leaves out port \(index), or that port's symbol or direction"
      }
    }
    // lilv gives no port at all where the numbers have a gap.
    if count < values(of: plugin, Name.port).count { flaw = "the numbers of its ports have gaps" }
    tellApart(&ports)
    if !lilv_plugin_verify(plugin) {
      flaw = "its description is broken or incomplete"
    }
    let library = Self.text(lilv_plugin_get_library_uri(plugin)).flatMap { uri -> String? in
      guard let path = lilv_file_uri_parse(uri, nil) else { return nil }
      defer { lilv_free(path) }
      return String(cString: path)
    }
    if library == nil { flaw = flaw ?? "its description names no library" }
    return PluginModel(
      uri: uri, name: Self.take(lilv_plugin_get_name(plugin)) ?? uri,
      comment: values(of: plugin, Name.comment).first ?? "",
      category: Self.text(lilv_plugin_class_get_label(lilv_plugin_get_class(plugin))) ?? "", library: library,
      ports: ports, flaw: flaw,
      requiredFeatures: Self.take(all: lilv_plugin_get_required_features(plugin)).sorted(),
      optionalFeatures: Self.take(all: lilv_plugin_get_optional_features(plugin)).sorted(),
      requiredOptions: values(of: plugin, Name.requiredOption).sorted(),
      supportedOptions: values(of: plugin, Name.supportedOption).sorted(),
      shortestBlock: values(of: plugin, Name.minBlockLength).first.flatMap { Int($0) },
      mainInput: values(of: plugin, Name.mainInput).first,
      mainOutput: values(of: plugin, Name.mainOutput).first)
  }

  /// The presets that any bundle has for a plugin, by label.
  func presets(of plugin: OpaquePointer) -> [(uri: String, label: String)] {
    guard let kind = node(Name.preset), let related = lilv_plugin_get_related(plugin, kind) else { return [] }
    defer { lilv_nodes_free(related) }
    var presets: [(uri: String, label: String)] = []
    var place = lilv_nodes_begin(related)
    while !lilv_nodes_is_end(related, place) {
      if let preset = lilv_nodes_get(related, place), let uri = Self.text(preset) {
        lilv_world_load_resource(world, preset)
        presets.append((uri, value(ofSubject: preset, Name.label) ?? uri))
      }
      place = lilv_nodes_next(related, place)
    }
    return presets.sorted { ($0.label, $0.uri) < ($1.label, $1.uri) }
  }
}
