// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a unit is made for.
public struct Layout: Sendable {
  /// Frames a second.
  public var sampleRate: Double
  /// The longest block that will come, in frames.
  public var longestBlock: Int
  /// Channels of each input bus, in the order of the description.
  public var inputs: [Int]
  /// Channels of each output bus.
  public var outputs: [Int]
  /// How many bands the unit has; 0 for a unit without.
  public var bandCount: Int

  /// A layout with one input and one output bus of `channels`, unless told otherwise.
  public init(
    sampleRate: Double, longestBlock: Int, channels: Int = 2, inputs: [Int]? = nil, outputs: [Int]? = nil,
    bandCount: Int = 0
  ) {
    self.sampleRate = sampleRate
    self.longestBlock = longestBlock
    self.inputs = inputs ?? [channels]
    self.outputs = outputs ?? [channels]
    self.bandCount = bandCount
  }
}

extension Layout {
  /// Refuses what no unit can work with: a rate that is none, more or fewer channels than asked for.
  ///
  /// - Parameters:
  ///   - channels: how many channels each bus may have.
  ///   - bands: how many bands the unit may have; nil for a unit without.
  /// - Throws: the first thing that is wrong, as ``UnitError``.
  public func require(channels: ClosedRange<Int> = 1...64, bands: ClosedRange<Int>? = nil) throws(UnitError) {
    guard sampleRate >= 1000 && sampleRate <= 1_000_000 else { throw .sampleRate(sampleRate) }
    for count in inputs where !channels.contains(count) { throw .channels(count) }
    for count in outputs where !channels.contains(count) { throw .channels(count) }
    if let bands, !bands.contains(bandCount) { throw .bands(bandCount) }
  }

  /// Refuses a main output that is wider or narrower than the main input.
  ///
  /// - Throws: ``UnitError/channels(_:)`` with the channels of the output.
  public func requireMatching() throws(UnitError) {
    guard let input = inputs.first, let output = outputs.first, input == output else {
      throw .channels(outputs.first ?? 0)
    }
  }
}
