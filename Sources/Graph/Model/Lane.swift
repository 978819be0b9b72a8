// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletTimeline

/// How one value of a graph moves over time.
///
/// Time is the timeline's: frame 0 is the first that the graph played, and it stands still while the graph
/// does. What a lane says of a time is heard with the sound of that time, however late that is in the graph.
package struct Lane: Equatable, Sendable, Identifiable {
  /// What moves.
  package struct Target: Hashable, Sendable {
    /// Where it is.
    package var place: Place
    /// Which of the place's values.
    package var value: Value

    /// A value of a node or a wire.
    package init(_ place: Place, _ value: Value) {
      self.place = place
      self.value = value
    }
  }

  /// What has values that move.
  package enum Place: Hashable, Sendable {
    /// A node.
    case node(NodeID)
    /// A wire.
    case wire(Graph.Wire.ID)
  }

  /// A value that moves.
  package enum Value: Hashable, Sendable {
    /// A parameter of a node's processor, by its number, in its own unit.
    case parameter(Int)
    /// What the sound is multiplied by: a wire's, or that of a node's main output; of a way out, what goes in.
    case volume
    /// What it is multiplied by once more, to make room for something else.
    case ducking
    /// Where the sound stands, from −1, left, to 1, right, in place of the wire's own pan. Two channels only.
    case pan

    /// The values that a lane may take; nil for a parameter, whose range its processor has.
    package var range: ClosedRange<Float>? {
      switch self {
      case .parameter: nil
      case .volume, .ducking: volumes
      case .pan: Graph.Wire.pans
      }
    }
  }

  /// What moves.
  package let target: Target
  /// How.
  package let automation: Automation
  /// Whether only whole numbers count: then the value steps.
  package let isWhole: Bool
  /// Of a node's pan: how both sides share its sound. A wire's pan goes by the wire's own law.
  package let panLaw: PanLaw

  /// What moves: a graph has one lane of each.
  package var id: Target { target }

  /// The volumes that a lane may take: up to +60 dB.
  package static let volumes: ClosedRange<Float> = 0...1000
}
