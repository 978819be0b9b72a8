// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The way past a unit, as late as the unit makes its sound: what is heard while `enabled` is off.
///
/// Crossfades in 5 ms. The unit works on meanwhile, so its state is warm when it comes back. The two signals
/// correlate, so the crossfade is of equal gain.
@safe struct DryPath: ~Copyable {
  private let lines: UnsafeMutablePointer<DelayLine>
  private let lineCount: Int
  private let longestLatency: Int
  private let past: UnsafeMutablePointer<Float>, next: UnsafeMutablePointer<Float>
  private let fadeFrames: Int
  /// From 0, all from the unit, to 1, all from here.
  private var mix = Ramp(0)
  /// The latency that is heard, the one that is faded to, and the way there.
  private var latency = 0, newLatency = 0, change = Ramp(1)

  /// A way for `channelCount` channels past a unit that is never later than `longestLatency` frames.
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

  /// Forgets all sound.
  @_noLocks @_noAllocation mutating func reset() {
    for channel in 0..<lineCount { unsafe lines[channel].clear() }
  }

  /// Is heard or not from the first frame on, at the latency that the unit starts with.
  @_noLocks @_noAllocation mutating func start(isOpen: Bool, latency wanted: Int) {
    mix = Ramp(isOpen ? 1 : 0)
    change = Ramp(1)
    latency = min(wanted, longestLatency)
    newLatency = latency
  }

  /// Heads for the sound from here or from the unit, in 5 ms.
  @_noLocks @_noAllocation mutating func open(_ isOpen: Bool) {
    let target: Float = isOpen ? 1 : 0
    if mix.target != target { mix.glide(to: target, over: fadeFrames) }
  }

  /// Keeps what comes in by a channel, before the unit may write over it.
  @_noLocks @_noAllocation mutating func keep(_ samples: Samples, channel: Int) {
    unsafe lines[channel].write(samples.unsafeBase, count: samples.count)
  }

  /// Blends a block that the unit has worked on, and whose input was kept.
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

  /// Another latency crossfades, too, where it is heard.
  @_noLocks @_noAllocation private mutating func aim(at wanted: Int) {
    guard !change.isMoving, wanted != latency else { return }
    newLatency = wanted
    if mix.isMoving || mix.target != 0 {
      change = Ramp(0)
      change.glide(to: 1, over: fadeFrames)
    } else {
      latency = wanted
    }
  }

  /// What came in, for one channel of the output: a mono input serves all, and a wide one is averaged for a mono
  /// output.
  @_noLocks @_noAllocation private func original(_ channel: Int, of count: Int, _ frames: Int) {
    guard lineCount > 0, lineCount == 1 || count == 1 || channel < lineCount else {
      unsafe rt_clear_floats(past, frames)
      return
    }
    guard count == 1, lineCount > 1 else { return read(lineCount == 1 ? 0 : channel, frames) }
    read(0, frames)
    // The mean, in the scratch that a fade of latencies would need: a rare unit fades without one.
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
