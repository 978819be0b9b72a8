// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization

/// Where plans change hands, without either thread waiting for the other.
///
/// Two slots. The control thread lays a plan in `incoming`. At the start of a cycle the audio thread takes it, and plays
/// it as soon as there is room in `spent` for the old one, which the control thread collects. Nothing is freed on the
/// audio thread, and of several plans published between two cycles only the last is taken.
@safe struct PlanExchange: ~Copyable {
  private let incoming = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
  private let spent = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  /// Lays a plan out for the audio thread. Control thread.
  ///
  /// - Returns: an earlier plan that was never adopted, to be freed.
  func publish(_ plan: UnsafeMutablePointer<PlanMemory>?) -> UnsafeMutableRawPointer? {
    unsafe incoming.exchange(UnsafeMutableRawPointer(plan), ordering: .acquiringAndReleasing)
  }

  /// The plan that the audio thread has finished with, if any. Control thread.
  func collect() -> UnsafeMutableRawPointer? { unsafe spent.exchange(nil, ordering: .acquiring) }

  /// Takes the newest plan, if there is one. Audio thread.
  @_noLocks @_noAllocation func take() -> UnsafeMutableRawPointer? {
    // A look costs less than a swap, and mostly there is nothing.
    guard unsafe incoming.load(ordering: .relaxed) != nil else { return nil }
    return unsafe incoming.exchange(nil, ordering: .acquiring)
  }

  /// Puts `next` in the place of the plan in use. Audio thread.
  ///
  /// - Returns: false where the last plan that was replaced has not been collected yet.
  @_noLocks @_noAllocation func replace(
    _ current: inout UnsafeMutableRawPointer?, by next: UnsafeMutableRawPointer
  ) -> Bool {
    guard unsafe spent.load(ordering: .acquiring) == nil else { return false }
    unsafe spent.store(current, ordering: .releasing)
    unsafe current = unsafe next
    return true
  }
}
