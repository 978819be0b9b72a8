// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import Synchronization

/// The take recorders of an engine, held weakly. They are notified when the engine renders no more sound.
final class TakeWriters: Sendable {
  private struct Entry { weak var writer: TakeRecorder? }
  private let entries = Mutex<[Entry]>([])

  func add(_ writer: TakeRecorder) {
    entries.withLock { entries in
      entries.removeAll { $0.writer == nil }
      entries.append(Entry(writer: writer))
    }
  }

  /// Ends all takes at the last rendered frame. Threads of the recorders finish the files.
  func endAll() {
    for entry in entries.withLock({ $0 }) { entry.writer?.endWithSound() }
  }
}
