// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A group of parameters that repeats: the bands of an equalizer, the sources of an acoustic room.
public struct BandDescription: Sendable {
  /// The bands' key in a manifest: `bands`.
  public let symbol: StaticString
  /// The name of one band in LV2 symbols and messages: `band`.
  public let singular: StaticString
  /// The allowed numbers of bands.
  public let count: ClosedRange<Int>
  /// The default number of bands.
  public let defaultCount: Int
  /// Whether the effect has exactly one band for each channel of the main input.
  public let followsChannels: Bool
  /// The parameters of each band.
  public let parameters: [ParameterDescription]

  /// Describes the bands of an effect.
  public init(
    _ symbol: StaticString, singular: StaticString, count: ClosedRange<Int>, defaultCount: Int,
    followsChannels: Bool = false, of list: (some ParameterList).Type
  ) {
    self.symbol = symbol
    self.singular = singular
    self.count = count
    self.defaultCount = defaultCount
    self.followsChannels = followsChannels
    parameters = list.descriptions
  }

  /// The default number of bands for a main input with this number of channels.
  public func count(channels: Int?) -> Int { followsChannels ? channels ?? defaultCount : defaultCount }
}
