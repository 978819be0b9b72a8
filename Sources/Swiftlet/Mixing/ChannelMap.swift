// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// The channels of two buses that a connection joins: all of a bus, or one channel, counted from 0.
///
/// `ChannelMap(from: 1)` takes the second channel of the source to all channels of the destination, `ChannelMap(from:
/// 1, to: 0)` to the first alone. One channel to many is copied; many to one are mixed to their mean; otherwise
/// channels go in order, and those without a partner are dropped or silent.
public struct ChannelMap: Hashable, Sendable {
  let source: Int?, destination: Int?

  /// Joins all channels, or one channel at either end.
  ///
  /// - Parameters:
  ///   - source: a channel of the source's bus, from 0; default: all channels.
  ///   - destination: a channel of the destination's bus, from 0; default: all channels.
  public init(from source: Int? = nil, to destination: Int? = nil) {
    self.source = source
    self.destination = destination
  }
}
