// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Parameters that repeat: the bands of an equalizer, the sources of a room.
public struct BandDescription: Sendable {
  /// The key they stand under in a manifest: `bands`.
  public let symbol: StaticString
  /// One of them, for LV2 symbols and messages: `band`.
  public let singular: StaticString
  /// How many there may be.
  public let count: ClosedRange<Int>
  /// How many there are where nobody says.
  public let initialCount: Int
  /// Whether there is one for each channel of the main input, neither more nor fewer.
  public let followsChannels: Bool
  /// The parameters of each.
  public let parameters: [ParameterDescription]

  /// Describes parameters that repeat.
  public init(
    _ symbol: StaticString, singular: StaticString, count: ClosedRange<Int>, initialCount: Int,
    followsChannels: Bool = false, of list: (some ParameterList).Type
  ) {
    self.symbol = symbol
    self.singular = singular
    self.count = count
    self.initialCount = initialCount
    self.followsChannels = followsChannels
    parameters = list.descriptions
  }

  /// How many there are where nobody says and the main input has so many channels.
  public func count(channels: Int?) -> Int { followsChannels ? channels ?? initialCount : initialCount }
}
