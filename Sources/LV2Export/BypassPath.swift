// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The bypass path: the effect's input, delayed by the effect's latency, heard while `enabled` is off.
///
/// Crossfades in 5 ms. The effect continues to process, so that its state is current when it is enabled again. The
/// crossfade is linear, since the two signals are correlated.
@safe struct BypassPath: ~Copyable {
  private let lines: UnsafeMutablePointer<DelayLine>
  private let lineCount: Int
  private let longestLatency: Int
  private let past: UnsafeMutablePointer<Float>, next: UnsafeMutablePointer<Float>
  private let fadeFrames: Int
  /// The mix: 0 is only the effect, 1 only the bypass.
  private var mix = Ramp(0)
  /// The current latency, the new one, and the crossfade between them.
  private var latency = 0, newLatency = 0, change = Ramp(1)

  /// Creates a path for `channelCount` channels and a latency of at most `longestLatency` frames.
  init(channelCount: Int, longestLatency: Int, longestBlock: Int, sampleRate: Double) {
    lineCount = channelCount
    self.longestLatency = longestLatency
    unsafe lines = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(to: DelayLine(longest: longestLatency + longestBlock))
    }
    unsafe past = .allocate(capacity: 2 * longestBlock)
    unsafe past.initialize(repeating: 0, count: 2 * longestBlock)
    unsafe next = unsafe past + longestBlock
    fadeFrames = max(1, Int(sampleRate * 0.005))
  }

  deinit {
    unsafe lines.deinitialize(count: lineCount)
    unsafe lines.deallocate()
    unsafe past.deallocate()
  }

  /// Clears all past sound.
  @_noLocks @_noAllocation mutating func reset() {
    for channel in 0..<lineCount { unsafe lines[channel].clear() }
  }

  /// Sets the initial state, without a crossfade, and the effect's initial latency.
  @_noLocks @_noAllocation mutating func start(isOpen: Bool, latency wanted: Int) {
    mix = Ramp(isOpen ? 1 : 0)
    change = Ramp(1)
    latency = min(wanted, longestLatency)
    newLatency = latency
  }

  /// Crossfades to the bypass or to the effect, in 5 ms.
  @_noLocks @_noAllocation mutating func open(_ isOpen: Bool) {
    let target: Float = isOpen ? 1 : 0
    if mix.target != target { mix.glide(to: target, over: -fadeFrames) }
  }

  /// Stores a channel's input, before the effect may overwrite it.
  @_noLocks @_noAllocation mutating func keep(_ samples: Samples, channel: Int) {
    unsafe lines[channel].write(samples.unsafeBase, count: samples.count)
  }

  /// Mixes the stored input into a block that the effect has processed.
  @_noLocks @_noAllocation mutating func blend(_ output: OutputBus, latency wanted: Int) {
    let frames = output.frameCount
    aim(at: min(wanted, longestLatency))
    if mix.isMoving || mix.target != 0 {
      for channel in 0..<output.channelCount {
        original(channel, of: output.channelCount, frames)
        let wet = output[channel]
        for frame in 0..<frames {
          let share = mix.value(after: frame + 1), dry = unsafe past[frame]
          wet[frame] = share == 1 ? dry : wet[frame] + (dry - wet[frame]) * share
        }
      }
    }
    mix.skip(frames)
    change.skip(frames)
    if !change.isMoving { latency = newLatency }
  }

  /// Changes the latency, with a crossfade if the bypass is audible.
  @_noLocks @_noAllocation private mutating func aim(at wanted: Int) {
    guard !change.isMoving, wanted != latency else { return }
    newLatency = wanted
    if mix.isMoving || mix.target != 0 {
      change = Ramp(0)
      change.glide(to: 1, over: -fadeFrames)
    } else {
      latency = wanted
    }
  }

  /// Reads the input for one output channel. A mono input serves all channels; several input channels are averaged for
  /// a mono output.
  @_noLocks @_noAllocation private func original(_ channel: Int, of count: Int, _ frames: Int) {
    guard lineCount > 0, lineCount == 1 || count == 1 || channel < lineCount else {
      unsafe rt_clear_floats(past, frames)
      return
    }
    guard count == 1, lineCount > 1 else { return read(lineCount == 1 ? 0 : channel, frames) }
    read(0, frames)
    // The mean uses the buffer of the latency crossfade, so in this rare case the latency changes without one.
    for line in 1..<lineCount {
      unsafe lines[line].read(next, delay: latency + frames, count: frames)
      for frame in 0..<frames { unsafe past[frame] += next[frame] }
    }
    for frame in 0..<frames { unsafe past[frame] /= Float(lineCount) }
  }

  @_noLocks @_noAllocation private func read(_ line: Int, _ frames: Int) {
    unsafe lines[line].read(past, delay: latency + frames, count: frames)
    guard change.isMoving else { return }
    unsafe lines[line].read(next, delay: newLatency + frames, count: frames)
    for frame in 0..<frames {
      unsafe past[frame] += (next[frame] - past[frame]) * change.value(after: frame + 1)
    }
  }
}
