// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// How control threads get exclusive access to a plugin that plays or may start to. They hold the plugin's
/// `changeLock`.
///
/// Whether the plugin plays is polled. A thread that starts to play after the answer could be inside the plugin at the
/// same time, so the gate is closed first and then the question is repeated.
extension PluginProcessor {
  /// Runs `body` while the audio thread does not use the plugin: the output fades out over a block, is silent, and
  /// fades in again. If the plugin does not play, `body` runs at once.
  ///
  /// - Parameter timeout: How many milliseconds to wait for the audio thread; reduced by the time used.
  /// - Throws: ``PluginError/stillRunning(_:)`` if the audio thread does not leave in time. Nothing is changed then.
  func withExclusiveAccess<Result>(
    _ isPlaying: () -> Bool, within timeout: inout Int, _ body: () throws(PluginError) -> Result
  ) throws(PluginError) -> Result {
    try close(isPlaying, within: &timeout)
    runtime.pointee.clearRestored()
    defer {
      let plays = isPlaying()
      if !plays { runtime.pointee.takeRestored() }
      gate.store(plays ? Gate.opening.rawValue : Gate.open.rawValue, ordering: .releasing)
    }
    return try body()
  }

  /// Requests the audio thread to leave, without waiting for it.
  func requestExclusiveAccess() {
    let (isClosing, _) = gate.compareExchange(
      expected: Gate.open.rawValue, desired: Gate.closing.rawValue, ordering: .sequentiallyConsistent)
    if isClosing { key.close() }
  }

  /// Waits until an offered body has replaced the current one, so that the caller works on the new one. If the gate
  /// was closed by the thread that holds `changeLock`, for a restart, no body is offered.
  func settle(_ isPlaying: () -> Bool, within timeout: inout Int) throws(PluginError) {
    switch Gate(rawValue: gate.load(ordering: .acquiring)) {
    case .closing, .closed: return
    case .open, .opening, .offered, .crossfading, .finishing, nil: break
    }
    while !finishRefit(isPlaying: isPlaying) {
      guard timeout > 0 else { throw .stillRunning(uri) }
      timeout -= 1
      Waiting.sleep(.milliseconds(1))
    }
  }

  /// Waits until the audio thread has faded the plugin out and no longer uses it.
  private func close(_ isPlaying: () -> Bool, within timeout: inout Int) throws(PluginError) {
    requestExclusiveAccess()
    while gate.load(ordering: .acquiring) != Gate.closed.rawValue {
      if !isPlaying(), isShut(against: isPlaying) { return }
      guard timeout > 0 else {
        let (isOpen, _) = gate.compareExchange(
          expected: Gate.closing.rawValue, desired: Gate.open.rawValue, ordering: .acquiringAndReleasing)
        if isOpen { throw .stillRunning(uri) }
        return
      }
      timeout -= 1
      Waiting.sleep(.milliseconds(1))
    }
  }

  /// Closes the gate of a plugin that does not play, so that a thread that starts to play stays out. Returns false if
  /// a thread has started in the meantime and may be inside; the gate then requests it to leave.
  private func isShut(against isPlaying: () -> Bool) -> Bool {
    gate.store(Gate.closed.rawValue, ordering: .sequentiallyConsistent)
    guard isPlaying() else { return true }
    gate.store(Gate.closing.rawValue, ordering: .sequentiallyConsistent)
    return false
  }
}
