// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletGraph
internal import SwiftletThreads

/// The takes of a recorder, shared with its threads: one writes, one flushes to the disk, one finishes takes, one
/// delivers reports.
final class TakeQueue: Sendable {
  private struct State {
    /// The running takes, and the reports of finished takes. Takes are numbered in the order in which they begin.
    var takes: [(number: Int, take: Take)] = []
    var reports: [(number: Int, report: TakeReport)] = []
    var count = 0
    var deadline: ContinuousClock.Instant?
    var isSilenceExpected = false
    var isClosed = false
    /// The number of takes without a report.
    var unreported = 0
    /// Whether a thread has started to wait for the writer thread, which then skips its pause once.
    var isAwaited = false
  }
  private let state = Monitor(State())
  /// Count takes without a report, and takes whose report has not been delivered.
  private let unfinished = DispatchGroup(), undelivered = DispatchGroup()
  // Encoding an hour of sound takes longer than any ring lasts, so it must not block the writer thread.
  private let finishQueue = DispatchQueue(label: "swiftlet-finish")
  // The closure that receives a report may finish other takes, also of other recorders, so no work that a take waits
  // for runs on this queue.
  private let reportQueue = DispatchQueue(label: "swiftlet-report")
  private static let isReporting = DispatchSpecificKey<Bool>()
  private let whenDone: (@Sendable (TakeReport) -> Void)?

  /// The writer thread's pause while takes run; the audio thread wakes no other thread. A ring holds seconds of sound.
  /// `Take` collects at most 0.1 s before it writes.
  private static let poll = Duration.milliseconds(5)
  /// The interval between flushes to the disk.
  private static let syncInterval = Duration.seconds(1)

  init(whenDone: (@Sendable (TakeReport) -> Void)?) {
    self.whenDone = whenDone
    reportQueue.setSpecific(key: Self.isReporting, value: true)
    // Dispatch opens its descriptors when a global queue runs its first block, and traps if it cannot. So this happens
    // now instead of when the first take ends.
    DispatchQueue.global().async {}
  }

  var active: [Take] { state.value.takes.map(\.take) }

  /// Waits until the running takes meet a condition.
  ///
  /// - Parameters:
  ///   - time: the maximum wait; nil for no limit.
  ///   - holds: the condition. It is evaluated now and after each pass of the writer thread, and must not wait.
  /// - Returns: whether the condition holds.
  func wait(within time: Duration?, until holds: ([TakeStatus]) -> Bool) -> Bool {
    func hold(_ state: State) -> Bool { holds(state.takes.map(\.take.status)) }
    if hold(state.value) { return true }
    state.change { $0.isAwaited = true }
    return state.wait(within: time, until: hold)
  }

  func add(_ takes: [Take]) {
    for _ in takes {
      unfinished.enter()
      undelivered.enter()
    }
    state.change { state in
      for take in takes {
        state.takes.append((state.count, take))
        state.count += 1
      }
      state.unreported += takes.count
    }
  }

  /// Ends the running takes. Lets the threads end once these are over, after two seconds at the latest.
  func close() {
    for take in active where !take.isStopping { take.stop(at: nil) }
    state.change {
      $0.isClosed = true
      $0.deadline = .now + .seconds(2)
    }
  }

  /// Returns the reports of all takes since the last call, in the order in which the takes began.
  func finish(within timeout: Duration) -> [TakeReport] {
    state.change {
      $0.deadline = .now + min(max(timeout, .zero), .seconds(1_000_000))
      $0.isSilenceExpected = timeout <= .zero
    }
    unfinished.wait()
    // On the delivery queue, waiting for undelivered reports would be a deadlock.
    if DispatchQueue.getSpecific(key: Self.isReporting) != true { undelivered.wait() }
    return state.change { state in
      defer { (state.reports, state.deadline) = ([], nil) }
      return state.reports.sorted { $0.number < $1.number }.map(\.report)
    }
  }

  /// The number of takes that are running or being finished.
  var unreportedCount: Int { state.value.unreported }

  /// Waits until no take is running or being finished, up to a time limit.
  func awaitReports(within time: Duration) { state.wait(within: time) { $0.unreported == 0 } }

  /// The body of the writer thread.
  func run() {
    while let takes = nextTakes() {
      let outlook = state.change { state -> Take.ExpectedSound in
        state.isAwaited = false
        guard let deadline = state.deadline, .now >= deadline else { return .open }
        return state.isSilenceExpected ? .over : .late
      }
      for (number, take) in takes where take.advance(outlook) { hand(take, number) }
      state.wakeAll()
      state.wait(within: TakeQueue.poll) { $0.isAwaited }
    }
  }

  /// The body of the syncing thread. It flushes sound to the disk, so that a power cut costs at most a few seconds.
  func runSync() {
    while nextTakes() != nil {
      state.wait(within: TakeQueue.syncInterval) { $0.isClosed && $0.takes.isEmpty }
      for take in active { take.flush() }
    }
  }

  /// Waits until takes run. Returns nil once the recorder is closed and its takes are over.
  private func nextTakes() -> [(number: Int, take: Take)]? {
    var takes: [(number: Int, take: Take)] = []
    state.wait { state in
      takes = state.takes
      return state.isClosed || !takes.isEmpty
    }
    return takes.isEmpty ? nil : takes
  }

  private func hand(_ take: Take, _ number: Int) {
    state.change { $0.takes.removeAll { $0.number == number } }
    finishQueue.async { [self] in
      let report = take.finish()
      state.change { state in
        state.reports.append((number, report))
        state.unreported -= 1
      }
      unfinished.leave()
      reportQueue.async { [self] in
        whenDone?(report)
        undelivered.leave()
      }
    }
  }
}
