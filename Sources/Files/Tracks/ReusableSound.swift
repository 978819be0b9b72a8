// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// A sound that was opened for inspection, kept for the first reader. Any thread.
package final class ReusableSound: Sendable {
  // @unchecked: the sound is taken out once, under the lock; the caller then owns it.
  private struct Held: @unchecked Sendable { var sound: OpenSound? }
  private let held: Mutex<Held>

  package init(_ sound: sending OpenSound) { held = Mutex(Held(sound: sound)) }

  /// Returns the sound to the first caller, and nil afterwards.
  package func take() -> sending OpenSound? {
    let taken = held.withLock { held in
      defer { held.sound = nil }
      return held
    }
    nonisolated(unsafe) let sound = taken.sound
    return sound
  }
}
