// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import SwiftletGraph

/// A plugin's state as a bundle has it: values of ports, and properties that only the plugin understands.
final class PluginState {
  private let state: OpaquePointer

  /// The state that `uri` (a plugin for its default state, or a preset whose resource is loaded) has in the world;
  /// nil where it has none. Under the world's lock.
  init?(of uri: String, in lilv: Lilv) {
    guard let node = lilv_new_uri(lilv.world, uri) else { return nil }
    defer { lilv_node_free(node) }
    guard let state = lilv_state_new_from_world(lilv.world, URIDMap.shared.map, node) else { return nil }
    self.state = state
  }

  deinit { lilv_state_free(state) }

  /// The values it has for ports, by port symbol.
  var values: [(symbol: String, value: Float)] {
    var found: [(symbol: String, value: Float)] = []
    withUnsafeMutablePointer(to: &found) { found in
      lilv_state_emit_port_values(state, notePortValue, found)
    }
    return found
  }

  /// Gives an instance its properties. What it schedules meanwhile is done by `worker`, at once.
  func restore(
    into instance: PluginInstance, files: PluginFiles, schedule: UnsafeMutablePointer<LV2_Worker_Schedule>?
  ) {
    let names = URIDMap.shared
    var features = [
      LV2_Feature(URI: names.pinned(Name.threadSafeRestore), data: nil),
      LV2_Feature(URI: names.pinned(Name.makePath), data: files.make),
    ]
    if let schedule { features.append(LV2_Feature(URI: names.pinned(Name.workerSchedule), data: schedule)) }
    features.withUnsafeBufferPointer { features in
      var list: [UnsafePointer<LV2_Feature>?] = features.indices.map { place in
        features.baseAddress.map { $0 + place }
      }
      list.append(nil)
      withForeignCode { lilv_state_restore(state, instance.instance, nil, nil, 0, list) }
    }
  }
}

/// Takes a port's value, whatever kind of number it was written as.
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

extension PluginBody {
  /// Gives every instance the state: a replica with the state of another channel would sound alone.
  ///
  /// - Returns: the values of parameters that go with it, which are not set yet.
  func restore(_ state: PluginState) -> [(number: Int, value: Float)] {
    func restoreAll() {
      for (number, instance) in instances.enumerated() {
        state.restore(into: instance, files: files, schedule: worker.map { $0.schedules + number })
      }
    }
    if let worker { worker.whileRestoring(restoreAll) } else { restoreAll() }
    return state.values.compactMap { symbol, value in
      model.ports.first { $0.isParameter && $0.symbol == symbol }.map { ($0.index, value) }
    }
  }
}
