// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

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
  }
  private let state = Mutex(State())
  /// Counts takes that have no report yet, and those whose report has not been told.
  private let unfinished = DispatchGroup(), untold = DispatchGroup()
  // Encoding an hour of sound takes longer than any ring lasts: it never holds up the writer.
  private let finisher = DispatchQueue(label: "swiftlet-finisher")
  // Who is told may finish takes, also those of other recorders: so nothing that waits for a take is done here.
  private let teller = DispatchQueue(label: "swiftlet-teller")
  private static let isTelling = DispatchSpecificKey<Bool>()
  private let whenDone: (@Sendable (TakeReport) -> Void)?

  /// A ring lasts seconds; the batches that `Take` waits for last a quarter of one.
  private static let poll = Duration.milliseconds(5)
  private static let idlePoll = Duration.milliseconds(20)
  private static let syncPoll = Duration.milliseconds(100)
  /// How often sound is brought to the disk.
  private static let syncInterval = Duration.seconds(1)

  init(whenDone: (@Sendable (TakeReport) -> Void)?) {
    self.whenDone = whenDone
    teller.setSpecific(key: Self.isTelling, value: true)
    // Dispatch opens its descriptors when a global queue runs its first block, and traps if it cannot: so not only when the
    // first take has ended.
    DispatchQueue.global().async {}
  }

  var active: [Take] { state.withLock { $0.takes.map(\.take) } }

  func add(_ takes: [Take]) {
    for _ in takes {
      unfinished.enter()
      untold.enter()
    }
    state.withLock { state in
      for take in takes {
        state.takes.append((state.count, take))
        state.count += 1
      }
    }
  }

  /// Lets the writer's thread end, once the takes that still run are over or without sound for two seconds.
  func close() {
    for take in active where !take.isStopping { take.stop(at: nil) }
    state.withLock {
      $0.isClosed = true
      $0.deadline = .now + .seconds(2)
    }
  }

  /// The reports of all takes since the last call, in the order in which the takes began.
  func finish(within patience: Duration) -> [TakeReport] {
    state.withLock {
      $0.deadline = .now + min(max(patience, .zero), .seconds(1_000_000))
      $0.isSilenceExpected = patience <= .zero
    }
    unfinished.wait()
    // Who was just told of a take, and finishes the others, would wait for himself.
    if DispatchQueue.getSpecific(key: Self.isTelling) != true { untold.wait() }
    return state.withLock { state in
      defer { (state.reports, state.deadline) = ([], nil) }
      return state.reports.sorted { $0.number < $1.number }.map(\.report)
    }
  }

  /// The writer's thread.
  func run() {
    while true {
      let now = state.withLock { $0 }
      if now.isClosed && now.takes.isEmpty { return }
      let hasPassed = now.deadline.map { .now >= $0 } ?? false
      let outlook: Take.Outlook = hasPassed ? (now.isSilenceExpected ? .over : .late) : .open
      for (number, take) in now.takes where take.advance(outlook) { hand(take, number) }
      Waiting.sleep(now.takes.isEmpty ? WritingDesk.idlePoll : WritingDesk.poll)
    }
  }

  /// The thread that brings sound to the disk, so that a power cut costs a few seconds at most.
  func runSync() {
    let clock = ContinuousClock()
    var next = clock.now + WritingDesk.syncInterval
    while true {
      let now = state.withLock { $0 }
      if now.isClosed && now.takes.isEmpty { return }
      if clock.now >= next {
        for (_, take) in now.takes { take.flush() }
        next = clock.now + WritingDesk.syncInterval
      }
      Waiting.sleep(WritingDesk.syncPoll)
    }
  }

  private func hand(_ take: Take, _ number: Int) {
    state.withLock { $0.takes.removeAll { $0.number == number } }
    finisher.async { [self] in
      let report = take.finish()
      state.withLock { $0.reports.append((number, report)) }
      unfinished.leave()
      teller.async { [self] in
        whenDone?(report)
        untold.leave()
      }
    }
  }
}
