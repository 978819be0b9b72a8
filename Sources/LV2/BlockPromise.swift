// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a plugin may rely on about the lengths of its blocks: no more than is true.
struct BlockPromise: Equatable {
  var shortest: Int
  var longest: Int
  /// Every block has one length.
  var isFixed: Bool
  /// Every block's length is a power of two.
  var isPowerOf2: Bool

  /// What holds for a plugin under a layout, or why that is too little for it.
  ///
  /// One length can be promised only to a plugin whose blocks are never cut.
  init(_ model: PluginModel, _ layout: PluginLayout) throws(PluginError) {
    guard layout.sampleRate.isFinite, 1...10_000_000 ~= layout.sampleRate else {
      throw .layout(model.uri, because: "\(layout.sampleRate) is no sample rate")
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

/// The power of two that a length of blocks may be raised to.
private func nextPowerOf2(_ frames: Int) -> Int {
  var power = 1
  while power < frames { power *= 2 }
  return power
}
