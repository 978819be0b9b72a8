// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The block lengths that the host guarantees to a plugin.
struct BlockLengthGuarantee: Equatable {
  var shortest: Int
  var longest: Int
  /// Whether every block has the same length.
  var isFixed: Bool
  /// Whether every block's length is a power of two.
  var isPowerOf2: Bool

  /// Determines what the host can guarantee to a plugin under a layout; throws if that does not suffice for the
  /// plugin.
  ///
  /// A fixed length is guaranteed only to a plugin whose blocks are never split.
  init(_ model: PluginModel, _ layout: PluginLayout) throws(PluginError) {
    guard layout.sampleRate.isFinite, 1...10_000_000 ~= layout.sampleRate else {
      throw .layout(model.uri, because: "\(layout.sampleRate) is not a valid sample rate")
    }
    guard 1...1 << 20 ~= layout.longestBlock, layout.period.map({ $0 > 0 }) ?? true else {
      throw .layout(model.uri, because: "a block has 1 to \(1 << 20) frames")
    }
    guard 1...256 ~= layout.channels else {
      throw .layout(model.uri, because: "a bus has 1 to 256 channels, not \(layout.channels)")
    }
    longest = min(layout.period ?? layout.longestBlock, layout.longestBlock)
    isFixed = layout.period == longest && model.needsWholeBlocks
    isPowerOf2 = isFixed && longest.nonzeroBitCount == 1
    shortest = isFixed ? longest : 1
    if let least = model.shortestBlock, longest < least {
      throw .layout(
        model.uri,
        because:
          "its minBlockLength is \(least) frames, and blocks have \(longest) here; choose a longer period")
    }
    if model.requiredFeatures.contains(Name.fixedBlockLength), !isFixed {
      throw .layout(model.uri, because: "it requires fixedBlockLength, and blocks vary here")
    }
    if model.requiredFeatures.contains(Name.powerOf2BlockLength), !isPowerOf2 {
      let reason =
        isFixed
        ? "\(longest) frames are no power of two; choose a period that is one, such as \(nextPowerOf2(longest))"
        : "blocks vary here"
      throw .layout(model.uri, because: "it requires powerOf2BlockLength, and \(reason)")
    }
  }
}

/// Returns the smallest power of two that is not less than a block length.
private func nextPowerOf2(_ frames: Int) -> Int {
  var power = 1
  while power < frames { power *= 2 }
  return power
}
