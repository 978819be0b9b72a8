// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The output of a plugin that was guaranteed one block length, when blocks of another length come.
extension PluginRuntime {
  /// Renders a block that the plugin must not process: the output ramps from its last sample to silence.
  @_noLocks @_noAllocation mutating func miss(_ block: Block) {
    // 5 ms at 48 kHz, to avoid a click.
    let count = min(block.frameCount, 240)
    var channel = 0
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for index in 0..<output.channelCount {
        let samples = output[index]
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

  /// Stores the last sample of each channel; the first block after a gap fades in.
  @_noLocks @_noAllocation mutating func hold(_ block: Block) {
    var channel = 0
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for index in 0..<output.channelCount {
        if isMissing { output[index].fade(from: 0, to: 1) }
        if channel < heldCount { held[channel] = output[index][block.frameCount - 1] }
        channel += 1
      }
    }
    isMissing = false
  }
}

extension MutableSamples {
  /// Applies a gain ramp over all frames.
  @_noLocks @_noAllocation func fade(from start: Float, to end: Float) {
    let step = (end - start) / Float(count)
    for frame in 0..<count { self[frame] *= start + step * Float(frame + 1) }
  }
}
