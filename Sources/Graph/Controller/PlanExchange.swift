// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization

/// Exchanges plans between the control and the audio thread without blocking either.
///
/// It has two slots. The control thread stores a plan in `incoming`. At the start of a cycle the audio thread takes
/// it, and adopts it as soon as `spent` is free for the old plan, which the control thread collects. Nothing is freed
/// on the audio thread, and of several plans published between two cycles only the last is taken.
@safe struct PlanExchange: ~Copyable {
  private let incoming = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
  private let spent = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  /// Publishes a plan for the audio thread. Control threads only.
  ///
  /// - Returns: an earlier plan that was never adopted, to be freed.
  func publish(_ plan: UnsafeMutablePointer<PlanMemory>?) -> UnsafeMutableRawPointer? {
    unsafe incoming.exchange(UnsafeMutableRawPointer(plan), ordering: .acquiringAndReleasing)
  }

  /// Returns the plan that the audio thread has released, if any. Control threads only.
  func collect() -> UnsafeMutableRawPointer? { unsafe spent.exchange(nil, ordering: .acquiring) }

  /// Takes the newest plan, if there is one. Audio thread only.
  @_noLocks @_noAllocation func take() -> UnsafeMutableRawPointer? {
    // A load costs less than an exchange, and is usually sufficient.
    guard unsafe incoming.load(ordering: .relaxed) != nil else { return nil }
    return unsafe incoming.exchange(nil, ordering: .acquiring)
  }

  /// Replaces the plan in use by `next`. Audio thread only.
  ///
  /// - Returns: false if the previously replaced plan has not been collected yet.
  @_noLocks @_noAllocation func replace(
    _ current: inout UnsafeMutableRawPointer?, by next: UnsafeMutableRawPointer
  ) -> Bool {
    guard unsafe spent.load(ordering: .acquiring) == nil else { return false }
    unsafe spent.store(current, ordering: .releasing)
    unsafe current = unsafe next
    return true
  }
}
