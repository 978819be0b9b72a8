// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The connections of an engine's ports at one moment. The value does not change when ports or connections are
/// removed.
public struct Route: Hashable, Sendable {
  /// The JACK port at the other end of a connection.
  public struct Port: Hashable, Sendable {
    /// The full name of the port, such as `system:playback_1`.
    public let name: String
    /// JACK's identifier of the port, valid while its server runs.
    package let uuid: String
    /// The aliases of the port.
    package let aliases: [String]
    /// The content of the port: sound or MIDI.
    public let content: JackPort.Content
    /// Whether the port is a physical port, such as a socket of the sound card, instead of a program's.
    public let isPhysical: Bool
    /// The latency between the port and the outside world, in frames: the age of the sound that a capture port
    /// delivers, or the time until the sound that a playback port receives is heard.
    public let latency: ClosedRange<Int>

    /// Creates a port from its properties.
    package init(
      _ name: String, uuid: String = "", aliases: [String] = [], content: JackPort.Content = .audio,
      isPhysical: Bool = true, latency: ClosedRange<Int> = 0...0
    ) {
      self.name = name
      self.uuid = uuid
      self.aliases = aliases
      self.content = content
      self.isPhysical = isPhysical
      self.latency = latency
    }
  }

  /// A connection between a node's port and another JACK port.
  public struct Link: Hashable, Sendable {
    /// The node's name, and the index of its channel, counted from 0.
    public let node: String, channel: Int
    /// The port at the other end.
    public let port: Port

    /// Creates a connection from or to one channel of a node.
    package init(_ node: String, channel: Int, _ port: Port) {
      self.node = node
      self.channel = channel
      self.port = port
    }
  }

  /// The connections of the input nodes, in the order of nodes and channels.
  public var inputs: [Link] = []
  /// The connections of the output nodes, in the order of nodes and channels.
  public var outputs: [Link] = []
  /// The server's period in frames.
  public var period = 0

  /// Creates a route without connections.
  package init() {}

  /// The names of the physical ports that the engine plays to.
  public var physicalOutputs: Set<String> { Set(outputs.filter(\.port.isPhysical).map(\.port.name)) }
  /// The names of the physical ports that the engine records from.
  package var physicalInputs: Set<String> { Set(inputs.filter(\.port.isPhysical).map(\.port.name)) }

  /// The number of physical audio ports that the engine records from, each counted once.
  package var inputChannels: Int { Self.sockets(inputs).count }
  /// The number of physical audio ports that the engine plays to, each counted once.
  package var outputChannels: Int { Self.sockets(outputs).count }

  /// The largest capture latency of the connected physical ports in frames; 0 if there are none. It includes JACK's
  /// period.
  package var inputLatency: Int { Self.sockets(inputs).map(\.latency.upperBound).max() ?? 0 }
  /// The largest playback latency of the connected physical ports in frames; 0 if there are none.
  package var outputLatency: Int { Self.sockets(outputs).map(\.latency.upperBound).max() ?? 0 }

  /// Returns the physical audio ports at the ends of some connections.
  private static func sockets(_ links: [Link]) -> Set<Port> {
    Set(links.map(\.port).filter { $0.isPhysical && $0.content == .audio })
  }
}

/// A change of the connections of an engine's ports, or of the ports that they can be connected to.
public struct RouteChange: Hashable, Sendable {
  /// The reason of a route change.
  @nonexhaustive public enum Reason: String, Hashable, Sendable {
    /// A port of another program was added or removed, or the reason is unknown.
    case unknown
    /// A physical port has appeared; for example, headphones have been plugged in.
    case newDeviceAvailable = "new-device-available"
    /// A physical port has disappeared; for example, headphones have been unplugged.
    case oldDeviceUnavailable = "old-device-unavailable"
    /// The engine's own ports have changed.
    case categoryChange = "category-change"
    /// A user or another program connected or disconnected a port of the engine. The engine leaves that as it is.
    case override
    /// The machine slept.
    case wakeFromSleep = "wake-from-sleep"
    /// A node whose rule asks for a physical port finds none.
    case noSuitableRoute = "no-suitable-route"
    /// The server's period or the latency of a port has changed.
    case configurationChange = "configuration-change"
  }
  /// The reason of the change.
  public let reason: Reason
  /// The connections before the change, and after it.
  public let previous: Route, current: Route

  /// The nodes that follow one of several alternatives (``ConnectionRule/firstOf(_:)``) and are connected by it now.
  /// A port that they lost has been replaced, or is about to be.
  package let nodesWithAlternatives: Set<String>

  /// Creates a change.
  package init(
    _ reason: Reason, from previous: Route, to current: Route, nodesWithAlternatives: Set<String> = []
  ) {
    self.reason = reason
    self.previous = previous
    self.current = current
    self.nodesWithAlternatives = nodesWithAlternatives
  }

  /// Whether a physical port that the engine played to has disappeared, and no rule with alternatives replaces it.
  package var losesOutput: Bool { !lostOutputs.isEmpty }

  /// The names of those ports; empty if the reason is another one.
  package var lostOutputs: Set<String> {
    guard reason == .oldDeviceUnavailable else { return [] }
    let links = previous.outputs.filter { $0.port.isPhysical && !nodesWithAlternatives.contains($0.node) }
    return Set(links.map(\.port.name)).subtracting(current.physicalOutputs)
  }
}
