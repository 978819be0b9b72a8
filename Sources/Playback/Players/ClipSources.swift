// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Retains the sources of a player's clips while the audio thread may read them.
final class ClipSources: Sendable {
  private let sources = Mutex<[Int: StreamSource]>([:])

  func put(_ source: StreamSource, as number: Int) { sources.withLock { $0[number] = source } }
  func take(_ number: Int) -> StreamSource? { sources.withLock { $0.removeValue(forKey: number) } }
  subscript(number: Int) -> StreamSource? { sources.withLock { $0[number] } }
  var count: Int { sources.withLock { $0.count } }
}
