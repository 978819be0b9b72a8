// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The state of an engine's connection to the JACK server: the latencies that were reported, and the return to a server that
/// has gone.
struct ServerConnection {
  /// Whether the engine returns to a server that has gone.
  var reconnects = true
  /// The wait before the next attempt to return.
  var delay = ReturnDelay()
  var isFreewheeling = false
  private var lastReturn: ContinuousClock.Instant?
  private var mustReturn = false
  /// The plan whose latencies were reported to the server last.
  private var reportedPlan = 0

  /// Notes that the server has gone and that the engine has to return to it.
  mutating func lose() {
    delay = delay.after(lastReturn.map { $0.duration(to: .now).seconds } ?? .infinity)
    mustReturn = true
  }

  /// Whether a thread has to be started that returns; true once for each loss.
  mutating func takeLoss() -> Bool {
    defer { mustReturn = false }
    return mustReturn
  }

  /// Notes that the engine is back, on a server that knows nothing of its latencies.
  mutating func noteReturn() {
    reportedPlan = 0
    lastReturn = .now
  }

  /// Notes that the latencies of a plan are reported to the server.
  ///
  /// - Returns: false if they were reported last, too.
  mutating func noteReport(of plan: Int) -> Bool {
    defer { reportedPlan = plan }
    return plan != reportedPlan
  }
}

/// The wait before the next attempt to return: twice as long each time, and short again only after the engine has been back
/// for ten seconds.
struct ReturnDelay: Sendable {
  /// The first wait and the longest, in seconds.
  static let shortest = 0.1, longest = 2.0
  /// For how long an engine must have been back for the next wait to be short again, in seconds.
  static let probation = 10.0

  private var seconds = shortest

  /// The next wait in seconds, with the one after that twice as long.
  mutating func next() -> Double {
    defer { seconds = min(seconds * 2, Self.longest) }
    return seconds
  }

  /// The delay of an engine that has been back for so many seconds.
  func after(_ timeBack: Double) -> ReturnDelay { timeBack < Self.probation ? self : ReturnDelay() }
}
