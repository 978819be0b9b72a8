// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

/// A lilv world, and the nodes for queries. Used under the world's lock only.
///
/// Every manifest is scanned at init. lilv reads a bundle at the first request for a plugin that the bundle has
/// statements about, so using one of a thousand plugins is cheap.
final class Lilv {
  let world: OpaquePointer
  /// The Turtle files that lilv must not read.
  let guarded: TurtleGuard
  /// The URIs of all plugins of the bundles that lilv may read.
  let pluginURIs: Set<String>
  private let bundles: BundleIndex
  private var nodes: [String: OpaquePointer] = [:]

  /// Scans every manifest along `path`, or along `LV2_PATH`, or in the default folders, and has lilv read the
  /// vocabularies.
  init?(path: String?) {
    guard let world = lilv_world_new() else { return nil }
    self.world = world
    let guarded = TurtleGuard()
    let bundles = BundleIndex(
      PluginFolders.bundles(along: path).compactMap { bundle in guarded.admit(bundle).map { (bundle, $0) } })
    (self.guarded, self.bundles, pluginURIs) = (guarded, bundles, bundles.plugins)
    load(bundles.takeVocabularies())
    lilv_world_load_specifications(world)
    lilv_world_load_plugin_classes(world)
  }

  deinit {
    for node in nodes.values { lilv_node_free(node) }
    lilv_world_free(world)
  }

  /// lilv's handle of a plugin, which belongs to the world; nil if no bundle that lilv may read has it.
  func plugin(_ uri: String) -> OpaquePointer? {
    guard pluginURIs.contains(uri), let node = node(uri) else { return nil }
    load(bundles.take(naming: uri))
    return lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), node)
  }

  /// Loads bundles into lilv.
  private func load(_ bundles: [String]) {
    for bundle in bundles {
      guard let node = lilv_new_file_uri(world, nil, bundle) else { continue }
      lilv_world_load_bundle(world, node)
      lilv_node_free(node)
    }
  }

  /// Returns the node of a URI that this host uses, which is cached until the world is freed.
  func node(_ uri: String) -> OpaquePointer? {
    if let node = nodes[uri] { return node }
    let node = lilv_new_uri(world, uri)
    nodes[uri] = node
    return node
  }

  /// The path of a `file:` URI; nil for any other URI.
  static func path(of uri: String) -> String? {
    guard let path = lilv_file_uri_parse(uri, nil) else { return nil }
    defer { lilv_free(path) }
    return String(cString: path)
  }

  /// A node's text; nil without a node.
  static func text(_ node: OpaquePointer?) -> String? {
    guard let node, let text = lilv_node_as_string(node) else { return nil }
    return String(cString: text)
  }

  /// A node's text; frees the node.
  static func take(_ node: OpaquePointer?) -> String? {
    defer { lilv_node_free(node) }
    return text(node)
  }

  /// A node's number; nil if it is not a number or not finite.
  static func number(_ node: OpaquePointer?) -> Float? {
    guard let node, lilv_node_is_float(node) || lilv_node_is_int(node) else {
      guard let node, lilv_node_is_bool(node) else { return nil }
      return lilv_node_as_bool(node) ? 1 : 0
    }
    let value = lilv_node_as_float(node)
    return value.isFinite ? value : nil
  }

  /// The texts of nodes; frees the list.
  static func take(all nodes: UnsafeMutableRawPointer?) -> [String] {
    guard let nodes else { return [] }
    defer { lilv_nodes_free(nodes) }
    var texts: [String] = []
    var iterator = lilv_nodes_begin(nodes)
    while !lilv_nodes_is_end(nodes, iterator) {
      if let text = text(lilv_nodes_get(nodes, iterator)) { texts.append(text) }
      iterator = lilv_nodes_next(nodes, iterator)
    }
    return texts
  }

  /// The objects of `plugin predicate ?`.
  func values(of plugin: OpaquePointer, _ predicate: String) -> [String] {
    guard let predicate = node(predicate) else { return [] }
    return Self.take(all: lilv_plugin_get_value(plugin, predicate))
  }

  /// The first object of `subject predicate ?`, for any subject in the world.
  func value(ofSubject subject: OpaquePointer?, _ predicate: String) -> String? {
    guard let subject, let predicate = node(predicate) else { return nil }
    return Self.take(lilv_world_get(world, subject, predicate, nil))
  }
}
