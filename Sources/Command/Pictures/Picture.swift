// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The drawing of a graph as plain values, so that tests can check it.
struct Picture: Equatable {
  /// The kind of a node, which selects its shape and colour.
  enum Kind: String, CaseIterable {
    case capture, playback, effect, plugin, mixer, player
  }

  /// A node, drawn as a box.
  struct Node: Equatable {
    /// The node's name.
    var name: String
    /// The node's kind.
    var kind: Kind
    /// The lines below the name: effect or file, channels, latency.
    var notes: [String] = []
    /// Whether the node is bypassed.
    var isBypassed = false
  }

  /// A wire, drawn as a line from one box to another.
  struct Wire: Equatable {
    /// The indices of the boxes.
    var from: Int, to: Int
    /// The labels: gain, pan, channels, buses.
    var notes: [String] = []
    /// Whether it is a feedback wire.
    var isFeedback = false
    /// Whether it carries events.
    var isEvents = false
  }

  /// A tap.
  struct Tap: Equatable {
    /// The tap's name.
    var name: String
    /// The index of the node's box.
    var node: Int
    /// Whether it taps the node's input rather than its output.
    var isBefore = false
    /// The file that the tap records to; nil if it does not record.
    var file: String?
  }

  /// The title.
  var title = ""
  /// The nodes.
  var nodes: [Node] = []
  /// The wires.
  var wires: [Wire] = []
  /// The taps.
  var taps: [Tap] = []
}
