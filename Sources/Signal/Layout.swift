// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The configuration that an effect is created for.
public struct Layout: Sendable {
  /// The sample rate in frames a second.
  public var sampleRate: Double
  /// The longest block, in frames.
  public var longestBlock: Int
  /// The number of channels of each input bus, in the order of the description.
  public var inputs: [Int]
  /// The number of channels of each output bus, in the order of the description.
  public var outputs: [Int]
  /// The number of bands; 0 for an effect without bands.
  public var bandCount: Int
  /// The effect's files, in the order of the description; nil for a missing file.
  public var files: [EffectFile?]
  /// The index of the algorithm, in the order of the description.
  public var engine: Int

  /// Creates a layout. The default is one input and one output bus of `channels` channels.
  public init(
    sampleRate: Double, longestBlock: Int, channels: Int = 2, inputs: [Int]? = nil, outputs: [Int]? = nil,
    bandCount: Int = 0, files: [EffectFile?] = [], engine: Int = 0
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
  /// Checks that the sample rate is from 1000 Hz to 1 MHz and that the numbers of channels and bands are supported.
  ///
  /// - Parameters:
  ///   - channels: the supported numbers of channels of each bus.
  ///   - bands: the supported numbers of bands; nil for an effect without bands.
  /// - Throws: an ``EffectError`` for the first check that fails.
  public func require(channels: ClosedRange<Int> = 1...64, bands: ClosedRange<Int>? = nil) throws(EffectError)
  {
    guard sampleRate >= 1000 && sampleRate <= 1_000_000 else { throw .sampleRate(sampleRate) }
    for count in inputs where !channels.contains(count) { throw .channels(count) }
    for count in outputs where !channels.contains(count) { throw .channels(count) }
    if let bands, !bands.contains(bandCount) { throw .bands(bandCount) }
  }

  /// Checks that the main output has as many channels as the main input.
  ///
  /// - Throws: ``EffectError/channels(_:)`` with the number of channels of the output.
  public func requireMatching() throws(EffectError) {
    guard let input = inputs.first, let output = outputs.first, input == output else {
      throw .channels(outputs.first ?? 0)
    }
  }

  /// Returns the decoded sound of the file at an index of the description.
  ///
  /// - Throws: ``EffectError/file(_:_:)`` if there is no sound, or if it has no frames.
  public func sound(_ index: Int = 0) throws(EffectError) -> Sound {
    guard index < files.count, case .sound(let sound)? = files[index] else { throw .file(index, .missing) }
    guard sound.frameCount > 0 else { throw .file(index, .empty) }
    return sound
  }
}
