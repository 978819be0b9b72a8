// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The connections of an engine's ports at one moment. The value does not change, also when ports are removed.
public struct Route: Hashable, Sendable {
  /// The JACK port at the other end of a connection.
  public struct Port: Hashable, Sendable {
    /// Its full name: `system:playback_1`.
    public let name: String
    /// What JACK knows it by, as long as its server runs.
    package let uuid: String
    /// Other names that it has.
    package let aliases: [String]
    /// The content of the port: sound or MIDI.
    public let content: JackPort.Content
    /// Whether it is a socket of a machine rather than a program's.
    public let isPhysical: Bool
    /// How long sound takes between the port and the world, in frames: what capture ports have heard is so
    /// old, what playback ports are given is heard so late.
    public let latency: ClosedRange<Int>

    /// A port by its properties, such as a test makes.
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
    /// The node, and which of its channels, counted from 0.
    public let node: String, channel: Int
    /// The other end.
    public let port: Port

    /// A cable from or to one channel of a node.
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
  /// The server's block, in frames.
  public var period = 0

  /// A route that leads nowhere.
  package init() {}

  /// The physical ports that are played to.
  public var physicalOutputs: Set<String> { Set(outputs.filter(\.port.isPhysical).map(\.port.name)) }
  /// The physical ports that are heard from.
  package var physicalInputs: Set<String> { Set(inputs.filter(\.port.isPhysical).map(\.port.name)) }

  /// How many channels of a machine are heard: ports for sound, each counted once.
  package var inputChannels: Int { Self.sockets(inputs).count }
  /// How many channels of a machine are played to.
  package var outputChannels: Int { Self.sockets(outputs).count }

  /// How old the oldest sound is when a machine's ports hand it to us, in frames; 0 where none is heard. JACK counts
  /// its own period in.
  package var inputLatency: Int { Self.sockets(inputs).map(\.latency.upperBound).max() ?? 0 }
  /// How long it takes at most until the sound that a machine's ports are given is heard, in frames; 0 where none is
  /// played to.
  package var outputLatency: Int { Self.sockets(outputs).map(\.latency.upperBound).max() ?? 0 }

  /// The machine's ports for sound at the ends of some cables.
  private static func sockets(_ links: [Link]) -> Set<Port> {
    Set(links.map(\.port).filter { $0.isPhysical && $0.content == .audio })
  }
}

/// A change of the connections of an engine's ports, or of the ports that they can be connected to.
public struct RouteChange: Hashable, Sendable {
  /// Why.
  @nonexhaustive public enum Reason: String, Hashable, Sendable {
    /// A port of another program was added or removed, or the reason is unknown.
    case unknown
    /// A physical port is there that was not: headphones have been plugged in.
    case newDeviceAvailable = "new-device-available"
    /// A physical port is there no more: headphones have been unplugged.
    case oldDeviceUnavailable = "old-device-unavailable"
    /// Our own ports are others now.
    case categoryChange = "category-change"
    /// A user or another program connected or disconnected a port of the engine. The engine leaves that as it is.
    case override
    /// The machine slept.
    case wakeFromSleep = "wake-from-sleep"
    /// A node that belongs on a machine's port finds none.
    case noSuitableRoute = "no-suitable-route"
    /// The server's block or the latency of a port is another now.
    case configurationChange = "configuration-change"
  }
  /// Why.
  public let reason: Reason
  /// The connections before the change, and after it.
  public let previous: Route, current: Route

  /// The nodes that follow one of several alternatives (``ConnectionRule/firstOf(_:)``), each of which has a port
  /// now: what they lost has been made up for, or is being so.
  package let choosers: Set<String>

  /// A change for a reason.
  package init(
    _ reason: Reason, from previous: Route, to current: Route, choosers: Set<String> = []
  ) {
    self.reason = reason
    self.previous = previous
    self.current = current
    self.choosers = choosers
  }

  /// Whether a machine's port that was played to has gone, and nothing was named to take its place: who listened
  /// there hears nothing now.
  package var losesOutput: Bool { !lostOutputs.isEmpty }

  /// The names of those ports; none where the reason is another.
  package var lostOutputs: Set<String> {
    guard reason == .oldDeviceUnavailable else { return [] }
    let links = previous.outputs.filter { $0.port.isPhysical && !choosers.contains($0.node) }
    return Set(links.map(\.port.name)).subtracting(current.physicalOutputs)
  }
}
