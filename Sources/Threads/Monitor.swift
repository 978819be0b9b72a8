// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// State that control threads share and whose changes they wait for. Not for the audio thread.
// @unchecked: the state is accessed under the lock only; the pthread objects synchronize themselves.
@safe package final class Monitor<State: Sendable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  package init(_ state: State) {
    self.state = state
    unsafe lock = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // The monotonic clock, so that setting the wall clock affects no wait.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(lock)
    unsafe changed.deallocate()
    unsafe lock.deallocate()
  }

  /// The current state.
  package var value: State {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return state
  }

  /// Changes the state and wakes all waiting threads.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(lock)
    }
    return body(&state)
  }

  /// Wakes all waiting threads, after a change of something that the state refers to.
  package func wakeAll() { change { _ in } }

  /// Waits until a condition holds. The condition is evaluated at once and after each change, under the lock, so it
  /// must not wait for anything else.
  ///
  /// - Parameter time: The timeout; nil means no limit.
  /// - Returns: Whether the condition holds.
  @discardableResult
  package func wait(within time: Duration? = nil, until holds: (State) -> Bool) -> Bool {
    var end = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &end)
    let (seconds, attoseconds) = max(min(time ?? .zero, .seconds(1_000_000_000)), .zero).components
    let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while !holds(state) {
      let error =
        unsafe time == nil
        ? pthread_cond_wait(changed, lock) : pthread_cond_timedwait(changed, lock, &end)
      guard error == 0 else { return holds(state) }
    }
    return true
  }
}
