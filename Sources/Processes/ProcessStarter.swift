// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Dispatch
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// Starts all child processes, on one thread that lasts as long as this process.
///
/// The kernel ends a child with a signal of its choice when the thread that started it ends (`PR_SET_PDEATHSIG` in
/// prctl(2)). This thread ends only with the process, also if that is killed: so no child outlives us. Programs for which
/// the kernel clears that signal, or that may ignore it, have a ``ProcessGuard``, too.
final class ProcessStarter: Sendable {
  /// A program to start.
  struct Request: Sendable {
    /// The program's absolute path.
    var path: String
    /// Its arguments, without its own name.
    var arguments: [String]
    /// Its descriptors 0, 1, 2 …, at most 16. It inherits no others.
    var descriptors: [Int32]
    /// The signal that ends the program when this process ends; 0 if the program may go on.
    var deathSignal = SIGKILL
    /// Sockets of guards that are told the program's process number.
    var guards: [Int32] = []
  }

  /// A program that runs.
  struct Started: Sendable {
    /// Its process, and its process group.
    let identifier: pid_t
    /// What ends it if the kernel does not.
    let processGuard: ProcessGuard?
  }

  private struct Job: Sendable {
    let request: Request
    let answer = DispatchSemaphore(value: 0)
    let result = Answer()
  }

  /// What a start came to: the thread writes it before it signals the semaphore of the job.
  private final class Answer: Sendable {
    let value = Mutex<Result<pid_t, StartError>>(.failure(.init(number: 0)))
  }

  private static let shared = ProcessStarter()
  private let jobs = Mutex<[Job]>([])
  private let wakeUp = DispatchSemaphore(value: 0)

  private init() {
    // Who started us may ignore this signal, and then so do we: the kernel would forget how children ended.
    var now = sigaction()
    sigaction(SIGCHLD, nil, &now)
    if unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self) == 1 { signal(SIGCHLD, SIG_DFL) }
    startThread("swiftlet-forker") { [self] in
      while true {
        wakeUp.wait()
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
        job.result.value.withLock { $0 = ProcessStarter.perform(job.request) }
        job.answer.signal()
      }
    }
  }

  /// Starts a program that ends with this process. Any thread but the audio thread.
  ///
  /// - Returns: the process, which the caller waits for with `waitpid` once its guard has been dismissed.
  /// - Throws: ``StartError``.
  static func start(_ request: Request) throws(StartError) -> Started {
    // A program may ignore any signal but SIGKILL.
    let endsByItself = request.deathSignal == SIGKILL && swiftlet_keeps_death_signal(request.path) != 0
    // The error of a program that cannot be started is the one to throw.
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

  /// Starts a program.
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

/// Why a program could not be started: the kernel's error number.
package struct StartError: Error, Equatable {
  /// The `errno`.
  package let number: Int32
}
