// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The way from a plugin's old body to one that was made anew: both run until the new one is full of
/// sound, then the old one fades into it.
///
/// The audio thread's own once it is offered; it lies in the new body's memory.
struct PluginCrossing {
  /// What the audio thread needs of the new body.
  var next: PluginRuntime
  /// Where the old sound is kept while the new one is made: `longest` frames for each channel.
  let kept: UnsafeMutablePointer<Float>
  let channelCount: Int, longest: Int
  let fadeFrames: Int
  /// How many frames the new body fills at most, however late it says it is.
  let mostFill: Int
  /// Frames that both have run, and how many of them before the fade; −1 until it begins.
  private var position = 0, filled = -1

  init(to body: PluginBody) {
    next = body.runtime.pointee
    longest = body.layout.longestBlock
    channelCount = body.outputChannelCount
    kept = body.memory.floats(channelCount * longest)
    fadeFrames = max(Int(body.layout.sampleRate * 0.005), 1)
    mostFill = Int(body.layout.sampleRate * 2)
  }

  /// Runs both over a block.
  ///
  /// - Returns: whether only the new body is heard from now on.
  @_noLocks @_noAllocation mutating func run(_ block: Block, from old: UnsafeMutablePointer<PluginRuntime>)
    -> Bool
  {
    // As late as it says it is, it has nothing to tell.
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

  /// Puts the new runtime in the place of the old one, where parameters and latency go on as they were.
  @_noLocks @_noAllocation mutating func finish(_ old: UnsafeMutablePointer<PluginRuntime>) {
    next.takeControls(from: UnsafePointer(old))
    next.passesEvents = true
    // A new latency is told to the graph after the next block.
    next.statedLatency = old.pointee.statedLatency
    next.unstatedFrames = PluginRuntime.rehearsalLength
    old.pointee = next
  }

  /// Keeps what the old body has played, or mixes it with what the new one has.
  @_noLocks @_noAllocation private func eachChannel(_ block: Block, isMixing: Bool) {
    let count = min(block.frameCount, longest)
    var channel = 0
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for place in 0..<output.channelCount where channel < channelCount {
        let past = kept + channel * longest
        if isMixing {
          mix(past, with: output[place], count)
        } else {
          rt_copy_bytes(past, output[place].unsafeBase, count * 4)
        }
        channel += 1
      }
    }
  }

  @_noLocks @_noAllocation private func mix(
    _ past: UnsafeMutablePointer<Float>, with samples: MutableSamples, _ count: Int
  ) {
    for frame in 0..<count {
      // The two correlate: a fade of equal gain.
      let done = filled < 0 ? 0 : min(Float(position - filled + frame + 1) / Float(fadeFrames), 1)
      samples[frame] = past[frame] + (samples[frame] - past[frame]) * done
    }
  }
}
