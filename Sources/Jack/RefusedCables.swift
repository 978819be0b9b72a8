// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The connections that JACK refused although both ports were there.
///
/// JACK lists the ports of a client that is being opened or closed, but connects none of them. So a refusal counts
/// only when JACK refuses the same connection again, a moment later.
struct RefusedCables {
  private enum State {
    /// Refused once: to be tried again from this time on.
    case once(retry: ContinuousClock.Instant)
    case reported
  }
  /// How long after a refusal the connection is tried again.
  static let delay = Duration.milliseconds(250)

  private var states: [Cable: State] = [:]

  /// Takes note of a refusal.
  ///
  /// - Returns: whether it is to be reported, which is once for each connection.
  mutating func note(_ cable: Cable, at now: ContinuousClock.Instant) -> Bool {
    switch states[cable] {
    case nil:
      states[cable] = .once(retry: now + Self.delay)
      return false
    case .once(let retry) where now >= retry:
      states[cable] = .reported
      return true
    case .once, .reported: return false
    }
  }

  /// Forgets a connection: JACK made it, or a port of it has gone.
  mutating func forget(_ cable: Cable) { states[cable] = nil }

  /// Forgets the connections that are not wanted any more.
  mutating func keep(_ wanted: [Cable]) {
    guard !states.isEmpty else { return }
    let wanted = Set(wanted)
    states = states.filter { wanted.contains($0.key) }
  }

  /// Whether a connection is still to be tried again.
  var isWaiting: Bool {
    states.values.contains { if case .once = $0 { true } else { false } }
  }

  /// Whether a connection is to be tried again now.
  func isDue(at now: ContinuousClock.Instant) -> Bool {
    states.values.contains { if case .once(let retry) = $0 { retry <= now } else { false } }
  }
}
