// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Frames that a tap could not keep: where they lie in its ring, and how many.
struct Loss: BitwiseCopyable {
  /// Which recording they belong to.
  var recording: Int
  /// The ring position that they come before.
  var position: Int
  /// How many frames are missing there.
  var count = 0
  /// How many of them found no room; the others never came.
  var overrun = 0

  @_noLocks @_noAllocation init(recording: Int, position: Int) {
    self.recording = recording
    self.position = position
  }
}

/// A small ring of losses, from the audio thread to the thread that drains a tap.
// @unchecked: as in `FrameRing`, the two positions hand the memory over.
@safe struct LossRing: ~Copyable, @unchecked Sendable {
  private static var capacity: Int { @_noLocks @_noAllocation get { 256 } }
  private let memory: UnsafeMutablePointer<Loss>
  private let written = Atomic(0)
  private let taken = Atomic(0)

  init() {
    unsafe memory = .allocate(capacity: LossRing.capacity)
    unsafe memory.initialize(repeating: Loss(recording: 0, position: 0), count: LossRing.capacity)
  }

  deinit { unsafe memory.deallocate() }

  /// Adds a loss; false where there is no room. Audio thread.
  @_noLocks @_noAllocation func push(_ loss: Loss) -> Bool {
    let position = written.load(ordering: .relaxed)
    guard position - taken.load(ordering: .acquiring) < LossRing.capacity else { return false }
    unsafe memory[position & (LossRing.capacity - 1)] = loss
    written.store(position + 1, ordering: .releasing)
    return true
  }

  /// The oldest loss, which stays. Draining thread.
  var first: Loss? {
    let position = taken.load(ordering: .relaxed)
    guard position < written.load(ordering: .acquiring) else { return nil }
    return unsafe memory[position & (LossRing.capacity - 1)]
  }

  /// Drops the oldest loss. Draining thread.
  func removeFirst() {
    guard first != nil else { return }
    taken.store(taken.load(ordering: .relaxed) + 1, ordering: .releasing)
  }
}
