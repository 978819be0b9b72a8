// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import SwiftletGraph

/// A plugin's state from a bundle or file: port values, and properties that only the plugin interprets.
// @unchecked: lilv's state has copies of all values. One thread at a time reads it, and no node of the world is used then.
final class PluginState: @unchecked Sendable {
  private let state: OpaquePointer
  /// The world's lock, since freeing the state frees nodes of the world.
  private let lock: ControlLock

  /// Reads the state of `uri` (a plugin for its default state, or a preset whose resource is loaded) from the world;
  /// nil if there is none. Called under the world's lock.
  init?(of uri: String, in lilv: Lilv, lock: ControlLock) {
    guard let node = lilv_new_uri(lilv.world, uri) else { return nil }
    defer { lilv_node_free(node) }
    guard let state = lilv_state_new_from_world(lilv.world, URIDMap.shared.map, node) else { return nil }
    self.state = state
    self.lock = lock
  }

  /// Reads a state from a file that lilv may read; nil if the file has none. Called under the world's lock.
  ///
  /// - Parameter subject: The state's subject relative to the file; empty for the file itself.
  init?(file: String, subject: String = "", in lilv: Lilv, lock: ControlLock) {
    guard let node = lilv_new_file_uri(lilv.world, nil, file) else { return nil }
    defer { lilv_node_free(node) }
    let whole = subject.isEmpty ? nil : lilv_new_uri(lilv.world, (Lilv.text(node) ?? "") + subject)
    defer { lilv_node_free(whole) }
    guard let state = lilv_state_new_from_file(lilv.world, URIDMap.shared.map, whole ?? node, file) else {
      return nil
    }
    self.state = state
    self.lock = lock
  }

  /// The URI of the plugin that the state is for.
  var plugin: String? { Lilv.text(lilv_state_get_plugin_uri(state)) }

  deinit {
    lock.locked { lilv_state_free(state) }
  }

  /// The port values, by port symbol.
  var values: [(symbol: String, value: Float)] {
    var found: [(symbol: String, value: Float)] = []
    withUnsafeMutablePointer(to: &found) { found in
      lilv_state_emit_port_values(state, notePortValue, found)
    }
    return found
  }

  /// Restores an instance. The worker behind `schedule` executes at once the work that the plugin schedules.
  func restore(
    into instance: PluginInstance, files: PluginFiles, schedule: UnsafeMutablePointer<LV2_Worker_Schedule>?
  ) {
    var paths = PathFeatures(files)
    // lilv maps paths of states itself.
    paths.map = nil
    paths.withList(schedule) { list in
      instance.call(SWIFTLET_RESTORE) {
        lilv_state_restore(state, instance.instance, nil, nil, 0, list)
      }
    }
  }
}

/// Stores a port's value, converted from any numeric type.
private func notePortValue(
  _ symbol: UnsafePointer<CChar>?, _ list: UnsafeMutableRawPointer?, _ value: UnsafeRawPointer?,
  _ size: UInt32,
  _ type: UInt32
) {
  guard let symbol, let list, let value else { return }
  let map = URIDMap.shared
  let number: Float? =
    switch (type, size) {
    case (map.number(of: Name.atomFloat), 4): value.loadUnaligned(as: Float.self)
    case (map.number(of: Name.atomDouble), 8): Float(value.loadUnaligned(as: Double.self))
    case (map.number(of: Name.atomInt), 4), (map.number(of: Name.atomBool), 4):
      Float(value.loadUnaligned(as: Int32.self))
    case (map.number(of: Name.atomLong), 8): Float(value.loadUnaligned(as: Int64.self))
    default: nil
    }
  guard let number, number.isFinite else { return }
  list.assumingMemoryBound(to: [(symbol: String, value: Float)].self).pointee
    .append((String(cString: symbol), number))
}

extension PluginState {
  /// The values of properties in the state.
  func values(of properties: [PluginProperty]) -> [PropertyAssignment] {
    guard !properties.isEmpty else { return [] }
    let read = StateReading(properties.map { URIDMap.shared.number(of: $0.uri) })
    read.read(state)
    return properties.compactMap { property in
      guard let found = read.found[URIDMap.shared.number(of: property.uri)],
        let value = PropertyValue(
          type: found.type, body: UnsafeRawBufferPointer(found.bytes))
      else { return nil }
      return PropertyAssignment(number: property.number, uri: property.uri, value: value)
    }
  }
}

extension PluginBody {
  /// Restores every instance from the state: otherwise the channels of a mono plugin would sound different.
  ///
  /// - Returns: The state's parameter values, which are not set yet; nil if the current work did not end within
  ///   `timeout` milliseconds, in which case nothing was done.
  func restore(_ state: PluginState, within timeout: Int) -> [(number: Int, value: Float)]? {
    restore(instances.map { _ in state }, within: timeout)
  }

  /// Restores each instance from its own state. The returned parameter values are those of the first.
  func restore(_ states: [PluginState], within timeout: Int) -> [(number: Int, value: Float)]? {
    let isDone: Void? = whileWorkIsPaused(within: timeout) {
      for (number, (instance, state)) in zip(instances, states).enumerated() {
        restore(state, into: instance, number)
      }
    }
    guard isDone != nil, let first = states.first else { return nil }
    let ports = first.values.compactMap { symbol, value -> (number: Int, value: Float)? in
      model.ports.first { $0.isParameter && $0.symbol == symbol }.map { ($0.index, value) }
    }
    // All other properties are set by messages.
    let byNumber = model.properties.filter { $0.isWritable && [.float, .bool].contains($0.kind) }
    return ports
      + first.values(of: byNumber).compactMap { change in
        change.value.number.map { (change.number, Float($0)) }
      }
  }

  /// Restores one instance while no work is running.
  func restore(_ state: PluginState, into instance: PluginInstance, _ number: Int) {
    state.restore(into: instance, files: files, schedule: worker.map { $0.schedules + number })
  }

  /// Restores one instance from another's snapshot while no work is running.
  func restore(_ state: StateSnapshot, into instance: PluginInstance, _ number: Int) {
    state.restore(into: instance, paths: PathFeatures(files), schedule: worker.map { $0.schedules + number })
  }

  /// Runs `body` while no work is running; nil if the current work does not end within `milliseconds`.
  func whileWorkIsPaused<Result>(within milliseconds: Int, _ body: () -> Result) -> Result? {
    guard let worker else { return body() }
    return worker.whileWorkIsPaused(within: milliseconds, body)
  }
}
