// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The connections that JACK refused although both ports existed.
///
/// JACK lists the ports of a client that is being opened or closed, but makes no connections to them. So each
/// connection is tried repeatedly, and a refusal is reported only if JACK still refuses after two seconds.
struct RefusedConnections {
  private enum State {
    /// First refused at `since`, and to be tried again at `retry`.
    case refused(since: ContinuousClock.Instant, retry: ContinuousClock.Instant)
    case reported
  }
  private static let interval = Duration.milliseconds(250)
  private static let reportDelay = Duration.seconds(2)

  private var states: [PortConnection: State] = [:]

  /// Records a refusal.
  ///
  /// - Returns: whether to report it, which is once for each connection.
  mutating func note(_ connection: PortConnection, at now: ContinuousClock.Instant) -> Bool {
    switch states[connection] {
    case nil:
      states[connection] = .refused(since: now, retry: now + Self.interval)
      return false
    case .refused(let since, _) where now - since >= Self.reportDelay:
      states[connection] = .reported
      return true
    case .refused(let since, let retry):
      if retry <= now { states[connection] = .refused(since: since, retry: now + Self.interval) }
      return false
    case .reported: return false
    }
  }

  /// Removes a connection: JACK has made it, or one of its ports no longer exists.
  mutating func forget(_ connection: PortConnection) { states[connection] = nil }

  /// Removes the connections that are no longer wanted.
  mutating func keep(_ wanted: [PortConnection]) {
    guard !states.isEmpty else { return }
    let wanted = Set(wanted)
    states = states.filter { wanted.contains($0.key) }
  }

  /// Whether a connection is still to be tried again.
  var isWaiting: Bool {
    states.values.contains { if case .refused = $0 { true } else { false } }
  }

  /// Whether a connection is to be tried again now.
  func isDue(at now: ContinuousClock.Instant) -> Bool {
    states.values.contains { if case .refused(_, let retry) = $0 { retry <= now } else { false } }
  }
}
