// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletGraph
internal import Synchronization

extension PluginProcessor {
  /// Gives the plugin a preset by URI or label. Any thread but the audio thread.
  ///
  /// While it plays, a plugin that does not say that its restoring is safe then is faded out over a
  /// block, restored, and faded in again.
  ///
  /// - Parameter isPlaying: whether an audio thread may be working on the plugin now.
  /// - Returns: the parameters that the preset sets. They are set already if the plugin does not
  ///   play; else send them as events.
  /// - Throws: ``PluginError``; ``PluginError/stillRunning(_:)`` if the audio thread
  ///   did not come by within a second.
  @discardableResult public func load(
    preset: String, isPlaying: Bool
  ) throws(PluginError) -> [(number: Int, value: Float)] {
    try world.lock.locked { () throws(PluginError) in
      let state = try world.state(ofPreset: preset, for: body.model)
      try settle(isPlaying: isPlaying)
      let body = body
      guard isPlaying else {
        // Who begins to play meanwhile keeps away, and is silent until it is done.
        gate.store(Gate.closed.rawValue, ordering: .sequentiallyConsistent)
        key.close()
        defer { gate.store(Gate.open.rawValue, ordering: .releasing) }
        let values = body.restore(state)
        body.worker?.deliver()
        for value in values { runtime.pointee.set(value.number, to: value.value, over: 0) }
        return values
      }
      if body.model.asks(Name.threadSafeRestore) { return body.restore(state) }
      try close()
      let values = body.restore(state)
      body.worker?.deliver()
      gate.store(Gate.opening.rawValue, ordering: .releasing)
      return values
    }
  }

  /// Waits until a body that was made anew has taken its place, so that it is the one which is restored.
  func settle(isPlaying: Bool) throws(PluginError) {
    for _ in 0..<3000 {
      if finishRefit(isPlaying: isPlaying) { return }
      usleep(1000)
    }
    throw .stillRunning(uri)
  }

  /// Waits until the audio thread has faded the plugin out and stays away from it.
  func close() throws(PluginError) {
    gate.store(Gate.closing.rawValue, ordering: .sequentiallyConsistent)
    key.close()
    for _ in 0..<1000 {
      if gate.load(ordering: .acquiring) == Gate.closed.rawValue { return }
      usleep(1000)
    }
    let (isOpen, _) = gate.compareExchange(
      expected: Gate.closing.rawValue, desired: Gate.open.rawValue, ordering: .acquiringAndReleasing)
    if isOpen { throw .stillRunning(uri) }
  }
}
