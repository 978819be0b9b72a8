// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The parameters of a unit: an enum whose raw value is the parameter's number in events and ports.
///
/// Numbers are dense from 0. A unit with bands numbers its plain parameters first, then those of band 0, band
/// 1 and so on: `init?(rawValue:)` undoes that on the audio thread and is marked for it.
public protocol ParameterSet: RawRepresentable<Int>, Sendable {
  /// The parameters that stand once, in the order of their numbers.
  static var plain: [ParameterDescription] { get }
  /// What repeats for each band; nil where nothing does.
  static var bands: BandDescription? { get }
}

extension ParameterSet {
  public static var bands: BandDescription? { nil }

  /// The description of every parameter of a unit with `bandCount` bands, in the order of their numbers.
  public static func all(bandCount: Int) -> [ParameterDescription] {
    var all = plain
    guard let bands else { return all }
    for _ in 0..<max(bandCount, 0) { all += bands.parameters }
    return all
  }
}

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
    followsChannels: Bool = false, parameters: [ParameterDescription]
  ) {
    self.symbol = symbol
    self.singular = singular
    self.count = count
    self.initialCount = initialCount
    self.followsChannels = followsChannels
    self.parameters = parameters
  }

  /// How many there are where nobody says and the main input has so many channels.
  public func count(channels: Int?) -> Int { followsChannels ? channels ?? initialCount : initialCount }
}
