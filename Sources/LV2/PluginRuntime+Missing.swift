// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// What is heard of a plugin that was promised one length of blocks, when blocks of another come and go.
extension PluginRuntime {
  /// A block that the plugin must not see: its sound falls from where it was, and then there is none.
  @_noLocks @_noAllocation mutating func miss(_ block: Block) {
    // 5 ms at 48 kHz: no click.
    let count = min(block.frameCount, 240)
    var channel = 0
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for place in 0..<output.channelCount {
        let samples = output[place]
        samples.clear()
        if !isMissing, channel < heldCount {
          let step = held[channel] / Float(count)
          for frame in 0..<count { samples[frame] = held[channel] - step * Float(frame + 1) }
        }
        channel += 1
      }
    }
    isMissing = true
  }

  /// Keeps where a block has ended; the first one behind a gap fades in.
  @_noLocks @_noAllocation mutating func hold(_ block: Block) {
    var channel = 0
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for place in 0..<output.channelCount {
        if isMissing { output[place].fade(from: 0, to: 1) }
        if channel < heldCount { held[channel] = output[place][block.frameCount - 1] }
        channel += 1
      }
    }
    isMissing = false
  }
}

extension MutableSamples {
  /// Carries the loudness from one level to another, over all frames.
  @_noLocks @_noAllocation func fade(from start: Float, to end: Float) {
    let step = (end - start) / Float(count)
    for frame in 0..<count { self[frame] *= start + step * Float(frame + 1) }
  }
}
