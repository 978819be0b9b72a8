// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import SwiftletGraph

/// A plugin's state as a bundle has it: values of ports, and properties that only the plugin understands.
final class PluginState {
  private let state: OpaquePointer
  /// The world's: names that it frees are the world's, too.
  private let lock: ControlLock

  /// The state that `uri` (a plugin for its default state, or a preset whose resource is loaded) has in the
  /// world; nil where it has none. Under the world's lock.
  init?(of uri: String, in lilv: Lilv, lock: ControlLock) {
    guard let node = lilv_new_uri(lilv.world, uri) else { return nil }
    defer { lilv_node_free(node) }
    guard let state = lilv_state_new_from_world(lilv.world, URIDMap.shared.map, node) else { return nil }
    self.state = state
    self.lock = lock
  }

  /// What an instance has to be saved, values of ports left out; nil where it saves nothing. The instance
  /// may run meanwhile: LV2 has plugins see to that. Under the world's lock.
  init?(
    savedBy instance: PluginInstance, of plugin: OpaquePointer, files: PluginFiles, lock: ControlLock
  ) {
    guard instance.interface(Name.stateInterface, as: LV2_State_Interface.self) != nil else { return nil }
    let features = [LV2_Feature(URI: URIDMap.shared.pinned(Name.makePath), data: files.make)]
    let state = Self.withList(of: features) { list in
      withForeignCode(SWIFTLET_SAVE, instance.note) {
        // Files stay where they are: the state does not outlive the process.
        lilv_state_new_from_instance(
          plugin, instance.instance, URIDMap.shared.map, nil, nil, nil, nil, nil, nil,
          LV2_STATE_IS_POD.rawValue,
          list)
      }
    }
    guard let state else { return nil }
    self.state = state
    self.lock = lock
  }

  deinit {
    lock.locked { lilv_state_free(state) }
  }

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
    Self.withList(of: features) { list in
      withForeignCode(SWIFTLET_RESTORE, instance.note) {
        lilv_state_restore(state, instance.instance, nil, nil, 0, list)
      }
    }
  }

  /// Some features as LV2 wants them, while `body` runs: a list that ends with null.
  private static func withList<Result>(
    of features: [LV2_Feature], _ body: (UnsafePointer<UnsafePointer<LV2_Feature>?>) -> Result
  ) -> Result {
    features.withUnsafeBufferPointer { features in
      let list = features.indices.map { place in features.baseAddress.map { $0 + place } } + [nil]
      return body(list)
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
  /// - Returns: the values of parameters that go with it, which are not set yet; nil where work under way
  ///   did not end within so many milliseconds, and nothing was done.
  func restore(_ state: PluginState, within patience: Int) -> [(number: Int, value: Float)]? {
    let isDone: Void? = whileResting(within: patience) {
      for (number, instance) in instances.enumerated() { restore(state, into: instance, number) }
    }
    guard isDone != nil else { return nil }
    return state.values.compactMap { symbol, value in
      model.ports.first { $0.isParameter && $0.symbol == symbol }.map { ($0.index, value) }
    }
  }

  /// Gives one instance the state, while none works.
  func restore(_ state: PluginState, into instance: PluginInstance, _ number: Int) {
    state.restore(into: instance, files: files, schedule: worker.map { $0.schedules + number })
  }

  /// Runs `body` while no instance works; nil where the work under way does not end within so many milliseconds.
  func whileResting<Result>(within milliseconds: Int, _ body: () -> Result) -> Result? {
    guard let worker else { return body() }
    return worker.whileResting(within: milliseconds, body)
  }
}
