// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization

/// What takes the place of a processor with less memory, and goes on from what that one holds.
///
/// It keeps the one before it alive until it has been heard: from then on it holds all it needs itself. So one
/// edit after another leaves no trail of old memory behind.
protocol Heir: Processor {
  /// Whether the audio thread has taken over what the one before it holds. Any thread.
  var hasBegun: Bool { get }
  /// Lets go of the one before it. Control thread, once `hasBegun`.
  func forgetBefore()
}

/// A flag that goes up once, on the audio thread.
struct Beginning: ~Copyable {
  private let flag: Atomic<Int>

  init(isDone: Bool) { flag = Atomic(isDone ? 1 : 0) }

  /// Any thread.
  var isDone: Bool { flag.load(ordering: .acquiring) == 1 }

  /// Audio thread.
  @_noLocks @_noAllocation borrowing func finish() { flag.store(1, ordering: .releasing) }
}

extension ProcessorStore {
  /// Remembers that `heir` goes on from `before`, if there is one.
  func keep(_ heir: any Heir, after before: (any Heir)?) {
    if before != nil { heirs.append(HeldHeir(heir: heir)) }
  }

  /// Has heirs that have been heard let go of what was before them.
  func releaseHeritage() {
    heirs.removeAll { held in
      guard let heir = held.heir else { return true }
      guard heir.hasBegun else { return false }
      heir.forgetBefore()
      return true
    }
  }
}
