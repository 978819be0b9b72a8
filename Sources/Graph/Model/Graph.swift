// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The nodes of an engine, with their buses, wires and taps, as a value.
///
/// A copy does not change when the engine's graph does.
///
/// Any thread may read it but the audio thread.
public struct Graph: Equatable, Sendable {
  /// The function of a node in the graph.
  public enum Role: Hashable, Sendable {
    /// An input of the graph: output bus 0 carries the cycle's input of this number.
    case input(Int)
    /// An output of the graph: input bus 0 goes to the cycle's output of this number, through a guard against runaway
    /// levels. Several nodes with the same number are mixed.
    case output(Int)
    /// An effect, a plugin, a player or a closure.
    case processor
    /// A mixer.
    case mixer
  }

  /// A node of the graph.
  public struct Node: Equatable, Sendable, Identifiable {
    /// The identifier of the node.
    public let id: NodeID
    /// The name of the node, unique in the graph.
    public let name: String
    /// The function of the node.
    public let role: Role
    /// The formats of the input buses.
    public let inputs: [BusFormat]
    /// The formats of the output buses.
    public let outputs: [BusFormat]
    /// Whether the main input bypasses the processor and goes to the main output.
    public internal(set) var isBypassed = false
    /// For a mixer, the gain of its sum in dB.
    public internal(set) var gain: Float = 0
    /// For a mixer, the length of a gain change in seconds.
    package internal(set) var glide = Wire.shortestGlide

    /// Creates a node that is not in a graph yet.
    package init(
      id: NodeID, name: String, role: Role, inputs: [BusFormat], outputs: [BusFormat],
      isBypassed: Bool = false
    ) {
      (self.id, self.name, self.role, self.inputs, self.outputs) = (id, name, role, inputs, outputs)
      self.isBypassed = isBypassed
    }

    /// Whether the node is an output node.
    var isOutput: Bool { if case .output = role { true } else { false } }

    /// Whether the node can have a processor.
    var mayHaveProcessor: Bool {
      switch role {
      case .processor, .output: true
      case .input, .mixer: false
      }
    }
  }

  /// A point where a bus is tapped, metered or recorded.
  public struct Tap: Equatable, Sendable, Identifiable {
    /// The side of the node, or of the wire's fader.
    public enum Side: Sendable, Hashable {
      /// For a node, an input bus with all its wires mixed. For a wire, the sound before the fader, after trim and
      /// phase, independent of mute.
      case before
      /// For a node, an output bus. For a wire, the sound after fader, mute and pan.
      case after
    }
    /// The identifier of the tap.
    public let id: TapID
    /// The tapped node; for a wire, the node at that end.
    package let node: NodeID
    /// The tapped bus.
    package let bus: Bus
    /// Before or after the node or the fader.
    package let side: Side
    /// The tapped wire; nil for taps of nodes.
    package let wire: Wire.ID?
  }

  /// The nodes, in the order in which they were added, which is that of their identifiers.
  public internal(set) var nodes: [Node] = []
  /// The wires, in the order in which they were created.
  public var wires: [Wire] { wireList.elements }
  /// The taps, in the order they were added.
  package var taps: [Tap] { tapList.elements }
  /// The automation lanes, in the order in which they were added.
  package var lanes: [Lane] { laneList.elements }
  var wireList = IndexedList<Wire>(), tapList = IndexedList<Tap>(), laneList = IndexedList<Lane>()
  var nextSlot = 0
  var nextTap = 0
  /// The changes since ``beginDelta()``; nil while nothing is recorded.
  var delta: GraphDelta?
  /// The nodes by name.
  var names: [String: NodeID] = [:]

  /// The maximum number of nodes that a graph can ever create; slots are never reused.
  package static var mostNodes: Int { @_noLocks @_noAllocation get { 1 << 16 } }

  /// Creates an empty graph.
  package init() {}

  /// Returns the node with this identifier.
  public func node(_ id: NodeID) -> Node? { index(of: id).map { nodes[$0] } }

  /// Returns the node with this name.
  public func node(named name: String) -> Node? { names[name].flatMap(node) }

  /// Returns the tap with this identifier.
  package func tap(_ id: TapID) -> Tap? { tapList[id] }

  /// Returns the index of a node in `nodes`, by binary search.
  func index(of id: NodeID) -> Int? {
    var low = 0, high = nodes.count
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < nodes.count && nodes[low].id == id ? low : nil
  }

  /// Compares the contents of two graphs, independent of their history.
  public static func == (a: Graph, b: Graph) -> Bool {
    a.nodes == b.nodes && a.wireList == b.wireList && a.tapList == b.tapList && a.laneList == b.laneList
  }

  /// Returns the format of the tapped bus.
  package func format(of tap: Tap) -> BusFormat? {
    guard let node = node(tap.node) else { return nil }
    // Before the fader, a wire carries an output bus of its source; after the fader, an input bus of its destination.
    let isInput = (tap.side == .before) == (tap.wire == nil)
    let buses = isInput ? node.inputs : node.outputs
    guard buses.indices.contains(tap.bus.index) else { return nil }
    let end = tap.wire.map { tap.side == .before ? $0.source : $0.destination }
    return end?.channel == nil ? buses[tap.bus.index] : .audio(channels: 1)
  }
}
