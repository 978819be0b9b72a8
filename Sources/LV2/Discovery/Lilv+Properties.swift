// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import SwiftletGraph

extension Lilv {
  /// The properties that a plugin reads or reports by messages, sorted by URI. Symbols that equal a port's or another
  /// property's are made unique, as for ports.
  func properties(of plugin: OpaquePointer, besides ports: [PluginPort]) -> [PluginProperty] {
    let writable = uris(of: plugin, Name.patchWritable), readable = uris(of: plugin, Name.patchReadable)
    var taken = Set(ports.map(\.symbol))
    return Set(writable + readable).sorted().enumerated().map { index, uri in
      let word = Self.lastPart(of: uri)
      let free = (2...).lazy.map { "\(word)_\($0)" }.first { !taken.contains($0) } ?? word
      let symbol = taken.contains(word) ? free : word
      taken.insert(symbol)
      var property = PluginProperty(
        uri: uri, kind: .unknown(""),
        port: PluginPort(
          index: ports.count + index, symbol: symbol, name: word, kind: .control, isInput: true),
        isWritable: writable.contains(uri), isReadable: readable.contains(uri))
      describe(&property)
      return property
    }
  }

  private func uris(of plugin: OpaquePointer, _ predicate: String) -> [String] {
    guard let predicate = node(predicate), let nodes = lilv_plugin_get_value(plugin, predicate) else {
      return []
    }
    defer { lilv_nodes_free(nodes) }
    var uris: [String] = []
    var iterator = lilv_nodes_begin(nodes)
    while !lilv_nodes_is_end(nodes, iterator) {
      if let found = lilv_nodes_get(nodes, iterator), lilv_node_is_uri(found), let uri = Self.text(found) {
        uris.append(uri)
      }
      iterator = lilv_nodes_next(nodes, iterator)
    }
    return uris
  }

  /// Reads the description of a property from the bundle or from LV2's own vocabulary.
  private func describe(_ property: inout PluginProperty) {
    guard let subject = node(property.uri) else { return }
    property.kind = PluginProperty.kind(of: value(ofSubject: subject, Name.range) ?? "")
    property.port.name = value(ofSubject: subject, Name.label) ?? property.port.name
    property.port.comment = value(ofSubject: subject, Name.comment) ?? ""
    property.port.minimum = number(ofSubject: subject, Name.minimum)
    property.port.maximum = number(ofSubject: subject, Name.maximum)
    property.port.initial = number(ofSubject: subject, Name.defaultValue)
    if property.kind == .bool { property.port.properties.insert(Name.toggled) }
    if [.int, .long].contains(property.kind) { property.port.properties.insert(Name.integer) }
    if let predicate = node(Name.unit), let unit = lilv_world_get(world, subject, predicate, nil) {
      property.port.unit = Self.text(unit)
      property.port.unitSymbol = value(ofSubject: unit, Name.unitSymbol)
      lilv_node_free(unit)
    }
    guard let predicate = node(Name.scalePoint),
      let points = lilv_world_find_nodes(world, subject, predicate, nil)
    else { return }
    defer { lilv_nodes_free(points) }
    readPoints(points, into: &property.port)
  }

  private func number(ofSubject subject: OpaquePointer, _ predicate: String) -> Float? {
    guard let predicate = node(predicate) else { return nil }
    let found = lilv_world_get(world, subject, predicate, nil)
    defer { lilv_node_free(found) }
    return Self.number(found)
  }

  /// The part of a URI after its last `#`, `/` or `:`; the whole URI if that part is empty.
  static func lastPart(of uri: String) -> String {
    let part = uri.split(omittingEmptySubsequences: false) { "#/:".contains($0) }.last ?? ""
    return part.isEmpty ? uri : String(part)
  }
}
