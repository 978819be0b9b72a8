// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

extension PluginProcessor {
  /// Loads a preset into the plugin, or selects a program if no preset has that name. Any thread except the audio
  /// thread.
  ///
  /// If the plugin plays and does not declare thread-safe restoring, a new body is created with the preset and
  /// crossfaded to. If a second body is impossible, the plugin is faded out over a block, restored, and faded in
  /// again. While another thread changes the plugin, this waits, and the plugin plays on.
  ///
  /// - Parameter isPlaying: Returns whether an audio thread may be using the plugin. Called more than once. It may
  ///   take locks, but none that a thread holds while it waits for a plugin.
  /// - Parameter preset: The preset's URI, its label, its bank and number, as in `Pads/2`, or its number; or a program's
  ///   name, its bank and number, as in `2/8`, or its number.
  /// - Returns: The parameters that the preset sets, for the caller to send as events: a plugin with thread-safe
  ///   restoring has not received them yet if it plays.
  /// - Throws: ``PluginError``; ``PluginError/stillRunning(_:)`` if the audio thread does not leave within a second,
  ///   or the plugin's work does not end within one.
  @discardableResult package func load(
    preset: String, isPlaying: () -> Bool
  ) throws(PluginError) -> [(number: Int, value: Float)] {
    try changeLock.locked { () throws(PluginError) in
      let recall = try recall(named: preset)
      var timeout = 3000
      try settle(isPlaying, within: &timeout)
      return try self.recall(recall, isPlaying)
    }
  }

  /// Returns the preset with this name, or the program if there is no such preset.
  private func recall(named name: String) throws(PluginError) -> PluginRecall {
    let body = body
    do throws(PluginError) {
      return try .states(
        world.lock.locked { () throws(PluginError) in
          try world.states(ofPreset: name, for: body.model, count: body.instances.count)
        })
    } catch {
      guard case .unknownPreset(_, _, let known) = error else { throw error }
      if let program = PluginProgram.find(name, among: programs) { return .program(program.change) }
      throw .unknownPreset(name, plugin: uri, known: known + programs.map(\.name))
    }
  }

  /// Discards the assigned values of properties that the state contains, since the state's values are newer.
  func discardAssigned(replacedBy recall: PluginRecall) {
    guard case .states(let states) = recall, let state = states.first else { return }
    let properties = state.values(of: body.model.properties)
    bodies.withLock { bodies in
      for change in properties {
        bodies.assigned.removeAll { $0.number == change.number }
        bodies.known[URIDMap.shared.number(of: change.uri)] = change.value
      }
    }
  }

  /// Recalls states or a program in place. Called with `changeLock`.
  ///
  /// - Returns: As ``load(preset:isPlaying:)``.
  func recallInPlace(
    _ recall: PluginRecall, _ isPlaying: () -> Bool
  ) throws(PluginError) -> [(number: Int, value: Float)] {
    let body = body
    isAltered.store(true, ordering: .releasing)
    func restore() throws(PluginError) -> [(number: Int, value: Float)] {
      guard let values = body.recall(recall, within: 1000) else {
        throw .stillRunning(uri)
      }
      discardAssigned(replacedBy: recall)
      return values
    }
    if recall.isThreadSafe(for: body.model), isPlaying() { return try restore() }
    var timeout = 1000
    return try withExclusiveAccess(isPlaying, within: &timeout) { () throws(PluginError) in
      let values = try restore()
      body.deliver()
      // The output fades in with the new values.
      for value in values { runtime.pointee.restore(value.number, to: value.value) }
      return values
    }
  }
}
