// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import Synchronization

/// Those who write takes of an engine, for as long as they live: they must know when no more sound comes.
final class TakeWriters: Sendable {
  private struct Entry { weak var writer: TakeRecorder? }
  private let entries = Mutex<[Entry]>([])

  func add(_ writer: TakeRecorder) {
    entries.withLock { entries in
      entries.removeAll { $0.writer == nil }
      entries.append(Entry(writer: writer))
    }
  }

  /// Ends all takes where sound did. Their files are finished by threads of their own.
  func endAll() {
    for entry in entries.withLock({ $0 }) { entry.writer?.endWithSound() }
  }
}
