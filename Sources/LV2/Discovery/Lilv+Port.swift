// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

extension Lilv {
  /// Reads a port; nil if its description is incomplete.
  func port(_ index: Int, of plugin: OpaquePointer) -> PluginPort? {
    guard let port = lilv_plugin_get_port_by_index(plugin, UInt32(index)) else { return nil }
    guard let symbol = Self.text(lilv_port_get_symbol(plugin, port)) else { return nil }
    let classes = texts(lilv_port_get_classes(plugin, port))
    let isInput = classes.contains(Name.inputPort)
    guard isInput || classes.contains(Name.outputPort) else { return nil }
    let kind: PluginPort.Kind =
      if classes.contains(Name.audioPort) {
        .audio
      } else if classes.contains(Name.cvPort) {
        .cv
      } else if classes.contains(Name.controlPort) {
        .control
      } else if classes.contains(Name.atomPort) {
        .atom
      } else {
        .unsupported(
          classes.filter { !$0.hasPrefix("http://lv2plug.in/ns/lv2core#") }.sorted().joined(separator: " "))
      }
    var read = PluginPort(
      index: index, symbol: symbol, name: Self.take(lilv_port_get_name(plugin, port)) ?? symbol, kind: kind,
      isInput: isInput)
    read.comment = value(of: port, plugin, Name.comment) ?? ""
    read.properties = Set(Self.take(all: lilv_port_get_properties(plugin, port)))
    read.mayStayOpen = read.properties.contains(Name.connectionOptional)
    read.role = role(of: port, plugin, read.properties)
    if kind == .control, isInput, let designation = value(of: port, plugin, Name.designation) {
      read.transportValue = TransportValue.allCases.first { $0.uri == designation }
    }
    readGroup(of: port, plugin, into: &read)
    readRange(of: port, plugin, into: &read)
    if let unit = node(Name.unit), let node = lilv_port_get(plugin, port, unit) {
      read.unit = Self.text(node)
      read.unitSymbol = value(ofSubject: node, Name.unitSymbol)
      lilv_node_free(node)
    }
    if kind == .atom {
      if let supports = node(Name.supports) {
        read.supports = Set(Self.take(all: lilv_port_get_value(plugin, port, supports)))
      }
      read.isControl = value(of: port, plugin, Name.designation) == Name.control
      read.minimumSize = value(of: port, plugin, Name.minimumSize).flatMap { Int($0) } ?? 0
    }
    return read
  }

  private func value(of port: OpaquePointer, _ plugin: OpaquePointer, _ predicate: String) -> String? {
    guard let predicate = node(predicate) else { return nil }
    return Self.take(lilv_port_get(plugin, port, predicate))
  }

  /// Returns the texts of nodes, whose list lilv owns.
  private func texts(_ nodes: UnsafeRawPointer?) -> Set<String> {
    guard let nodes else { return [] }
    var texts: Set<String> = []
    var iterator = lilv_nodes_begin(nodes)
    while !lilv_nodes_is_end(nodes, iterator) {
      if let text = Self.text(lilv_nodes_get(nodes, iterator)) { texts.insert(text) }
      iterator = lilv_nodes_next(nodes, iterator)
    }
    return texts
  }

  private func role(
    of port: OpaquePointer, _ plugin: OpaquePointer, _ properties: Set<String>
  ) -> PluginPort.Role? {
    if properties.contains(Name.reportsLatency) { return .latency }
    return switch value(of: port, plugin, Name.designation) {
    case Name.latency: .latency
    case Name.enabled: .enabled
    case Name.freeWheeling: .freeWheeling
    case Name.reset, Name.propsReset: .reset
    default: nil
    }
  }

  private func readGroup(of port: OpaquePointer, _ plugin: OpaquePointer, into read: inout PluginPort) {
    read.isSideChain =
      read.properties.contains(Name.isSideChain) || value(of: port, plugin, Name.sideChainOf) != nil
    guard let predicate = node(Name.group), let group = lilv_port_get(plugin, port, predicate) else { return }
    read.group = Self.text(group)
    read.groupSymbol = value(ofSubject: group, Name.symbol)
    if value(ofSubject: group, Name.sideChainOf) != nil { read.isSideChain = true }
    lilv_node_free(group)
  }

  private func readRange(of port: OpaquePointer, _ plugin: OpaquePointer, into read: inout PluginPort) {
    guard read.kind == .control || read.kind == .cv else { return }
    var initial: OpaquePointer?, minimum: OpaquePointer?, maximum: OpaquePointer?
    lilv_port_get_range(plugin, port, &initial, &minimum, &maximum)
    read.initial = Self.number(initial)
    read.minimum = Self.number(minimum)
    read.maximum = Self.number(maximum)
    for node in [initial, minimum, maximum] { lilv_node_free(node) }
    // lilv's own list of scale points terminates the program if none of a port's points has both a label and a value.
    guard let predicate = node(Name.scalePoint), let points = lilv_port_get_value(plugin, port, predicate)
    else { return }
    defer { lilv_nodes_free(points) }
    readPoints(points, into: &read)
  }

  /// Reads scale points that have both a label and a value.
  func readPoints(_ points: UnsafeMutableRawPointer, into read: inout PluginPort) {
    var iterator = lilv_nodes_begin(points)
    while !lilv_nodes_is_end(points, iterator) {
      if let point = lilv_nodes_get(points, iterator),
        let label = find(Name.label, of: point, { Self.text($0) }),
        let value = find(Name.value, of: point, { Self.number($0) })
      {
        read.points.append((label, value))
      }
      iterator = lilv_nodes_next(points, iterator)
    }
    read.points.sort { $0.value < $1.value }
  }

  /// Reads the first object of `subject predicate ?`, in the user's language; nil if there is none.
  private func find<Value>(
    _ predicate: String, of subject: OpaquePointer, _ read: (OpaquePointer?) -> Value?
  ) -> Value? {
    guard let predicate = node(predicate), let nodes = lilv_world_find_nodes(world, subject, predicate, nil)
    else { return nil }
    defer { lilv_nodes_free(nodes) }
    return read(lilv_nodes_get_first(nodes))
  }
}
