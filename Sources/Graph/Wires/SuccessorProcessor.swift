// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization

/// A processor that replaces one with less memory, and continues from its state.
///
/// It retains the replaced processor until it has run for the first time: from then on it holds all state itself. So
/// repeated edits do not accumulate old memory.
protocol SuccessorProcessor: Processor {
  /// Whether the audio thread has copied the state of the replaced processor. Any thread.
  var hasBegun: Bool { get }
  /// Releases the replaced processor. Control threads only, once `hasBegun`.
  func releasePredecessor()
}

/// The initial state of a processor: at rest, or copied from the processor that it replaces.
@safe struct InheritedState: ~Copyable {
  /// The data of a processor that its successor reads.
  @unsafe struct Shared: ~Copyable {
    let isDone: Atomic<Int>
    let state: UnsafeMutableRawPointer
    let history: HistoryLine.View
    let before: UnsafeMutablePointer<Shared>?
  }
  /// The data that the successor of this processor reads.
  let shared: UnsafeMutablePointer<Shared>

  /// Creates the beginning of a processor with this state and history. The owner must retain the replaced processor
  /// until this is done.
  ///
  /// - Parameter joins: whether the processor also takes over state from another object; it has then not begun even
  ///   if it replaces none.
  init(
    _ state: UnsafeMutableRawPointer, _ history: HistoryLine.View,
    after before: UnsafeMutablePointer<Shared>?,
    joins: Bool = false
  ) {
    unsafe shared = .allocate(capacity: 1)
    unsafe shared.initialize(
      to: Shared(
        isDone: Atomic(before == nil && !joins ? 1 : 0), state: state, history: history, before: before))
  }

  deinit {
    unsafe shared.deinitialize(count: 1)
    unsafe shared.deallocate()
  }

  /// Whether the processor has begun. Any thread.
  var isDone: Bool { unsafe shared.pointee.isDone.load(ordering: .acquiring) == 1 }

  /// The state to continue from: that of the nearest predecessor that has run, since several edits may fall between
  /// two cycles. Audio thread only, until it is done.
  var origin: (state: UnsafeMutableRawPointer, history: HistoryLine.View)? {
    @_noLocks @_noAllocation get {
      guard let before = unsafe shared.pointee.before else { return nil }
      return unsafe Self.lastState(from: before)
    }
  }

  /// Returns the state of a processor, or, if it has not run yet, of the nearest predecessor that has. Audio thread
  /// only.
  @_noLocks @_noAllocation static func lastState(
    from shared: UnsafeMutablePointer<Shared>
  ) -> (state: UnsafeMutableRawPointer, history: HistoryLine.View) {
    var nearest = unsafe shared
    while unsafe nearest.pointee.isDone.load(ordering: .relaxed) == 0,
      let before = unsafe nearest.pointee.before
    {
      unsafe nearest = before
    }
    return unsafe (nearest.pointee.state, nearest.pointee.history)
  }

  /// Marks the processor as begun. Audio thread only.
  @_noLocks @_noAllocation borrowing func finish() {
    unsafe shared.pointee.isDone.store(1, ordering: .releasing)
  }
}

extension ProcessorStore {
  /// Registers a successor that still retains the processor it replaces.
  func keep(_ successor: any SuccessorProcessor) {
    if !successor.hasBegun { successors.append(HeldSuccessor(successor: successor)) }
  }

  /// Makes successors that have run release the processors that they replaced.
  func releasePredecessors() {
    successors.removeAll { held in
      guard let successor = held.successor else { return true }
      guard successor.hasBegun else { return false }
      successor.releasePredecessor()
      return true
    }
  }
}
