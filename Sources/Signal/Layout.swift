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
  /// The unit's files, in the order of the description; nil for one that is not there.
  public var files: [UnitFile?]
  /// Which of the description's engines the unit works with.
  public var engine: Int

  /// A layout with one input and one output bus of `channels`, unless told otherwise.
  public init(
    sampleRate: Double, longestBlock: Int, channels: Int = 2, inputs: [Int]? = nil, outputs: [Int]? = nil,
    bandCount: Int = 0, files: [UnitFile?] = [], engine: Int = 0
  ) {
    self.sampleRate = sampleRate
    self.longestBlock = longestBlock
    self.inputs = inputs ?? [channels]
    self.outputs = outputs ?? [channels]
    self.bandCount = bandCount
    self.files = files
    self.engine = engine
  }
}

extension Layout {
  /// Refuses what no unit can work with: a rate that is none, more or fewer channels than asked for.
  ///
  /// - Parameters:
  ///   - channels: how many channels each bus may have.
  ///   - bands: how many bands the unit may have; nil for a unit without.
  /// - Throws: the first thing that is wrong, as ``EffectError``.
  public func require(channels: ClosedRange<Int> = 1...64, bands: ClosedRange<Int>? = nil) throws(EffectError)
  {
    guard sampleRate >= 1000 && sampleRate <= 1_000_000 else { throw .sampleRate(sampleRate) }
    for count in inputs where !channels.contains(count) { throw .channels(count) }
    for count in outputs where !channels.contains(count) { throw .channels(count) }
    if let bands, !bands.contains(bandCount) { throw .bands(bandCount) }
  }

  /// Refuses a main output that is wider or narrower than the main input.
  ///
  /// - Throws: ``EffectError/channels(_:)`` with the channels of the output.
  public func requireMatching() throws(EffectError) {
    guard let input = inputs.first, let output = outputs.first, input == output else {
      throw .channels(outputs.first ?? 0)
    }
  }
}

extension Layout {
  /// The decoded sound of the file at a place of the description.
  ///
  /// - Throws: ``EffectError/file(_:_:)`` where there is none, or one without a single frame.
  public func sound(_ place: Int = 0) throws(EffectError) -> Sound {
    guard place < files.count, case .sound(let sound)? = files[place] else { throw .file(place, .missing) }
    guard sound.frameCount > 0 else { throw .file(place, .empty) }
    return sound
  }
}
