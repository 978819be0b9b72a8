// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// A sound that was opened to be looked at, kept for whoever reads it first. Any thread.
package final class OpenedSound: Sendable {
  // @unchecked: it is taken out once, under the lock, by whoever then owns it.
  private struct Held: @unchecked Sendable { var sound: OpenSound? }
  private let held: Mutex<Held>

  package init(_ sound: sending OpenSound) { held = Mutex(Held(sound: sound)) }

  /// The sound, for the first who asks.
  package func take() -> sending OpenSound? {
    let taken = held.withLock { held in
      defer { held.sound = nil }
      return held
    }
    nonisolated(unsafe) let sound = taken.sound
    return sound
  }
}
