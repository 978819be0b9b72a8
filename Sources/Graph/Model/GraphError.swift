// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The reason why an edit of a graph is rejected. The graph stays unchanged.
@nonexhaustive public enum GraphError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The node belongs to another graph, or was removed.
  case unknownNode(NodeID)
  /// The tap belongs to another graph, or was removed.
  case unknownTap(TapID)
  /// Another node has this name.
  case duplicateName(String)
  /// The node has no such bus.
  case unknownBus(node: String, bus: Int, isInput: Bool, count: Int)
  /// The bus has no such channel.
  case unknownChannel(node: String, bus: Int, channel: Int, count: Int)
  /// The wire would connect audio to events, or events to audio.
  case mismatch(source: String, destination: String)
  /// The two ends are wired already.
  case duplicateWire(source: String, destination: String)
  /// The wire does not exist.
  case unknownWire(source: String, destination: String)
  /// The nodes form a loop without a feedback wire.
  case cycle([String])
  /// The number of channels is outside 1 to 64.
  case channels(node: String, Int)
  /// The wire has a pan, but its destination is not stereo.
  case panNeedsStereo(destination: String)
  /// A gain, trim, pan or glide is NaN or out of range.
  case badLevel(source: String, destination: String)
  /// A mixer's gain is above +60 dB or NaN, or a glide is outside 0 s to 1 h.
  case badGain(String)
  /// The node is not a mixer, so it has no gain.
  case notAMixer(String)
  /// A feedback delay is outside 16 to 480,000 frames, or the feedback wire carries events.
  case badFeedback(source: String, destination: String, frames: Int)
  /// A volume or pan lane targets a node without audio.
  case noSound(node: String)
  /// A lane contains a value that is out of range.
  case badLane(String, value: Float, range: ClosedRange<Float>)
  /// The buses of a node do not fit its role.
  case badShape(node: String)
  /// A node has no processor.
  case missingProcessor(String)
  /// Too many parameter changes are waiting.
  case tooManyEvents
  /// The graph needs more memory than a plan may use.
  case tooLarge

  public var description: String {
    switch self {
    case .unknownNode: "the node is not in this graph: attach it first"
    case .unknownTap: "the tap is not in this graph: add it first"
    case .duplicateName(let name): "there is a node '\(name)' already: choose another name"
    case .unknownBus(let node, let bus, let isInput, let count):
      "'\(node)' has no \(isInput ? "input" : "output") bus \(bus): it has \(count)"
    case .unknownChannel(let node, let bus, let channel, let count):
      "bus \(bus) of '\(node)' has no channel \(channel + 1): it has \(count)"
    case .mismatch(let source, let destination):
      "cannot wire '\(source)' to '\(destination)': one carries audio, the other events"
    case .duplicateWire(let source, let destination):
      "'\(source)' is wired to '\(destination)' already: disconnect it first"
    case .unknownWire(let source, let destination):
      "'\(source)' is not wired to '\(destination)': connect it first"
    case .cycle(let names):
      "nodes feed back into each other: \(Self.short(names).joined(separator: " → ")); mark one wire as feedback"
    case .channels(let node, let count):
      "'\(node)' cannot have \(count) channels: use 1 to \(BusFormat.mostChannels)"
    case .panNeedsStereo(let destination):
      "'\(destination)' is not stereo: a pan needs a destination with two channels"
    case .badLevel(let source, let destination):
      "the wire from '\(source)' to '\(destination)' has a gain or trim above +60 dB, a pan outside −1 to "
        + "1, or a glide outside 0 s to 1 h"
    case .badGain(let node): "'\(node)' has a gain above +60 dB, or a glide outside 0 s to 1 h"
    case .notAMixer(let node): "'\(node)' is not a mixer: set the gain of its wires instead"
    case .badFeedback(let source, let destination, let frames):
      "the feedback wire from '\(source)' to '\(destination)' has a delay of \(frames) frames: "
        + "16 to 480000 are allowed, for audio only"
    case .noSound(let node):
      "'\(node)' carries no audio, so its volume and pan cannot be automated: choose a node with audio"
    case .badLane(let name, let value, let range):
      "the lane of '\(name)' has the value \(value): \(range.lowerBound) to \(range.upperBound) is allowed"
    case .badShape(let node):
      "'\(node)' has input or output buses that its role does not allow: change the buses or the role"
    case .missingProcessor(let node): "'\(node)' has no processor: attach it with its processor"
    case .tooManyEvents: "too many parameter changes are waiting: send fewer, or send them later"
    case .tooLarge: "the graph needs more memory than a plan may take: use fewer nodes or shorter latencies"
    }
  }

  /// Shortens a long list of names to its first and last ones.
  private static func short(_ names: [String]) -> [String] {
    names.count <= 12 ? names : names.prefix(6) + ["…"] + names.suffix(5)
  }
}
