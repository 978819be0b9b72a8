// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

extension PluginProcessor {
  /// Gives the plugin a preset. Any thread but the audio thread.
  ///
  /// While it plays, a plugin that does not say that its restoring is safe then is made anew with the preset and crossfaded
  /// to; one that cannot be made twice is faded out over a block, restored, and faded in again. While others are made or changed,
  /// that waits, and it plays on.
  ///
  /// - Parameter isPlaying: whether an audio thread may be working on the plugin now. It is asked more than
  ///   once, and may take locks under which nobody waits for a plugin.
  /// - Parameter preset: its URI, its label, its bank and number, as in `Pads/2`, or its number.
  /// - Returns: the parameters that the preset sets. They are set already if the plugin does not
  ///   play; else send them as events.
  /// - Throws: ``PluginError``; ``PluginError/stillRunning(_:)`` if the audio thread
  ///   did not come by within a second, or the plugin's work did not end in one.
  @discardableResult package func load(
    preset: String, isPlaying: () -> Bool
  ) throws(PluginError) -> [(number: Int, value: Float)] {
    try world.turn.locked { () throws(PluginError) in
      let states = try world.lock.locked { () throws(PluginError) in
        try world.states(ofPreset: preset, for: self.body.model, count: self.body.instances.count)
      }
      var patience = 3000
      try settle(isPlaying, within: &patience)
      return try give(states, isPlaying)
    }
  }

  /// Forgets what was set of the properties that a state has: its values are newer.
  func forget(_ state: PluginState) {
    let properties = world.lock.locked { state.values(of: body.model.properties) }
    bodies.withLock { bodies in
      for change in properties {
        bodies.assigned.removeAll { $0.number == change.number }
        bodies.known[URIDMap.shared.number(of: change.uri)] = change.value
      }
    }
  }

  /// Gives each instance its state, where nothing else changes the plugin. In the world's turn.
  ///
  /// - Returns: as ``load(preset:isPlaying:)``.
  func restore(
    _ states: [PluginState], _ isPlaying: () -> Bool
  ) throws(PluginError) -> [(number: Int, value: Float)] {
    let body = body
    isAltered.store(true, ordering: .releasing)
    func restore() throws(PluginError) -> [(number: Int, value: Float)] {
      guard let values = world.lock.locked({ body.restore(states, within: 1000) }) else {
        throw .stillRunning(uri)
      }
      if let first = states.first { forget(first) }
      return values
    }
    if body.model.asks(Name.threadSafeRestore), isPlaying() { return try restore() }
    var patience = 1000
    return try whileAway(isPlaying, within: &patience) { () throws(PluginError) in
      let values = try restore()
      body.deliver()
      if !isPlaying() {
        for value in values { runtime.pointee.set(value.number, to: value.value, over: 0) }
      }
      return values
    }
  }
}
