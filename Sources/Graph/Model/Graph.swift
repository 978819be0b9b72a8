// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The nodes of an engine, with their buses, wires and taps, as a value.
///
/// A copy does not change when the engine's graph does.
public struct Graph: Equatable, Sendable {
  /// The function of a node in the graph.
  public enum Role: Hashable, Sendable {
    /// An input of the graph: output bus 0 carries the cycle's input of this number.
    case input(Int)
    /// An output of the graph: input bus 0 goes to the cycle's output of this number, behind a guard against runaway
    /// levels. Several nodes of one number are mixed.
    case output(Int)
    /// An effect, a plugin, a player or a closure.
    case processor
    /// A mixer.
    case mixer
  }

  /// One box of the picture.
  public struct Node: Equatable, Sendable, Identifiable {
    /// Its identity.
    public let id: NodeID
    /// Its name, unique in the graph.
    public let name: String
    /// The function of the node.
    public let role: Role
    /// The formats of the input buses.
    public let inputs: [BusFormat]
    /// The formats of the output buses.
    public let outputs: [BusFormat]
    /// Whether the main input goes to the main output instead of through the processor.
    public internal(set) var isBypassed = false
    /// Of a mixer: how much is added to or taken from all that it mixed, in dB.
    public internal(set) var gain: Float = 0
    /// Of a mixer: how long a change of its gain takes, in seconds.
    package internal(set) var glide = Wire.shortestGlide

    /// A node that is not in a graph yet.
    package init(
      id: NodeID, name: String, role: Role, inputs: [BusFormat], outputs: [BusFormat],
      isBypassed: Bool = false
    ) {
      (self.id, self.name, self.role, self.inputs, self.outputs) = (id, name, role, inputs, outputs)
      self.isBypassed = isBypassed
    }
  }

  /// A point where a bus is tapped, metered or recorded.
  public struct Tap: Equatable, Sendable, Identifiable {
    /// On which side of the node, or of the wire's fader.
    public enum Side: Sendable, Hashable {
      /// Of a node: the sound of an input bus, mixed from all its wires. Of a wire: the sound before the fader,
      /// behind trim and phase, muted or not.
      case before
      /// Of a node: the sound of an output bus. Of a wire: the sound behind fader, mute and pan.
      case after
    }
    /// Its identity.
    public let id: TapID
    /// The node it listens to; of a wire, the one at that end.
    package let node: NodeID
    /// Which bus.
    package let bus: Bus
    /// Before or after the node or the fader.
    package let side: Side
    /// The wire it listens to; nil for taps of nodes.
    package let wire: Wire.ID?
  }

  /// The nodes, in the order they were added, which is that of their identities.
  public internal(set) var nodes: [Node] = []
  /// The wires, in the order they were made.
  public var wires: [Wire] { wireList.elements }
  /// The taps, in the order they were added.
  package var taps: [Tap] { tapList.elements }
  /// How values move, in the order they were said.
  package var lanes: [Lane] { laneList.elements }
  var wireList = IndexedList<Wire>(), tapList = IndexedList<Tap>(), laneList = IndexedList<Lane>()
  var nextSlot = 0
  var nextTap = 0
  /// What has changed since ``beginDelta()``; nil while nothing is recorded.
  var delta: GraphDelta?
  /// The nodes by name.
  var names: [String: NodeID] = [:]

  /// How many nodes a graph may be given in its life; slots are never used twice.
  package static var mostNodes: Int { @_noLocks @_noAllocation get { 1 << 16 } }

  /// An empty graph.
  package init() {}

  /// The node with this identity.
  public func node(_ id: NodeID) -> Node? { place(of: id).map { nodes[$0] } }

  /// The node with this name.
  public func node(named name: String) -> Node? { names[name].flatMap(node) }

  /// The tap with this identity.
  package func tap(_ id: TapID) -> Tap? { tapList[id] }

  /// Where a node stands in `nodes`, found by halving.
  func place(of id: NodeID) -> Int? {
    var low = 0, high = nodes.count
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < nodes.count && nodes[low].id == id ? low : nil
  }

  /// Two graphs are equal if what is in them is, whatever was there before.
  public static func == (a: Graph, b: Graph) -> Bool {
    a.nodes == b.nodes && a.wireList == b.wireList && a.tapList == b.tapList && a.laneList == b.laneList
  }

  /// What a tap hears.
  package func format(of tap: Tap) -> BusFormat? {
    guard let node = node(tap.node) else { return nil }
    // What comes to a wire's fader comes out of a node, and what it brings goes into one.
    let isInput = (tap.side == .before) == (tap.wire == nil)
    let buses = isInput ? node.inputs : node.outputs
    guard buses.indices.contains(tap.bus.index) else { return nil }
    let end = tap.wire.map { tap.side == .before ? $0.source : $0.destination }
    return end?.channel == nil ? buses[tap.bus.index] : .audio(channels: 1)
  }
}
