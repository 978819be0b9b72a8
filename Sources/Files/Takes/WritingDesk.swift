// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletGraph
internal import SwiftletThreads

/// The takes that a recorder works on, shared with its threads: one writes, one brings sound to the disk, one
/// finishes, one reports.
final class WritingDesk: Sendable {
  private struct State {
    /// The takes that run, and the reports of those that are finished. Takes are numbered as they begin.
    var takes: [(number: Int, take: Take)] = []
    var reports: [(number: Int, report: TakeReport)] = []
    var count = 0
    var deadline: ContinuousClock.Instant?
    var isSilenceExpected = false
    var isClosed = false
    /// How many takes have no report yet.
    var unreported = 0
    /// Whether a thread has begun to wait for the writer, which then does not pause before it looks again.
    var isAwaited = false
  }
  private let state = Monitor(State())
  /// Counts takes that have no report yet, and those whose report has not been told.
  private let unfinished = DispatchGroup(), untold = DispatchGroup()
  // Encoding an hour of sound takes longer than any ring lasts: it never holds up the writer.
  private let finisher = DispatchQueue(label: "swiftlet-finisher")
  // Who is told may finish takes, also those of other recorders: so nothing that waits for a take is done here.
  private let teller = DispatchQueue(label: "swiftlet-teller")
  private static let isTelling = DispatchSpecificKey<Bool>()
  private let whenDone: (@Sendable (TakeReport) -> Void)?

  /// How long the writer pauses while takes run, since the audio thread wakes no other thread. A ring lasts seconds; the batches that
  /// `Take` waits for last a quarter of one.
  private static let poll = Duration.milliseconds(5)
  /// How often sound is brought to the disk.
  private static let syncInterval = Duration.seconds(1)

  init(whenDone: (@Sendable (TakeReport) -> Void)?) {
    self.whenDone = whenDone
    teller.setSpecific(key: Self.isTelling, value: true)
    // Dispatch opens its descriptors when a global queue runs its first block, and traps if it cannot: so not only when the
    // first take has ended.
    DispatchQueue.global().async {}
  }

  var active: [Take] { state.value.takes.map(\.take) }

  /// Waits until the running takes stand as asked, for a time at most.
  ///
  /// - Parameter holds: is asked now and whenever the writer has looked after the takes. It must not wait.
  /// - Returns: whether it holds.
  func wait(within time: Duration?, until holds: ([TakeStatus]) -> Bool) -> Bool {
    func hold(_ state: State) -> Bool { holds(state.takes.map(\.take.status)) }
    if hold(state.value) { return true }
    state.change { $0.isAwaited = true }
    return state.wait(within: time, until: hold)
  }

  func add(_ takes: [Take]) {
    for _ in takes {
      unfinished.enter()
      untold.enter()
    }
    state.change { state in
      for take in takes {
        state.takes.append((state.count, take))
        state.count += 1
      }
      state.unreported += takes.count
    }
  }

  /// Lets the writer's thread end, once the takes that still run are over or without sound for two seconds.
  func close() {
    for take in active where !take.isStopping { take.stop(at: nil) }
    state.change {
      $0.isClosed = true
      $0.deadline = .now + .seconds(2)
    }
  }

  /// The reports of all takes since the last call, in the order in which the takes began.
  func finish(within patience: Duration) -> [TakeReport] {
    state.change {
      $0.deadline = .now + min(max(patience, .zero), .seconds(1_000_000))
      $0.isSilenceExpected = patience <= .zero
    }
    unfinished.wait()
    // Who was just told of a take, and finishes the others, would wait for himself.
    if DispatchQueue.getSpecific(key: Self.isTelling) != true { untold.wait() }
    return state.change { state in
      defer { (state.reports, state.deadline) = ([], nil) }
      return state.reports.sorted { $0.number < $1.number }.map(\.report)
    }
  }

  /// How many takes run or are being finished.
  var unreportedCount: Int { state.value.unreported }

  /// Waits until no take runs or is being finished, for a time at most.
  func awaitReports(within time: Duration) { state.wait(within: time) { $0.unreported == 0 } }

  /// The writer's thread.
  func run() {
    while let takes = nextTakes() {
      let outlook = state.change { state -> Take.Outlook in
        state.isAwaited = false
        guard let deadline = state.deadline, .now >= deadline else { return .open }
        return state.isSilenceExpected ? .over : .late
      }
      for (number, take) in takes where take.advance(outlook) { hand(take, number) }
      state.wakeAll()
      state.wait(within: WritingDesk.poll) { $0.isAwaited }
    }
  }

  /// The thread that brings sound to the disk, so that a power cut costs a few seconds at most.
  func runSync() {
    while nextTakes() != nil {
      state.wait(within: WritingDesk.syncInterval) { $0.isClosed && $0.takes.isEmpty }
      for take in active { take.flush() }
    }
  }

  /// Waits until takes run; nil once the desk is closed and they are over.
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
    finisher.async { [self] in
      let report = take.finish()
      state.change { state in
        state.reports.append((number, report))
        state.unreported -= 1
      }
      unfinished.leave()
      teller.async { [self] in
        whenDone?(report)
        untold.leave()
      }
    }
  }
}
