// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph

/// A point of the graph for a tap, to record, meter or monitor.
package enum TapPoint: Sendable, Hashable {
  /// A bus of a node: an output bus, or, before the node, an input bus with all that is mixed into it.
  case node(AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after)
  /// A wire or a send: after fader, mute and pan; or before the fader, which is after trim and phase and independent
  /// of mute.
  case wire(Wire, side: Graph.Tap.Side = .after)
}
