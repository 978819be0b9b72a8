// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Dispatch
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// Starts all child processes, on one thread that lasts as long as this process.
///
/// The kernel sends a child its death signal when the thread that started it ends (`PR_SET_PDEATHSIG` in prctl(2)).
/// This thread ends only with the process, even if that is killed, so no child outlives this process. Programs for
/// which the kernel clears the signal, or that may ignore it, also have a ``ProcessGuard``.
final class ProcessStarter: Sendable {
  /// A program to start.
  struct Request: Sendable {
    /// The program's absolute path.
    var path: String
    /// The program's arguments, without its own name.
    var arguments: [String]
    /// The program's descriptors 0, 1, 2 …, at most 16. It inherits no others.
    var descriptors: [Int32]
    /// The signal that ends the program when this process ends; 0 lets the program continue.
    var deathSignal = SIGKILL
    /// Guard sockets that receive the program's process ID.
    var guards: [Int32] = []
  }

  /// A running program.
  struct Started: Sendable {
    /// The ID of its process and process group.
    let identifier: pid_t
    /// The guard that ends it if the kernel does not; nil if none is needed.
    let processGuard: ProcessGuard?
  }

  private struct Job: Sendable {
    let request: Request
    let answer = DispatchSemaphore(value: 0)
    let result = Answer()
  }

  /// The result of a start. The thread writes it before it signals the job's semaphore.
  private final class Answer: Sendable {
    let value = Mutex<Result<pid_t, StartError>>(.failure(.init(number: 0)))
  }

  private static let shared = ProcessStarter()
  private let jobs = Mutex<[Job]>([])
  private let wakeUp = DispatchSemaphore(value: 0)

  private init() {
    // If the parent process ignored SIGCHLD, this process inherits that, and the kernel would discard the children's
    // exit statuses.
    var now = sigaction()
    sigaction(SIGCHLD, nil, &now)
    if unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self) == 1 { signal(SIGCHLD, SIG_DFL) }
    startThread("swiftlet-spawn") { [self] in
      while true {
        wakeUp.wait()
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
        job.result.value.withLock { $0 = ProcessStarter.perform(job.request) }
        job.answer.signal()
      }
    }
  }

  /// Starts a program that ends with this process. Any thread except the audio thread.
  ///
  /// - Returns: The process. The caller dismisses its guard, then reaps it with `waitpid`.
  /// - Throws: ``StartError``.
  static func start(_ request: Request) throws(StartError) -> Started {
    // A program may ignore any signal except SIGKILL.
    let endsByItself = request.deathSignal == SIGKILL && swiftlet_keeps_death_signal(request.path) != 0
    // A program that cannot be executed is started without a guard, so that its own error is thrown.
    guard !endsByItself, access(request.path, X_OK) == 0 else {
      return Started(identifier: try startUnguarded(request), processGuard: nil)
    }
    let processGuard = try ProcessGuard(signal: request.deathSignal)
    var request = request
    request.guards = processGuard.sockets
    do throws(StartError) {
      let identifier = try startUnguarded(request)
      processGuard.watch(identifier)
      return Started(identifier: identifier, processGuard: processGuard)
    } catch {
      processGuard.dismiss()
      throw error
    }
  }

  /// Starts a program without a guard.
  static func startUnguarded(_ request: Request) throws(StartError) -> pid_t {
    let job = Job(request: request)
    shared.jobs.withLock { $0.append(job) }
    shared.wakeUp.signal()
    job.answer.wait()
    return try job.result.value.withLock { $0 }.get()
  }

  private static func perform(_ request: Request) -> Result<pid_t, StartError> {
    var words: [UnsafeMutablePointer<CChar>?] =
      ([request.path] + request.arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var child: pid_t = 0
    let number = swiftlet_start_process(
      request.path, &words, environ, request.descriptors, Int32(request.descriptors.count), request.guards,
      Int32(request.guards.count), request.deathSignal, &child)
    return number == 0 ? .success(child) : .failure(StartError(number: number))
  }
}

/// The reason why a program could not be started.
package struct StartError: Error, Equatable {
  /// The `errno`.
  package let number: Int32
}
