// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The crossfade from a plugin's old body to a newly created one: both run until the new one's output is valid, then
/// the old one fades into the new one.
///
/// Owned by the audio thread once it is offered. It is in the new body's memory.
struct PluginCrossfade {
  /// The audio thread's data of the new body.
  var next: PluginRuntime
  /// A buffer for the old body's output while the new one runs: `longest` frames for each channel.
  let kept: UnsafeMutablePointer<Float>
  let channelCount: Int, longest: Int
  let fadeFrames: Int
  /// The maximum number of frames to wait for the new body's output, whatever latency it reports.
  let mostFill: Int
  /// The number of frames that both bodies have run, and the number before the fade; −1 until the fade begins.
  private var position = 0, filled = -1

  init(to body: PluginBody) {
    next = body.runtime.pointee
    longest = body.layout.longestBlock
    channelCount = body.outputChannelCount
    kept = body.memory.floats(channelCount * longest)
    fadeFrames = max(Int(body.layout.sampleRate * 0.005), 1)
    mostFill = Int(body.layout.sampleRate * 2)
  }

  /// Runs both bodies for a block.
  ///
  /// - Returns: Whether only the new body is heard from now on.
  @_noLocks @_noAllocation mutating func run(_ block: Block, from old: UnsafeMutablePointer<PluginRuntime>)
    -> Bool
  {
    // The new body's output is silent until its latency has elapsed.
    if filled < 0, position >= min(max(next.latency + next.lag, fadeFrames), mostFill) { filled = position }
    next.takeControls(from: UnsafePointer(old))
    old.pointee.passesEvents = filled < 0
    next.passesEvents = filled >= 0
    old.pointee.process(block)
    eachChannel(block, isMixing: false)
    next.process(block)
    eachChannel(block, isMixing: true)
    position += block.frameCount
    return filled >= 0 && position - filled >= fadeFrames
  }

  /// Replaces the old runtime by the new one; parameters and latency continue.
  @_noLocks @_noAllocation mutating func finish(_ old: UnsafeMutablePointer<PluginRuntime>) {
    next.takeControls(from: UnsafePointer(old))
    next.takeRestored()
    next.passesEvents = true
    // A new latency is published to the graph after the next block.
    next.statedLatency = old.pointee.statedLatency
    next.unstatedFrames = PluginRuntime.rehearsalLength
    old.pointee = next
  }

  /// Stores the old body's output, or mixes it with the new one's.
  @_noLocks @_noAllocation private func eachChannel(_ block: Block, isMixing: Bool) {
    let count = min(block.frameCount, longest)
    var channel = 0
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for index in 0..<output.channelCount where channel < channelCount {
        let past = kept + channel * longest
        if isMixing {
          mix(past, with: output[index], count)
        } else {
          rt_copy_bytes(past, output[index].unsafeBase, count * 4)
        }
        channel += 1
      }
    }
  }

  @_noLocks @_noAllocation private func mix(
    _ past: UnsafeMutablePointer<Float>, with samples: MutableSamples, _ count: Int
  ) {
    for frame in 0..<count {
      // A linear fade, since the two signals are correlated.
      let done = filled < 0 ? 0 : min(Float(position - filled + frame + 1) / Float(fadeFrames), 1)
      samples[frame] = past[frame] + (samples[frame] - past[frame]) * done
    }
  }
}
