// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// One end of a wire: a node's bus, or one channel of it.
public struct Endpoint: Hashable, Sendable {
  /// The node.
  public var node: NodeID
  /// The output bus at the wire's source, the input bus at its destination.
  public var bus: Bus
  private var channelNumber: Int32

  /// The value that means all channels of a bus.
  private static let all = Int32.min

  /// Creates an endpoint: a bus, or one channel of it. The default is all channels of the first bus.
  package init(_ node: NodeID, bus: Bus = 0, channel: Int? = nil) {
    self.node = node
    self.bus = bus
    channelNumber = Self.all
    self.channel = channel
  }

  /// The channel of the bus, from 0; nil for all channels.
  public var channel: Int? {
    get { channelNumber == Self.all ? nil : Int(channelNumber) }
    set { channelNumber = newValue.map { max(Int32(clamping: $0), -1) } ?? Self.all }
  }

  /// Returns whether both ends have a channel in common.
  func overlaps(_ other: Endpoint) -> Bool {
    node == other.node && bus == other.bus
      && (channel == nil || other.channel == nil || channel == other.channel)
  }

  /// Node, bus and channel in one word.
  var packed: UInt64 {
    let end = UInt64(truncatingIfNeeded: bus.index) << 8 | UInt64(truncatingIfNeeded: channelNumber & 0xFF)
    return UInt64(truncatingIfNeeded: node.slot) << 32 ^ end
  }
}
