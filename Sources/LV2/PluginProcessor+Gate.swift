// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// How control threads get a plugin to themselves while it plays, or may begin to. All of it in the world's turn.
///
/// Whether it plays is asked, not told: who begins to play between the answer and the deed would meet us inside
/// the plugin. So the gate is shut first, and then it is asked again.
extension PluginProcessor {
  /// Runs `body` while the audio thread keeps away from the plugin: it is faded out over a block, silent, and
  /// faded in again. Where nobody plays it, that is at once.
  ///
  /// - Parameter patience: how many milliseconds the audio thread has to leave; what it took is taken off.
  /// - Throws: ``PluginError/stillRunning(_:)`` where it does not; then all is as before.
  func whileAway<Result>(
    _ isPlaying: () -> Bool, within patience: inout Int, _ body: () throws(PluginError) -> Result
  ) throws(PluginError) -> Result {
    try close(isPlaying, within: &patience)
    defer { gate.store(isPlaying() ? Gate.opening.rawValue : Gate.open.rawValue, ordering: .releasing) }
    return try body()
  }

  /// Asks the audio thread to leave, and does not wait for it.
  func askAway() {
    let (isAsked, _) = gate.compareExchange(
      expected: Gate.open.rawValue, desired: Gate.closing.rawValue, ordering: .sequentiallyConsistent)
    if isAsked { key.close() }
  }

  /// Waits until a body that was made anew has taken its place, so that it is the one which is worked on. A gate
  /// that was shut in our turn, to restart the plugin, has none behind it.
  func settle(_ isPlaying: () -> Bool, within patience: inout Int) throws(PluginError) {
    switch Gate(rawValue: gate.load(ordering: .acquiring)) {
    case .closing, .closed: return
    case .open, .opening, .offered, .crossing, .finishing, nil: break
    }
    while !finishRefit(isPlaying: isPlaying) {
      guard patience > 0 else { throw .stillRunning(uri) }
      patience -= 1
      Waiting.sleep(.milliseconds(1))
    }
  }

  /// Waits until the audio thread has faded the plugin out and stays away from it.
  private func close(_ isPlaying: () -> Bool, within patience: inout Int) throws(PluginError) {
    askAway()
    while gate.load(ordering: .acquiring) != Gate.closed.rawValue {
      if !isPlaying(), isShut(against: isPlaying) { return }
      guard patience > 0 else {
        let (isOpen, _) = gate.compareExchange(
          expected: Gate.closing.rawValue, desired: Gate.open.rawValue, ordering: .acquiringAndReleasing)
        if isOpen { throw .stillRunning(uri) }
        return
      }
      patience -= 1
      Waiting.sleep(.milliseconds(1))
    }
  }

  /// Shuts the gate of a plugin that nobody plays: who begins to play from now on keeps away. False for one
  /// who has begun meanwhile, and may be inside; he is asked to leave.
  private func isShut(against isPlaying: () -> Bool) -> Bool {
    gate.store(Gate.closed.rawValue, ordering: .sequentiallyConsistent)
    guard isPlaying() else { return true }
    gate.store(Gate.closing.rawValue, ordering: .sequentiallyConsistent)
    return false
  }
}
