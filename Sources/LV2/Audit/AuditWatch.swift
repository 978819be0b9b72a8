// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// Ends the auditing process if a function of the plugin does not return.
///
/// A thread checks ten times a second whether the same call is still in progress.
// `name` is written before `number`, whose change marks a new call.
final class AuditWatch: Sendable {
  /// The number of calls begun and ended: odd while a call of the plugin is in progress.
  private let number = Atomic<Int>(0)
  private let name = Mutex("")
  private let output: AuditOutput

  /// The limits for one call, in seconds: the CPU time of the process, and elapsed time.
  private static let mostCPU = 4.0, mostTime = 20.0
  /// Whether the CPU time limit is tripled, since RealtimeSanitizer unwinds the stack at each violation.
  let isLimitTripled = Atomic<Bool>(false)

  init(_ output: AuditOutput) { self.output = output }

  /// Starts the thread.
  func start() {
    startThread("swiftlet-hang") { [self] in
      var seen = 0, cpu = 0.0, time = 0.0
      while true {
        Waiting.sleep(.milliseconds(100))
        let now = number.load(ordering: .relaxed)
        if now != seen || now % 2 == 0 {
          (seen, cpu, time) = (
            now, SystemClock.seconds(of: CLOCK_PROCESS_CPUTIME_ID), SystemClock.seconds(of: CLOCK_MONOTONIC)
          )
          continue
        }
        let most = isLimitTripled.load(ordering: .relaxed) ? Self.mostCPU * 3 : Self.mostCPU
        let isBusy = SystemClock.seconds(of: CLOCK_PROCESS_CPUTIME_ID) - cpu > most
        guard isBusy || SystemClock.seconds(of: CLOCK_MONOTONIC) - time > Self.mostTime else { continue }
        let reason =
          isBusy ? "has used \(Int(most)) s of CPU" : "has not returned after \(Int(Self.mostTime)) s"
        output.find(.fail, .hang, "a call of '\(name.withLock { $0 })' \(reason) and was ended")
        // Ends the process as a crash would: the step is over.
        _exit(AuditChild.hangStatus)
      }
    }
  }

  /// Sets the name of the function that is called next.
  func expect(_ function: String) { name.withLock { $0 = function } }

  /// Marks the begin or end of a call.
  @inline(__always) func toggle() { number.add(1, ordering: .relaxed) }

  /// Calls a function of the plugin other than `run`.
  func call<Result, Failure: Error>(
    _ function: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    expect(function)
    toggle()
    defer {
      toggle()
      expect("run")
    }
    return try body()
  }
}
