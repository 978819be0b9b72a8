// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch
internal import SwiftletThreads
internal import Synchronization

/// Renders one cycle after the other on a thread of its own, as JACK's audio thread does, until it is stopped.
final class RenderingThread: Sendable {
  /// When cycles begin.
  enum Pace {
    /// So long after the one before has ended.
    case pause(Duration)
    /// One every so many seconds, on a thread with the priority of JACK's.
    case period(Double)
  }

  private let isEnding = Atomic(false)
  private let running = DispatchGroup()

  /// Starts the thread.
  init(_ pace: Pace, cycle: @escaping @Sendable () -> Void) {
    let priority: ThreadPriority = if case .period = pace { .audio } else { .usual }
    running.enter()
    startThread("swiftlet-bench", priority: priority) { [self] in
      var clock = PeriodClock()
      while !isEnding.load(ordering: .acquiring) {
        cycle()
        switch pace {
        case .pause(let time): Waiting.sleep(time)
        case .period(let seconds): clock.wait(period: seconds)
        }
      }
      running.leave()
    }
  }

  /// Ends the thread after its cycle. May be called again.
  func stop() {
    isEnding.store(true, ordering: .releasing)
    running.wait()
  }
}

/// Waits for the beginnings of periods.
private struct PeriodClock {
  /// The least that a cycle is followed by, as a share of the period: others need the processor, too.
  private static let rest = 0.1

  private var next = ContinuousClock.now

  /// Waits for the next period. Those that have passed are left out, as JACK does.
  mutating func wait(period seconds: Double) {
    let period = Duration.seconds(min(seconds, 1000)), now = ContinuousClock.now
    next = max(next + period, now + period * Self.rest)
    Waiting.sleep(next - now)
  }
}
