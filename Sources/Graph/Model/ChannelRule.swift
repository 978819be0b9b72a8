// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How the channels of a wire's source map to those of its destination.
///
/// - The same number on both sides: channel n to channel n.
/// - One to many: a copy to every channel, at full level.
/// - Many to one: the mean, so that a signal that is the same on all channels keeps its level.
/// - Otherwise: in order; source channels without a destination are dropped, destination channels without a source
///   are silent.
package enum ChannelRule: Equatable, Sendable {
  /// Channel n to channel n; `dropped` source channels are lost, `silent` destination channels have no source.
  case inOrder(dropped: Int, silent: Int)
  /// The single channel to every channel.
  case copied
  /// The mean of all channels.
  case mean

  /// The rule for two numbers of channels.
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
