// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The side thread of an effect, and the buffers that it shares with the audio thread. The effect owns this value; its
/// end stops the thread and then frees the buffers.
@safe struct SideWork<Buffers: ~Copyable>: ~Copyable {
  /// The memory that both threads share.
  let buffers: UnsafeMutablePointer<Buffers>
  /// The side thread, for ``finish(_:)``.
  let thread: Unmanaged<SideThread>

  /// Starts the work on buffers. Control thread.
  ///
  /// - Parameter work: makes the work on the buffers, which outlive it; returns nil if the library is not available.
  /// - Throws: ``EffectError/resources`` if there is no work, or no thread for it.
  init(
    _ buffers: consuming Buffers, _ work: (UnsafeMutablePointer<Buffers>) -> SideThread?
  ) throws(EffectError) {
    let memory = UnsafeMutablePointer<Buffers>.allocate(capacity: 1)
    unsafe memory.initialize(to: buffers)
    guard let thread = unsafe work(memory), thread.start() else {
      unsafe memory.deinitialize(count: 1)
      unsafe memory.deallocate()
      throw .resources
    }
    unsafe self.buffers = unsafe memory
    unsafe self.thread = Unmanaged.passRetained(thread)
  }

  deinit {
    unsafe thread.takeUnretainedValue().stop()
    unsafe thread.release()
    unsafe buffers.deinitialize(count: 1)
    unsafe buffers.deallocate()
  }
}
