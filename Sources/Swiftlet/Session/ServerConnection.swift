// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The state of an engine's connection to the JACK server: the latencies that were reported, and the reconnection to
/// a server that has ended.
struct ServerConnection {
  /// Whether the engine reconnects to a server that has ended.
  var reconnects = true
  /// The wait before the next attempt to reconnect.
  var delay = ReturnDelay()
  var isFreewheeling = false
  private var lastReturn: ContinuousClock.Instant?
  private var mustReturn = false
  /// The plan whose latencies were reported to the server last.
  private var reportedPlan = 0

  /// Records that the server has ended and that the engine has to reconnect.
  mutating func recordLoss() {
    delay = delay.after(lastReturn.map { $0.duration(to: .now).seconds } ?? .infinity)
    mustReturn = true
  }

  /// Returns whether the reconnection thread has to be started; true once for each loss.
  mutating func takeLoss() -> Bool {
    defer { mustReturn = false }
    return mustReturn
  }

  /// Records that the engine is back, on a server that does not know its latencies.
  mutating func noteReturn() {
    reportedPlan = 0
    lastReturn = .now
  }

  /// Records that the latencies of a plan are reported to the server.
  ///
  /// - Returns: false if the last report was of the same plan.
  mutating func noteReport(of plan: Int) -> Bool {
    defer { reportedPlan = plan }
    return plan != reportedPlan
  }
}

/// The wait before the next attempt to reconnect. It doubles with each attempt, and is reset only after the engine
/// has been back for ten seconds.
struct ReturnDelay: Sendable {
  /// The first wait and the longest, in seconds.
  static let shortest = 0.1, longest = 2.0
  /// The time for which an engine must be back until the wait is reset, in seconds.
  static let probation = 10.0

  private var seconds = shortest

  /// Returns the next wait in seconds, and doubles the one after that.
  mutating func next() -> Double {
    defer { seconds = min(seconds * 2, Self.longest) }
    return seconds
  }

  /// Returns the delay of an engine that has been back for so many seconds.
  func after(_ timeBack: Double) -> ReturnDelay { timeBack < Self.probation ? self : ReturnDelay() }
}
