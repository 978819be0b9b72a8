// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletThreads
internal import Synchronization

/// The thread that looks after an engine while it lives: fades, taps, reports, the studio's notices.
enum Housekeeper {
  /// How long it rests between two looks.
  enum Rest {
    /// While nothing changes: a tap is drained once a period of most studios.
    static let settled = Duration.milliseconds(10)
    /// While an edit is on its way: a fade takes 5 ms.
    static let editing = Duration.milliseconds(5)
    /// While the studio waits for us, since it freewheels.
    static let freewheeling = Duration.microseconds(500)
  }

  /// Starts the thread; it ends when the engine is gone.
  static func start(for engine: AudioEngine) {
    startThread("swiftlet-house") { [weak engine] in
      while true {
        guard let present = engine, !present.isClosed else { return }
        present.tick()
        let rest = rest(of: present)
        _ = consume present
        Waiting.sleep(rest)
      }
    }
  }

  private static func rest(of engine: AudioEngine) -> Duration {
    if engine.studio?.grantedFrames != nil { return Rest.freewheeling }
    return engine.core.withLock(\.host.isSettled) ? Rest.settled : Rest.editing
  }
}
