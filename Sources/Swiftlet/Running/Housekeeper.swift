// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletThreads
internal import Synchronization

/// The housekeeping thread of an engine: fades, taps, reports, and events of JACK.
enum Housekeeper {
  /// The pauses between two runs.
  enum Rest {
    /// While nothing changes. Taps are drained about once a period of a typical JACK server.
    static let settled = Duration.milliseconds(10)
    /// During an edit: a fade takes 5 ms.
    static let editing = Duration.milliseconds(5)
    /// While JACK freewheels and waits for the engine.
    static let freewheeling = Duration.microseconds(500)
  }

  /// Starts the thread, which ends when the engine is closed or released.
  static func start(for engine: AudioEngine) {
    startThread("swiftlet-engine") { [weak engine] in
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
    if engine.jackClient?.grantedFrames != nil { return Rest.freewheeling }
    return engine.core.withLock(\.controller.isSettled) ? Rest.settled : Rest.editing
  }
}
