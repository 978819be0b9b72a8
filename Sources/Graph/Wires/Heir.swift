// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization

/// What takes the place of a processor with less memory, and goes on from what that one holds.
///
/// It keeps the one before it alive until it has been heard: from then on it holds all it needs itself. So
/// one edit after another leaves no trail of old memory behind.
protocol Heir: Processor {
  /// Whether the audio thread has taken over what the one before it holds. Any thread.
  var hasBegun: Bool { get }
  /// Lets go of the one before it. Control thread, once `hasBegun`.
  func forgetBefore()
}

/// Where a processor begins: at rest, or from what the one before it holds by then.
@safe struct Beginning: ~Copyable {
  /// What an heir finds of the one before it.
  @unsafe struct Place: ~Copyable {
    let isDone: Atomic<Int>
    let state: UnsafeMutableRawPointer
    let history: HistoryLine.View
    let before: UnsafeMutablePointer<Place>?
  }
  /// For the heir that will go on from here.
  let place: UnsafeMutablePointer<Place>

  /// The beginning of a processor with this state and history. Where there is one before it, that one is kept
  /// alive until this is done.
  ///
  /// - Parameter joins: whether it takes more over than that, and so has not begun where there is none before it.
  init(
    _ state: UnsafeMutableRawPointer, _ history: HistoryLine.View, after before: UnsafeMutablePointer<Place>?,
    joins: Bool = false
  ) {
    unsafe place = .allocate(capacity: 1)
    unsafe place.initialize(
      to: Place(
        isDone: Atomic(before == nil && !joins ? 1 : 0), state: state, history: history, before: before))
  }

  deinit {
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
  }

  /// Any thread.
  var isDone: Bool { unsafe place.pointee.isDone.load(ordering: .acquiring) == 1 }

  /// What to go on from: the nearest before it that was heard, since several edits may fall between two
  /// cycles. Audio thread, until it is done.
  var origin: (state: UnsafeMutableRawPointer, history: HistoryLine.View)? {
    @_noLocks @_noAllocation get {
      guard let before = unsafe place.pointee.before else { return nil }
      return unsafe Self.heard(from: before)
    }
  }

  /// What a processor is by now, or, if it was not heard yet, the nearest before it that was. Audio thread.
  @_noLocks @_noAllocation static func heard(
    from place: UnsafeMutablePointer<Place>
  ) -> (state: UnsafeMutableRawPointer, history: HistoryLine.View) {
    var nearest = unsafe place
    while unsafe nearest.pointee.isDone.load(ordering: .relaxed) == 0,
      let before = unsafe nearest.pointee.before
    {
      unsafe nearest = before
    }
    return unsafe (nearest.pointee.state, nearest.pointee.history)
  }

  /// Audio thread.
  @_noLocks @_noAllocation borrowing func finish() {
    unsafe place.pointee.isDone.store(1, ordering: .releasing)
  }
}

extension ProcessorStore {
  /// Remembers that `heir` goes on from what it holds on to, if it does.
  func keep(_ heir: any Heir) {
    if !heir.hasBegun { heirs.append(HeldHeir(heir: heir)) }
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
