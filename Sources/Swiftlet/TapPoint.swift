// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph

/// Where somebody listens, to record, to meter, or to hear for himself.
package enum TapPoint: Sendable, Hashable {
  /// A bus of a node: an output bus, or, before the node, an input bus with all that is mixed into it.
  case node(AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after)
  /// A wire or a send: behind fader, mute and pan, or before the fader, behind trim and phase, muted or not.
  case wire(Wire, side: Graph.Tap.Side = .after)
}
