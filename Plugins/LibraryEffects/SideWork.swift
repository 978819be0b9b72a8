// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The side thread of an effect, and the board, the memory that it shares with the audio thread. The effect owns this
/// value; its end stops the thread and then frees the board.
@safe struct SideWork<Board: ~Copyable>: ~Copyable {
  /// The memory that both threads share.
  let board: UnsafeMutablePointer<Board>
  /// The side thread, for ``finish(_:)``.
  let thread: Unmanaged<SideThread>

  /// Starts the work on a board. Control thread.
  ///
  /// - Parameter work: makes the work on the board, which outlives it; returns nil if the library is not available.
  /// - Throws: ``EffectError/resources`` if there is no work, or no thread for it.
  init(
    _ board: consuming Board, _ work: (UnsafeMutablePointer<Board>) -> SideThread?
  ) throws(EffectError) {
    let memory = UnsafeMutablePointer<Board>.allocate(capacity: 1)
    unsafe memory.initialize(to: board)
    guard let thread = unsafe work(memory), thread.start() else {
      unsafe memory.deinitialize(count: 1)
      unsafe memory.deallocate()
      throw .resources
    }
    unsafe self.board = unsafe memory
    unsafe self.thread = Unmanaged.passRetained(thread)
  }

  deinit {
    unsafe thread.takeUnretainedValue().stop()
    unsafe thread.release()
    unsafe board.deinitialize(count: 1)
    unsafe board.deallocate()
  }
}
