// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// How a plugin is made to forget all sound.
extension PluginProcessor {
  /// Tells the audio thread that ``restart(within:isPlaying:)`` is to come: who restarts many plugins has it
  /// leave all of them in one cycle, and does so in their world's turn. Any thread but the audio thread.
  package func prepareRestart() {
    world.turn.locked {
      // Another change is under way, which is waited for then.
      if finishRefit(isPlaying: { true }) { askAway() }
    }
  }

  /// Makes the plugin forget all sound, as LV2 knows it: it is deactivated and activated, which it may take its
  /// time for. Parameters stay. While it plays, it is faded out over a block, and in again. Any thread but the
  /// audio thread.
  ///
  /// - Parameters:
  ///   - patience: how many milliseconds to wait at most; what it took is taken off.
  ///   - isPlaying: as for ``load(preset:isPlaying:)``.
  /// - Throws: ``PluginError/stillRunning(_:)`` where the audio thread did not come by, or the
  ///   plugin's work did not end; ``PluginError/busy(_:)`` where others were at work on plugins for so long. Then
  ///   it keeps its sound.
  package func restart(within patience: inout Int, isPlaying: () -> Bool) throws(PluginError) {
    let isDone = try world.inTurn(within: &patience) { patience throws(PluginError) in
      try settle(isPlaying, within: &patience)
      let left = max(patience, 1), body = body
      let isDone = try whileAway(isPlaying, within: &patience) {
        // It has forgotten where the song is, too.
        runtime.pointee.clock = SongClock()
        runtime.pointee.isToReset = runtime.pointee.resetPort >= 0
        return world.lock.locked { body.restart(within: left) }
      }
      guard isDone else {
        patience = 0
        throw .stillRunning(uri)
      }
      return true
    }
    if isDone == nil { throw .busy(uri) }
  }
}

extension PluginBody {
  /// Deactivates and activates every instance, while none of them runs or works.
  ///
  /// - Returns: false where the work under way does not end within so many milliseconds.
  func restart(within patience: Int) -> Bool {
    func restart() {
      for instance in instances { instance.restart() }
    }
    guard whileResting(within: patience, restart) != nil else { return false }
    deliver()
    return true
  }
}
