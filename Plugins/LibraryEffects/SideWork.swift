// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The thread that works aside for a unit, and the board by which the two talk. A unit holds it, and with the
/// unit it goes: first the thread, then the board.
@safe struct SideWork<Board: ~Copyable>: ~Copyable {
  /// What both sides write to and read from.
  let board: UnsafeMutablePointer<Board>
  /// The thread, for ``finish(_:)``.
  let thread: Unmanaged<SideThread>

  /// Starts to work by a board. Control thread.
  ///
  /// - Parameter work: what is done by the board, which outlives it; nil where the library cannot be had.
  /// - Throws: ``EffectError/resources`` where there is no work, or no thread for it.
  init(
    _ board: consuming Board, _ work: (UnsafeMutablePointer<Board>) -> SideThread?
  ) throws(EffectError) {
    let place = UnsafeMutablePointer<Board>.allocate(capacity: 1)
    unsafe place.initialize(to: board)
    guard let thread = unsafe work(place), thread.start() else {
      unsafe place.deinitialize(count: 1)
      unsafe place.deallocate()
      throw .resources
    }
    unsafe self.board = unsafe place
    unsafe self.thread = Unmanaged.passRetained(thread)
  }

  deinit {
    unsafe thread.takeUnretainedValue().stop()
    unsafe thread.release()
    unsafe board.deinitialize(count: 1)
    unsafe board.deallocate()
  }
}
