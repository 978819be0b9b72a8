// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A graph as it is to be drawn: plain values, so that what is drawn can be tested.
struct Picture: Equatable {
  /// What a node is, which decides its shape.
  enum Kind: String, CaseIterable {
    case capture, playback, effect, plugin, mixer, player
  }

  /// A box.
  struct Node: Equatable {
    /// What it is called.
    var name: String
    /// What it is.
    var kind: Kind
    /// What stands below its name: what it is, how wide, how late.
    var notes: [String] = []
    /// Whether sound passes it by.
    var isBypassed = false
  }

  /// A line from one box to another.
  struct Wire: Equatable {
    /// The boxes, by their places.
    var from: Int, to: Int
    /// What stands beside it: gain, pan, channels, buses.
    var notes: [String] = []
    /// Whether it leads back.
    var isFeedback = false
    /// Whether it carries events.
    var isEvents = false
  }

  /// A point where one listens in.
  struct Tap: Equatable {
    /// What it is called.
    var name: String
    /// The box, by its place.
    var node: Int
    /// Whether it hears what goes in rather than what comes out.
    var isBefore = false
    /// The file it records into, if any.
    var file: String?
  }

  /// What the whole is called.
  var title = ""
  /// The boxes.
  var nodes: [Node] = []
  /// The lines.
  var wires: [Wire] = []
  /// The taps.
  var taps: [Tap] = []
}
