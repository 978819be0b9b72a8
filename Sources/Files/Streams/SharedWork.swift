// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Work that is done once for all tasks that wait for it, on a thread that may block. It stops once no task waits any
/// more.
final class SharedWork<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, FileError>
  private typealias Waiting = CheckedContinuation<Outcome?, Never>

  private struct State {
    var outcome: Outcome?
    var waiting: [Int: Waiting] = [:]
    /// Tasks that were cancelled before they started to wait.
    var gone: Set<Int> = []
    var tickets = 0
    var hasBegun = false
    /// Whether all waiting tasks have left. The work may have stopped, and accepts no more tasks.
    var isAbandoned = false
  }
  private let state = Mutex(State())
  private let path: String
  private let threads: WorkThreads
  private let work: @Sendable (_ isUnwanted: @Sendable @escaping () -> Bool) throws(FileError) -> Value

  /// Creates work on the file at a path. It begins when the first task waits, as soon as a thread is free.
  ///
  /// - Parameter work: receives a closure to call now and then; it returns true if the work may stop because no task
  ///   waits.
  init(
    _ path: String, on threads: WorkThreads,
    _ work: @escaping @Sendable (@Sendable @escaping () -> Bool) throws(FileError) -> Value
  ) {
    (self.path, self.threads, self.work) = (path, threads, work)
  }

  /// Whether waiting for the work makes sense: it has not failed and was not abandoned.
  var isOfUse: Bool {
    state.withLock { state in
      if case .failure? = state.outcome { return false }
      return !state.isAbandoned
    }
  }

  /// Returns the result; nil if all earlier tasks have left and the work must be started again.
  func outcome() async -> Outcome? {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Waiting) in enter(ticket, continuation) }
    } onCancel: {
      leave(ticket)
    }
  }

  private func enter(_ ticket: Int, _ continuation: Waiting) {
    // Nil means that the task must wait.
    let answer: Outcome?? = state.withLock { state in
      if state.gone.remove(ticket) != nil { return .some(.failure(.cancelled(path))) }
      if let outcome = state.outcome { return outcome }
      if state.isAbandoned { return .some(nil) }
      state.waiting[ticket] = continuation
      return nil
    }
    if let answer { return continuation.resume(returning: answer) }
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    threads.begin { [self] in
      do throws(FileError) {
        end(.success(try work { [self] in state.withLock { $0.isAbandoned } }))
      } catch {
        end(.failure(error))
      }
    }
  }

  private func leave(_ ticket: Int) {
    let continuation: Waiting? = state.withLock { state in
      guard let continuation = state.waiting.removeValue(forKey: ticket) else {
        state.gone.insert(ticket)
        return nil
      }
      if state.waiting.isEmpty && state.outcome == nil { state.isAbandoned = true }
      return continuation
    }
    continuation?.resume(returning: .failure(.cancelled(path)))
  }

  private func end(_ outcome: Outcome) {
    let waiting = state.withLock { state in
      state.outcome = outcome
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume(returning: outcome) }
  }
}
