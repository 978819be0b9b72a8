// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// A set of JACK ports, for the list of ports that nodes may be connected to.
@nonexhaustive public enum PortPattern: Hashable, Sendable, CustomStringConvertible {
  /// All physical ports.
  case physical
  /// The port with this full name. A name without a colon stands for all ports of that client.
  case name(String)
  /// Every port whose full name matches this regular expression as a whole.
  case pattern(String)

  /// Reads a set as manifests write it: `physical`, `/pattern/`, or the name of a port or client.
  ///
  /// - Throws: ``JackError/badPattern(_:)``; ``JackError/badName(_:longest:)`` for a name that is empty or too long;
  ///   ``JackError/numberedPort(_:)`` for a numbered physical port, which only connection rules allow.
  package init(reading text: String) throws(JackError) {
    if text == "physical" {
      self = .physical
      return
    }
    // Read as a name, this would match no port, so that none would be allowed.
    guard !text.hasPrefix("physical:") else { throw .numberedPort(text) }
    switch try ConnectionRule(reading: text) {
    case .pattern(let pattern): self = .pattern(pattern)
    case .ports, .physical, .automatic, .firstOf, .none: self = .name(text)
    }
  }

  public var description: String {
    switch self {
    case .physical: "physical"
    case .name(let name): name
    case .pattern(let pattern): "/\(pattern)/"
    }
  }

  /// Returns whether a port is in the set; always false for an invalid pattern.
  package func matches(_ port: JackPort) -> Bool { !matching([port]).isEmpty }

  /// Returns the ports that are in the set; none for an invalid pattern.
  func matching(_ ports: [JackPort]) -> [JackPort] {
    switch self {
    case .physical: ports.filter(\.isPhysical)
    case .name(let name): ports.filter { name.contains(":") ? $0.name == name : $0.client == name }
    case .pattern(let pattern): (try? ports.matching(pattern)) ?? []
    }
  }

  /// Checks the pattern.
  ///
  /// - Throws: ``JackError/badPattern(_:)``.
  func check() throws(JackError) {
    if case .pattern(let pattern) = self { _ = try ConnectionRule.expression(pattern) }
  }
}
