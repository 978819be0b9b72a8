// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A command to a session, from any front end.
package enum ControlCommand: Sendable, Equatable {
  /// The state of the transport that a command asks for.
  package enum Transport: Sendable, Equatable {
    case play, stop
    /// Moves to a position: text such as `1:30` or `5|1`, or seconds.
    case seek(ControlValue)
  }

  /// Returns the state of the session.
  case status
  /// Returns the descriptions of addresses, with their values; nil for all, or the addresses of a group, such as
  /// `echo`.
  case list(String?)
  /// Returns the values of addresses and groups; of all if there is none.
  case get([String])
  /// Sets a value; over a time, if one is given.
  case set(String, ControlValue, over: Duration? = nil)
  /// Bypasses a node, or ends its bypass; nil for the opposite of the present state.
  case bypass(String, Bool?)
  /// Starts takes: of a tap, or of all.
  case startTake(String?)
  /// Ends takes: of a tap, or of all.
  case endTake(String?)
  case transport(Transport)
  /// Undoes the last edit that was made while the session ran.
  case undo
  /// Makes the edit again that was undone last.
  case redo
  /// Sends changed values and events from now on, instead of an earlier subscription of this client.
  case watch(ControlSubscription)
}

/// The values and events that a client is to be sent.
package struct ControlSubscription: Sendable, Equatable {
  /// The highest rate of messages, in times a second.
  package static let rates = 0.1...30.0

  /// The addresses and groups whose changes are sent; nil for all that are no meters. The first message has all
  /// values.
  package var addresses: [String]?
  /// Whether events are sent, such as warnings.
  package var hasEvents = true
  /// The highest rate of messages, within ``rates``.
  package var rate = 10.0

  /// Creates a subscription.
  package init(addresses: [String]? = nil, hasEvents: Bool = true, rate: Double = 10) {
    self.addresses = addresses
    self.hasEvents = hasEvents
    self.rate = min(max(rate, Self.rates.lowerBound), Self.rates.upperBound)
  }
}

/// An event of a session.
package struct ControlEvent: Codable, Sendable, Equatable {
  /// The weight of an event.
  package enum Kind: String, Codable, Sendable { case detail, note, warning, error }

  package var kind: Kind
  /// The event as a sentence.
  package var text: String

  /// Creates an event.
  package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
}
