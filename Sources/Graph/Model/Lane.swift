// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletTimeline

/// The automation of one value of a graph.
///
/// Time is the timeline's: frame 0 is the first frame that the graph played, and the timeline stops while the graph
/// does. A lane's value at a time applies to the sound of that time, whatever its latency in the graph.
package struct Lane: Equatable, Sendable, Identifiable {
  /// The automated value of a node or wire.
  package struct Target: Hashable, Sendable {
    /// The node or wire.
    package var owner: Owner
    /// The value.
    package var value: Value

    /// Creates the target for a value of a node or wire.
    package init(_ owner: Owner, _ value: Value) {
      self.owner = owner
      self.value = value
    }
  }

  /// An object with values that can be automated.
  package enum Owner: Hashable, Sendable {
    /// A node.
    case node(NodeID)
    /// A wire.
    case wire(Graph.Wire.ID)
  }

  /// A value that can be automated.
  package enum Value: Hashable, Sendable {
    /// A parameter of a node's processor, by its number, in its own unit.
    case parameter(Int)
    /// The gain factor of a wire or of a node's main output; for an output node, of its input.
    case volume
    /// A second gain factor, for ducking.
    case ducking
    /// The pan from −1 (left) to 1 (right), which replaces the wire's own pan. Stereo only.
    case pan

    /// The range of a lane's values; nil for a parameter, whose processor defines the range.
    package var range: ClosedRange<Float>? {
      switch self {
      case .parameter: nil
      case .volume, .ducking: volumes
      case .pan: Graph.Wire.pans
      }
    }
  }

  /// The automated value.
  package let target: Target
  /// The course of the value.
  package let automation: Automation
  /// Whether values are rounded to whole numbers, so that the value changes in steps.
  package let isWhole: Bool
  /// The length of the glide that smooths jumps of a volume or pan, in seconds; 0: jumps are exact. A parameter uses
  /// its own glide.
  package let declick: Double
  /// For a node's pan, the pan law. A wire's pan uses the wire's own law.
  package let panLaw: PanLaw

  /// The lane's identifier: a graph has at most one lane per target.
  package var id: Target { target }

  /// The usual length of the glide that smooths jumps of a volume or pan, in seconds.
  package static let smoothing = 0.005
  /// The range of volume lanes, as factors: up to +60 dB.
  package static let volumes: ClosedRange<Float> = 0...1000
}
