// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// A rule for the JACK ports that a node's ports are connected to, as a manifest states it after `connect:`.
@nonexhaustive public enum ConnectionRule: Hashable, Sendable, CustomStringConvertible {
  /// Capture and playback nodes are connected to the physical ports in order, one node after the other. A mono
  /// playback node feeds two ports. MIDI nodes are not connected.
  case automatic
  /// The physical ports in order, beginning with this number, counted from 1.
  case physical(from: Int)
  /// These ports in this order, by full name. A name without a colon stands for all ports of that client.
  case ports([String])
  /// Every port whose full name matches this regular expression as a whole.
  case pattern(String)
  /// The first of these rules that finds a port, such as headphones before loudspeakers. If its ports disappear, the
  /// next rule that finds a port is followed; if the ports of a better rule appear, that rule is.
  case firstOf([ConnectionRule])
  /// No port.
  case none

  /// The maximum length of a pattern, in bytes.
  package static let longestPattern = 1024

  /// Reads a rule as manifests write it: `none`, `physical`, `physical:3`, `/pattern/`, or the name of a port or
  /// client.
  ///
  /// - Throws: ``JackError/badPattern(_:)``; ``JackError/badName(_:longest:)`` for an empty name or a `physical:`
  ///   without a number from 1 to 1024.
  package init(reading text: String) throws(JackError) {
    if text == "none" {
      self = .none
    } else if text == "physical" {
      self = .physical(from: 1)
    } else if text.hasPrefix("physical:") {
      guard let first = Int(text.dropFirst(9)), 1...1024 ~= first else { throw .badName(text, longest: 320) }
      self = .physical(from: first)
    } else if text.count > 2, text.hasPrefix("/"), text.hasSuffix("/") {
      let pattern = String(text.dropFirst().dropLast())
      _ = try Self.expression(pattern)
      self = .pattern(pattern)
    } else {
      guard 1...320 ~= text.utf8.count else { throw .badName(text, longest: 320) }
      self = .ports([text])
    }
  }

  public var description: String {
    switch self {
    case .automatic: "a free physical port"
    case .physical(let first): first == 1 ? "physical" : "physical:\(first)"
    case .ports(let names): names.joined(separator: ", ")
    case .pattern(let pattern): "/\(pattern)/"
    case .firstOf(let rules): rules.map(\.description).joined(separator: ", else ")
    case .none: "none"
    }
  }

  /// Whether the rule asks for a physical port.
  var usesPhysicalPorts: Bool {
    switch self {
    case .automatic, .physical: true
    case .firstOf(let rules): rules.contains(where: \.usesPhysicalPorts)
    case .ports, .pattern, .none: false
    }
  }

  /// The alternatives, best first; the rule itself if there is no choice.
  var alternatives: [ConnectionRule] {
    if case .firstOf(let rules) = self { rules.flatMap(\.alternatives) } else { [self] }
  }

  /// Whether the rule has alternatives.
  var isChoice: Bool { if case .firstOf = self { true } else { false } }

  /// Checks the patterns of the rule.
  ///
  /// - Throws: ``JackError/badPattern(_:)``.
  func check() throws(JackError) {
    for case .pattern(let pattern) in alternatives { _ = try Self.expression(pattern) }
  }

  /// Returns the regular expression that matches whole names.
  ///
  /// - Throws: ``JackError/badPattern(_:)``.
  static func expression(_ pattern: String) throws(JackError) -> NSRegularExpression {
    // Check the pattern alone first: "a)|(b" is valid only inside the added brackets.
    guard pattern.utf8.count <= longestPattern, (try? NSRegularExpression(pattern: pattern)) != nil,
      let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    else { throw .badPattern(pattern) }
    return expression
  }
}

/// The rules that a client follows.
package enum ConnectionPolicy: Hashable, Sendable {
  /// All rules.
  case asRuled
  /// Only rules that name or number ports. ``ConnectionRule/automatic`` connects nothing.
  case named
  /// Only connections to other programs, not to physical ports.
  case programs
}

extension [JackPort] {
  /// Returns the ports whose full name matches the pattern as a whole.
  func matching(_ pattern: String) throws(JackError) -> [JackPort] {
    let expression = try ConnectionRule.expression(pattern)
    return filter {
      expression.firstMatch(in: $0.name, range: NSRange($0.name.startIndex..., in: $0.name)) != nil
    }
  }
}
