// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// The thread that looks after an engine while it lives: fades, taps, reports, the studio's notices.
enum Housekeeper {
  /// How long it rests between two looks, in microseconds.
  enum Rest {
    /// While nothing changes: a tap is drained once a period of most studios.
    static let settled: UInt32 = 10_000
    /// While an edit is on its way: a fade takes 5 ms.
    static let editing: UInt32 = 5000
    /// While the studio waits for us, since it freewheels.
    static let freewheeling: UInt32 = 500
  }

  /// Starts the thread; it ends when the engine is gone.
  static func start(for engine: AudioEngine) {
    startThread("swiftlet-house") { [weak engine] in
      while true {
        guard let present = engine, !present.isClosed else { return }
        present.tick()
        let rest = rest(of: present)
        _ = consume present
        usleep(rest)
      }
    }
  }

  private static func rest(of engine: AudioEngine) -> UInt32 {
    if engine.studio?.grantedFrames != nil { return Rest.freewheeling }
    return engine.core.withLock(\.host.isSettled) ? Rest.settled : Rest.editing
  }
}
