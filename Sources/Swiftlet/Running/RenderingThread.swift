// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch
internal import SwiftletThreads
internal import Synchronization

/// A thread that renders one cycle after the other until it is stopped, as JACK's audio thread does.
final class RenderingThread: Sendable {
  /// The start of each cycle.
  enum Pace {
    /// After a pause since the end of the previous cycle.
    case pause(Duration)
    /// Once in each period, in seconds, on a thread with the priority of JACK's.
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

/// Waits for the start of each period.
private struct PeriodClock {
  /// The shortest pause after a cycle as a share of the period, since other threads need the processor, too.
  private static let rest = 0.1

  private var next = ContinuousClock.now

  /// Waits for the next period. Skips periods that have passed, as JACK does.
  mutating func wait(period seconds: Double) {
    let period = Duration.seconds(min(seconds, 1000)), now = ContinuousClock.now
    next = max(next + period, now + period * Self.rest)
    Waiting.sleep(next - now)
  }
}
