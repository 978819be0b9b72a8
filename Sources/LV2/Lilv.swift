// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

/// A lilv world, its plugins by URI, and the nodes we ask it with. Used under the world's lock only.
final class Lilv {
  let world: OpaquePointer
  /// Plugins that lilv found, by URI. They belong to the world.
  let plugins: [String: OpaquePointer]
  /// The Turtle files that lilv must not read.
  let guarded: GuardedTurtle
  private var nodes: [String: OpaquePointer] = [:]

  /// Reads every manifest along `path`, or along `LV2_PATH`, or in the usual folders, but for those that would end the
  /// process.
  init?(path: String?) {
    guard let world = lilv_world_new() else { return nil }
    self.world = world
    guarded = GuardedTurtle()
    for bundle in PluginFolders.bundles(along: path) where guarded.admits(bundle) {
      guard let node = lilv_new_file_uri(world, nil, bundle) else { continue }
      lilv_world_load_bundle(world, node)
      lilv_node_free(node)
    }
    lilv_world_load_specifications(world)
    lilv_world_load_plugin_classes(world)
    var plugins: [String: OpaquePointer] = [:]
    let all = lilv_world_get_all_plugins(world)
    var place = lilv_plugins_begin(all)
    while !lilv_plugins_is_end(all, place) {
      if let plugin = lilv_plugins_get(all, place), let uri = Self.text(lilv_plugin_get_uri(plugin)) {
        plugins[uri] = plugin
      }
      place = lilv_plugins_next(all, place)
    }
    self.plugins = plugins
  }

  deinit {
    for node in nodes.values { lilv_node_free(node) }
    lilv_world_free(world)
  }

  /// The node of a URI of ours, kept until the world goes.
  func node(_ uri: String) -> OpaquePointer? {
    if let node = nodes[uri] { return node }
    let node = lilv_new_uri(world, uri)
    nodes[uri] = node
    return node
  }

  /// What a node says, as text; nil for no node.
  static func text(_ node: OpaquePointer?) -> String? {
    guard let node, let text = lilv_node_as_string(node) else { return nil }
    return String(cString: text)
  }

  /// What a node says, which is freed.
  static func take(_ node: OpaquePointer?) -> String? {
    defer { lilv_node_free(node) }
    return text(node)
  }

  /// A number; nil for what is none or not finite.
  static func number(_ node: OpaquePointer?) -> Float? {
    guard let node, lilv_node_is_float(node) || lilv_node_is_int(node) else {
      guard let node, lilv_node_is_bool(node) else { return nil }
      return lilv_node_as_bool(node) ? 1 : 0
    }
    let value = lilv_node_as_float(node)
    return value.isFinite ? value : nil
  }

  /// What some nodes say, freeing their list.
  static func take(all nodes: UnsafeMutableRawPointer?) -> [String] {
    guard let nodes else { return [] }
    defer { lilv_nodes_free(nodes) }
    var texts: [String] = []
    var place = lilv_nodes_begin(nodes)
    while !lilv_nodes_is_end(nodes, place) {
      if let text = text(lilv_nodes_get(nodes, place)) { texts.append(text) }
      place = lilv_nodes_next(nodes, place)
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
