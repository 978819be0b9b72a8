// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch
internal import Swiftlet
internal import Synchronization

/// Runs asynchronous work from synchronous code.
enum BlockingCall {
  /// Blocks the thread until the work is done, and returns its result.
  ///
  /// - Throws: The work's error.
  static func value<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let done = DispatchSemaphore(value: 0), outcome = Mutex<Result<Value, FileError>?>(nil)
    Task.detached {
      let result: Result<Value, FileError>
      do throws(FileError) { result = .success(try await work()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      done.signal()
    }
    while true {
      done.wait()
      if let outcome = outcome.withLock({ $0 }) { return try outcome.get() }
    }
  }
}
