// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// Clearing a plugin's past sound.
extension PluginProcessor {
  /// Reserves the plugin for this thread, so that no other changes it until ``release()``. Any thread except the audio
  /// thread.
  ///
  /// - Returns: False if another thread is changing the plugin.
  package func reserve() -> Bool { changeLock.lock() }

  /// Ends a reservation.
  package func release() { changeLock.unlock() }

  /// Requests the audio thread to leave, ahead of ``restart(within:isPlaying:)``: a caller that restarts many plugins
  /// lets the audio thread leave all of them in one cycle, and has reserved them. Any thread except the audio thread.
  package func prepareRestart() {
    changeLock.locked {
      // If another change is in progress, `restart` waits for it.
      if finishRefit(isPlaying: { true }) { requestExclusiveAccess() }
    }
  }

  /// Clears the plugin's past sound: deactivates and activates it, which may take some time. Parameters are kept. If
  /// the plugin plays, its output is faded out over a block, and in again. Any thread except the audio thread.
  ///
  /// - Parameters:
  ///   - timeout: How many milliseconds to wait at most; reduced by the time used.
  ///   - isPlaying: As for ``load(preset:isPlaying:)``.
  /// - Throws: ``PluginError/stillRunning(_:)`` if the audio thread does not leave or the plugin's work does not end
  ///   in time; ``PluginError/busy(_:)`` if another thread was changing it for too long. The plugin then keeps its
  ///   past sound.
  package func restart(within timeout: inout Int, isPlaying: () -> Bool) throws(PluginError) {
    let isDone = try whileHoldingLock(within: &timeout) { timeout throws(PluginError) in
      try settle(isPlaying, within: &timeout)
      let left = max(timeout, 1), body = body
      let isDone = try withExclusiveAccess(isPlaying, within: &timeout) {
        // The plugin has also lost the transport position, so that it is sent again.
        runtime.pointee.clock = TransportTracker()
        runtime.pointee.isToReset = runtime.pointee.resetPort >= 0
        return body.restart(within: left)
      }
      guard isDone else {
        timeout = 0
        throw .stillRunning(uri)
      }
      return true
    }
    if isDone == nil { throw .busy(uri) }
  }

  /// Runs `body` while no other thread changes the plugin.
  ///
  /// - Parameter timeout: How many milliseconds to wait at most; reduced by the time used.
  /// - Returns: The result of `body`; nil if other threads held `changeLock` for longer.
  private func whileHoldingLock<Result, Failure: Error>(
    within timeout: inout Int, _ body: (inout Int) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let start = ContinuousClock.now, whole = max(timeout, 0)
    timeout = 0
    return try changeLock.locked(within: whole) { () throws(Failure) in
      let waited = (ContinuousClock.now - start).components
      timeout = max(whole - Int(waited.seconds) * 1000 - Int(waited.attoseconds / 1_000_000_000_000_000), 0)
      return try body(&timeout)
    }
  }
}

extension PluginBody {
  /// Deactivates and activates every instance while neither the instances nor the worker run.
  ///
  /// - Returns: False if the current work does not end within `timeout` milliseconds.
  func restart(within timeout: Int) -> Bool {
    func restart() {
      for instance in instances { instance.restart() }
    }
    guard whileWorkIsPaused(within: timeout, restart) != nil else { return false }
    deliver()
    return true
  }
}
