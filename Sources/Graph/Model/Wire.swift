// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// One end of a wire: a node's bus, or one channel of it.
public struct Endpoint: Hashable, Sendable {
  /// The node.
  public var node: NodeID
  /// Its output bus at the wire's start, its input bus at the wire's end.
  public var bus: Bus
  /// One channel of the bus, from 0; nil for all of them.
  public var channel: Int?

  /// The first bus with all its channels, unless told otherwise.
  public init(_ node: NodeID, bus: Bus = 0, channel: Int? = nil) {
    self.node = node
    self.bus = bus
    self.channel = channel
  }
}

/// A connection from one node's output to another's input.
public struct Wire: Hashable, Sendable {
  /// What tells a wire from others: its two ends.
  public struct ID: Hashable, Sendable {
    /// Where sound comes from, and where it goes.
    public var source: Endpoint, destination: Endpoint
  }

  /// The two ends.
  public var id: ID
  /// How much is added or taken away, in dB; 0 leaves the sound as it is, −infinity is silence.
  public var gain: Float
  /// From −1 (left) over 0 (both sides as they are) to 1 (right). Two-channel destinations only.
  public var pan: Float
  /// How late a wire that closes a loop is, in frames; nil for a plain wire, which may not close a loop.
  public var feedback: Int?

  /// How late a feedback wire is where nobody says.
  public static let defaultFeedback = 1024

  /// A wire between two ends.
  public init(
    from source: Endpoint, to destination: Endpoint, gain: Float = 0, pan: Float = 0, feedback: Int? = nil
  ) {
    id = ID(source: source, destination: destination)
    self.gain = gain
    self.pan = pan
    self.feedback = feedback
  }

  /// Where sound comes from.
  public var source: Endpoint { id.source }
  /// Where it goes.
  public var destination: Endpoint { id.destination }
}
