// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How the channels of a wire's source become those of its destination.
///
/// - As many on both sides: each to its own.
/// - One to many: a copy to every channel, at full level.
/// - Many to one: their mean, so that what is the same on all keeps its level.
/// - Otherwise: in order; channels without a partner are dropped, or silent.
package enum ChannelRule: Equatable, Sendable {
  /// Channel n to channel n; `dropped` source channels are lost, `silent` destination channels get nothing.
  case inOrder(dropped: Int, silent: Int)
  /// The one channel to every channel.
  case copied
  /// The mean of all channels.
  case mean

  /// The rule between two counts of channels.
  package init(from source: Int, to destination: Int) {
    if source == destination {
      self = .inOrder(dropped: 0, silent: 0)
    } else if source == 1 {
      self = .copied
    } else if destination == 1 {
      self = .mean
    } else {
      self = .inOrder(dropped: max(source - destination, 0), silent: max(destination - source, 0))
    }
  }
}
