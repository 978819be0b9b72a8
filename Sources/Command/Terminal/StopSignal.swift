// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletFiles
internal import Synchronization

/// Handles signals that request the end of the program, such as ^C. The first one ends the current work cleanly, the
/// second one ends the program at once.
///
/// One ^C may arrive twice: from the terminal, and again from a parent program such as `timeout`. A signal within 0.3
/// s of the first is therefore ignored, so that it does not cut a take off.
///
/// Without free memory or descriptors, a clean end may wait forever. So the first signal sets an alarm. Its handler
/// ends the program, unless takes are still being encoded.
final class StopSignal: Sendable {
  /// The request of a signal.
  enum Request: UInt8, Sendable {
    /// To end cleanly.
    case end
    /// To continue after a stop. Other programs may have used the terminal meanwhile.
    case resume
  }

  /// The read end of a pipe that becomes readable when a request arrives.
  let descriptor: Int32

  /// Installs the signal handlers for the rest of the program's life.
  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
      writeEnd.store(ends[1], ordering: .releasing)
    }
    // Lazy globals are initialized here, because a signal handler must not initialize them.
    TerminalState.prepare()
    firstEnd.store(0, ordering: .releasing)
    stepsAtAlarm.store(FinishingProgress.steps, ordering: .releasing)
    _ = StandardStreams.error
    descriptor = ends[0]
    Self.handle(SIGALRM, noteDeadline)
    for number in [SIGINT, SIGTERM, SIGHUP] { Self.handle(number, noteEnd) }
    Self.handle(SIGCONT, noteResume)
  }

  /// Returns the requests since the last call.
  func requests() -> [Request] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].compactMap(Request.init) : []
  }

  /// Whether the end was requested.
  var isEnding: Bool { firstEnd.load(ordering: .acquiring) > 0 }

  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }
}

private let writeEnd = Atomic<Int32>(-1)
/// The time of the first request to end, in nanoseconds of the monotonic clock; 0 before.
private let firstEnd = Atomic<Int64>(0)
private let echoLength: Int64 = 300_000_000
/// The time without progress after which the program ends, in seconds.
private let deadline: UInt32 = 20
/// The progress of encoding takes at the time when the alarm was set.
private let stepsAtAlarm = Atomic<UInt64>(0)

/// Handles SIGINT, SIGTERM and SIGHUP. Touches only atomics and calls only `clock_gettime`, `alarm`, `write`,
/// `tcsetattr` and `_exit`. Offline it may interrupt the thread that renders, which is allowed because offline
/// rendering has no deadline.
private func noteEnd(_ number: Int32) {
  rt_third_party_enter()
  defer { rt_third_party_exit() }
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  let now = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  let (isFirst, first) = firstEnd.compareExchange(expected: 0, desired: now, ordering: .acquiringAndReleasing)
  if !isFirst {
    if now &- first < echoLength { return }
    TerminalState.restore()
    _exit(ExitStatus.interrupted.rawValue)
  }
  stepsAtAlarm.store(FinishingProgress.steps, ordering: .releasing)
  alarm(deadline)
  note(.end)
}

/// Handles SIGALRM. Allocates no memory.
private func noteDeadline(_ number: Int32) {
  rt_third_party_enter()
  defer { rt_third_party_exit() }
  let steps = FinishingProgress.steps
  if stepsAtAlarm.exchange(steps, ordering: .acquiringAndReleasing) != steps {
    alarm(deadline)
    return
  }
  TerminalState.restore()
  let sentence: StaticString = """
    swiftlet: error: the program was asked to end and did not within 20 seconds, as when memory or descriptors have run \
    out; takes are finished by 'swiftlet recover FOLDER'

    """
  _ = write(StandardStreams.error, sentence.utf8Start, sentence.utf8CodeUnitCount)
  _exit(ExitStatus.interrupted.rawValue)
}

private func noteResume(_ number: Int32) {
  rt_third_party_enter()
  defer { rt_third_party_exit() }
  note(.resume)
}

private func note(_ request: StopSignal.Request) {
  let saved = errno
  var byte = request.rawValue
  _ = write(writeEnd.load(ordering: .acquiring), &byte, 1)
  errno = saved
}
