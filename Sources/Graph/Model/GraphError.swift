// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Why an edit of a graph is refused. The graph stays as it was.
@nonexhaustive public enum GraphError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A node of another graph, or one that was removed.
  case unknownNode(NodeID)
  /// A tap of another graph, or one that was removed.
  case unknownTap(TapID)
  /// A name that another node has.
  case duplicateName(String)
  /// A bus the node does not have.
  case unknownBus(node: String, bus: Int, isInput: Bool, count: Int)
  /// A channel the bus does not have.
  case unknownChannel(node: String, bus: Int, channel: Int, count: Int)
  /// Samples wired to events, or events to samples.
  case mismatch(source: String, destination: String)
  /// A wire between two ends that are wired already.
  case duplicateWire(source: String, destination: String)
  /// A wire that is not there.
  case unknownWire(source: String, destination: String)
  /// Nodes that feed back into each other without a feedback wire.
  case cycle([String])
  /// A number of channels outside 1 to 64.
  case channels(node: String, Int)
  /// A wire has a pan, and its end does not have two channels.
  case panNeedsStereo(destination: String)
  /// A gain, trim, pan or glide that is not a number in range.
  case badLevel(source: String, destination: String)
  /// A gain of a mixer above +60 dB or that is no number, or a glide outside 0 s to 1 h.
  case badGain(String)
  /// A gain of a node that is no mixer.
  case notAMixer(String)
  /// A feedback delay outside 16 to 480000 frames, or feedback on an event wire.
  case badFeedback(source: String, destination: String, frames: Int)
  /// A volume or a pan that is to move where there is no sound.
  case noSound(node: String)
  /// A lane of a node or a wire with a value that it cannot take.
  case badLane(String, value: Float, range: ClosedRange<Float>)
  /// The buses of a node do not fit its role.
  case badShape(node: String)
  /// A node has no processor.
  case missingProcessor(String)
  /// More parameter changes than can wait.
  case tooManyEvents
  /// More memory than a plan may take.
  case tooLarge

  public var description: String {
    switch self {
    case .unknownNode: "the node is not in this graph: attach it first"
    case .unknownTap: "the tap is not in this graph"
    case .duplicateName(let name): "there is a node '\(name)' already: choose another name"
    case .unknownBus(let node, let bus, let isInput, let count):
      "'\(node)' has no \(isInput ? "input" : "output") bus \(bus): it has \(count)"
    case .unknownChannel(let node, let bus, let channel, let count):
      "bus \(bus) of '\(node)' has no channel \(channel + 1): it has \(count)"
    case .mismatch(let source, let destination):
      "'\(source)' and '\(destination)' do not fit: one carries samples, the other events"
    case .duplicateWire(let source, let destination): "'\(source)' is wired to '\(destination)' already"
    case .unknownWire(let source, let destination): "'\(source)' is not wired to '\(destination)'"
    case .cycle(let names):
      "nodes feed back into each other: \(Self.short(names).joined(separator: " → ")); mark one wire as feedback"
    case .channels(let node, let count):
      "'\(node)' asks for \(count) channels: 1 to \(BusFormat.mostChannels) are possible"
    case .panNeedsStereo(let destination): "pan needs two channels at its end, which '\(destination)' has not"
    case .badLevel(let source, let destination):
      "the wire from '\(source)' to '\(destination)' has a gain or trim above +60 dB, a pan outside −1 to "
        + "1, or a glide outside 0 s to 1 h"
    case .badGain(let node): "'\(node)' has a gain above +60 dB, or a glide outside 0 s to 1 h"
    case .notAMixer(let node): "'\(node)' is no mixer: put a gain on its wires"
    case .badFeedback(let source, let destination, let frames):
      "the feedback wire from '\(source)' to '\(destination)' asks for \(frames) frames: 16 to 480000 are possible"
    case .noSound(let node): "'\(node)' carries no sound whose volume could move"
    case .badLane(let name, let value, let range):
      "the lane of '\(name)' goes to \(value): \(range.lowerBound) to \(range.upperBound) is possible"
    case .badShape(let node): "'\(node)' has buses that its role cannot have"
    case .missingProcessor(let node): "'\(node)' has nothing to run: attach it with its processor"
    case .tooManyEvents: "more parameter changes are waiting than there is room for: send fewer, or later"
    case .tooLarge: "the graph needs more memory than a plan may take"
    }
  }

  /// A long way round, told by its ends.
  private static func short(_ names: [String]) -> [String] {
    names.count <= 12 ? names : names.prefix(6) + ["…"] + names.suffix(5)
  }
}
