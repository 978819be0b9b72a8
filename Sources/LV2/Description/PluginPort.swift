// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A port as a plugin's description declares it.
struct PluginPort: Sendable {
  /// The type of a port.
  enum Kind: Equatable, Sendable {
    case audio, control, cv, atom
    /// A type that this host does not support, with its classes.
    case unsupported(String)
  }
  /// A port that the host controls or reads by itself.
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
  /// The transport value that a control input receives.
  var transportValue: TransportValue?
  var properties: Set<String> = []
  /// The URI and symbol of its port group.
  var group: String?, groupSymbol: String?
  var isSideChain = false
  var minimum: Float?, maximum: Float?, initial: Float?
  var points: [(label: String, value: Float)] = []
  var unit: String?, unitSymbol: String?
  /// The event types that it supports.
  var supports: Set<String> = []
  /// Whether it is designated as the control port, for messages to the plugin.
  var isControl = false
  /// The size that its event buffer must have at least, in bytes; 0 if the description states none.
  var minimumSize = 0

  var isParameter: Bool { kind == .control && isInput && role == nil }
  var isMeter: Bool { kind == .control && !isInput && role == nil }
}
