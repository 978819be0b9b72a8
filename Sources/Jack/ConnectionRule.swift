// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The JACK ports that a node's ports are connected to, as a manifest states after `connect:`.
public enum ConnectionRule: Hashable, Sendable, CustomStringConvertible {
  /// Capture and playback nodes take the machine's ports in order, one node after the other; a mono playback
  /// feeds the first two. MIDI nodes are left alone.
  case automatic
  /// The machine's ports in order, from this one on, counted from 1.
  case physical(from: Int)
  /// These ports in this order, by full name; a name without a colon stands for all ports of that client.
  case ports([String])
  /// Every port whose full name this regular expression matches as a whole.
  case pattern(String)
  /// The first of these rules that finds a port: headphones, else the loudspeaker. When its ports go the next one is
  /// followed, and when a better one's come back, that.
  case firstOf([ConnectionRule])
  /// No port.
  case none

  /// The longest pattern that is read, in bytes.
  package static let longestPattern = 1024

  /// Reads a rule as manifests write it: `none`, `physical`, `physical:3`, `/pattern/`, else a port's name.
  ///
  /// - Throws: ``JackError/badPattern(_:)``, ``JackError/badName(_:longest:)`` for an empty name or a
  ///   `physical:` without a number from 1 to 1024.
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

  /// Whether it asks for a port of the machine.
  var wantsSocket: Bool {
    switch self {
    case .automatic, .physical: true
    case .firstOf(let rules): rules.contains(where: \.wantsSocket)
    case .ports, .pattern, .none: false
    }
  }

  /// What is tried, best first; one rule where there is no choice.
  var alternatives: [ConnectionRule] {
    if case .firstOf(let rules) = self { rules.flatMap(\.alternatives) } else { [self] }
  }

  /// Whether there is a choice.
  var isChoice: Bool { if case .firstOf = self { true } else { false } }

  /// Refuses patterns that cannot be read.
  func check() throws(JackError) {
    for case .pattern(let pattern) in alternatives { _ = try Self.expression(pattern) }
  }

  /// The expression that matches whole names.
  static func expression(_ pattern: String) throws(JackError) -> NSRegularExpression {
    // Read alone first: "a)|(b" makes sense only inside the brackets that we add.
    guard pattern.utf8.count <= longestPattern, (try? NSRegularExpression(pattern: pattern)) != nil,
      let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    else { throw .badPattern(pattern) }
    return expression
  }
}

/// How far a client follows the rules of its nodes.
package enum Cabling: Hashable, Sendable {
  /// As they stand.
  case asRuled
  /// Where they name ports, or count them; nobody gets the next free port.
  case named
  /// Among programs alone: no port of a machine is connected.
  case programs
}

extension [JackPort] {
  /// Those whose full name the pattern matches as a whole.
  func matching(_ pattern: String) throws(JackError) -> [JackPort] {
    let expression = try ConnectionRule.expression(pattern)
    return filter {
      expression.firstMatch(in: $0.name, range: NSRange($0.name.startIndex..., in: $0.name)) != nil
    }
  }
}
