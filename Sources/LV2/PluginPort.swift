// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A port as a plugin's description gives it.
struct PluginPort: Sendable {
  /// What a port carries.
  enum Kind: Equatable, Sendable {
    case audio, control, cv, atom
    /// A kind that this host does not know, with its classes.
    case foreign(String)
  }
  /// What the host does with a port by itself.
  enum Role: Sendable {
    case latency, enabled, freeWheeling, reset
  }

  var index: Int
  var symbol: String
  var name: String
  var comment = ""
  var kind: Kind
  var isInput: Bool
  var mayStayOpen = false
  var role: Role?
  /// What a control input is told of the transport.
  var transportValue: TransportValue?
  var properties: Set<String> = []
  /// The group it belongs to, and that group's symbol.
  var group: String?, groupSymbol: String?
  var isSideChain = false
  var minimum: Float?, maximum: Float?, initial: Float?
  var points: [(label: String, value: Float)] = []
  var unit: String?, unitSymbol: String?
  /// What events it takes or sends, and how many bytes its buffer must have.
  var supports: Set<String> = []
  /// Whether it is the port for messages about the plugin as a whole.
  var isControl = false
  var minimumSize = 0

  var isParameter: Bool { kind == .control && isInput && role == nil }
  var isMeter: Bool { kind == .control && !isInput && role == nil }
}
