// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletFiles
internal import Synchronization

/// ^C, and what else asks the program to end: the first time it ends what it does, the second time at once.
///
/// One ^C may arrive twice: from the terminal and again from a program around this one, such as `timeout`. What comes
/// within 0.3 s of the first is therefore the same wish; nobody's take is cut for an echo.
///
/// Without memory or descriptors, what should end may wait for ever. So the first signal sets an alarm, whose handler ends
/// the program unless takes are still being encoded.
final class StopSignal: Sendable {
  /// What a signal asks for.
  enum Wish: UInt8, Sendable {
    /// To end cleanly.
    case end
    /// To go on: the program was stopped, and others may have used the terminal.
    case resume
  }

  /// The end of a pipe that becomes readable when there is a wish.
  let descriptor: Int32

  /// Catches signals from now on, for the rest of the program's life.
  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
      writeEnd.store(ends[1], ordering: .releasing)
    }
    // Nothing is touched for the first time inside a signal.
    TerminalState.prepare()
    firstEnd.store(0, ordering: .releasing)
    stepsAtAlarm.store(FinishingProgress.steps, ordering: .releasing)
    _ = StandardStreams.error
    descriptor = ends[0]
    Self.handle(SIGALRM, noteDeadline)
    for number in [SIGINT, SIGTERM, SIGHUP] { Self.handle(number, noteEnd) }
    Self.handle(SIGCONT, noteResume)
  }

  /// The wishes since the last question.
  func wishes() -> [Wish] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].compactMap(Wish.init) : []
  }

  /// Whether the end was asked for.
  var isEnding: Bool { firstEnd.load(ordering: .acquiring) > 0 }

  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }
}

private let writeEnd = Atomic<Int32>(-1)
/// When the end was first asked for, in nanoseconds of the monotonic clock; 0 before.
private let firstEnd = Atomic<Int64>(0)
private let echoLength: Int64 = 300_000_000
/// After how many seconds without progress the program ends.
private let deadline: UInt32 = 20
/// How far the encoding of takes was when the alarm was set.
private let stepsAtAlarm = Atomic<UInt64>(0)

/// Runs inside the signal: touches atomics and calls `clock_gettime`, `write` and `_exit` alone. Offline it may
/// interrupt the thread that renders, which is no offence: nobody waits for that.
private func noteEnd(_ number: Int32) {
  rt_foreign_enter()
  defer { rt_foreign_exit() }
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

/// Runs inside the signal, and needs no memory.
private func noteDeadline(_ number: Int32) {
  rt_foreign_enter()
  defer { rt_foreign_exit() }
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
  rt_foreign_enter()
  defer { rt_foreign_exit() }
  note(.resume)
}

private func note(_ wish: StopSignal.Wish) {
  let saved = errno
  var byte = wish.rawValue
  _ = write(writeEnd.load(ordering: .acquiring), &byte, 1)
  errno = saved
}
