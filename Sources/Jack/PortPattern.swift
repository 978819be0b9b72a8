// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// A set of JACK ports, for the list of ports that nodes may be connected to.
public enum PortPattern: Hashable, Sendable, CustomStringConvertible {
  /// Every port of a machine.
  case physical
  /// The port of this full name; a name without a colon stands for all ports of that client.
  case name(String)
  /// Every port whose full name this regular expression matches as a whole.
  case pattern(String)

  /// Reads what manifests write: `physical`, `/pattern/`, else the name of a port or a client.
  ///
  /// - Throws: ``JackError/badPattern(_:)``, ``JackError/badName(_:longest:)`` for an empty name or one that is
  ///   too long, ``JackError/countedPort(_:)`` for what counts a machine's ports, as connections do.
  package init(reading text: String) throws(JackError) {
    if text == "physical" {
      self = .physical
      return
    }
    // No port is named so: none would be allowed.
    guard !text.hasPrefix("physical:") else { throw .countedPort(text) }
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

  /// Whether a port is one of those; never where the pattern cannot be read.
  package func matches(_ port: JackPort) -> Bool { !matching([port]).isEmpty }

  /// Those of some ports; none where the pattern cannot be read.
  func matching(_ ports: [JackPort]) -> [JackPort] {
    switch self {
    case .physical: ports.filter(\.isPhysical)
    case .name(let name): ports.filter { name.contains(":") ? $0.name == name : $0.client == name }
    case .pattern(let pattern): (try? ports.matching(pattern)) ?? []
    }
  }

  /// Refuses a pattern that cannot be read.
  func check() throws(JackError) {
    if case .pattern(let pattern) = self { _ = try ConnectionRule.expression(pattern) }
  }
}
