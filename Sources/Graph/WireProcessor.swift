// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization

@_noLocks @_noAllocation func quarterCosine(_ x: Float) -> Float { rt_cos(min(x, 1) * (.pi / 2)) }

/// A wire that does more than join two buses: gain, pan, delay, other channels, or a fade.
///
/// The plan says where it heads (`level`, `pan`, `delay`); the wire glides there in 5 ms from where it is, so that
/// a new plan never clicks. A changed delay crossfades between two read points, once the past reaches that far.
@safe final class WireProcessor: Processor, @unchecked Sendable {
  /// What only the audio thread touches once the wire is in a plan.
  private struct State: BitwiseCopyable {
    var level: Ramp
    var pan: Ramp
    var delay: Int
    var nextDelay: Int
    /// From 0 (the old read point) to 1 (the new one).
    var fade = Ramp(1)
    /// The first frame it ever saw; nothing older can be read.
    var birth: Int64?
  }

  private let state: UnsafeMutablePointer<State>
  private let scratch: UnsafeMutablePointer<Float>
  private let history: HistoryLine?
  private let fadeFrames: Int
  /// The longest delay the wire can be asked for.
  let longestDelay: Int
  /// 1 while the wire changes nothing, and could as well not be there.
  private let transparent: Atomic<Int>
  /// The gain that the wire has reached, as the bits of a float.
  private let reached: Atomic<UInt32>

  /// A wire that is at `level`, `pan` and `delay` already.
  init(
    channels: Int, level: Float, pan: Float = 0, delay: Int = 0, longestDelay: Int, fadeFrames: Int,
    longestBlock: Int
  ) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: State(level: Ramp(level), pan: Ramp(pan), delay: delay, nextDelay: delay))
    unsafe scratch = .allocate(capacity: longestBlock)
    unsafe scratch.initialize(repeating: 0, count: longestBlock)
    self.longestDelay = longestDelay
    history =
      longestDelay > 0
      ? HistoryLine(channelCount: channels, longestDelay: longestDelay, longestBlock: longestBlock) : nil
    self.fadeFrames = fadeFrames
    transparent = Atomic(level == 1 && pan == 0 && delay == 0 ? 1 : 0)
    reached = Atomic(level.bitPattern)
    super.init()
  }

  deinit {
    unsafe state.deallocate()
    unsafe scratch.deallocate()
  }

  /// Whether the wire could as well not be there. Any thread.
  var isTransparent: Bool { transparent.load(ordering: .acquiring) == 1 }
  /// The factor that the wire has reached. Any thread.
  var level: Float { Float(bitPattern: reached.load(ordering: .relaxed)) }

  /// Carries a block towards its targets. Audio thread.
  @_noLocks @_noAllocation
  func run(_ block: Block, level: Float, pan: Float, delay: Int, isAdding: Bool) {
    aim(level: level, pan: pan, delay: delay, at: block.frame)
    let source = block.input(), destination = block.output()
    if history != nil {
      for channel in 0..<source.channelCount {
        remember(source[channel], channel: channel, at: block.frame)
      }
    }
    let isMean = destination.channelCount == 1 && source.channelCount > 1
    let isCopy = source.channelCount == 1
    for channel in 0..<destination.channelCount {
      let side = destination.channelCount == 2 ? channel : -1
      if isMean {
        let share = 1 / Float(source.channelCount)
        for part in 0..<source.channelCount {
          mix(
            past(source[part], channel: part, at: block.frame), into: destination[channel], share: share,
            side: side, isAdding: isAdding || part > 0)
        }
      } else if isCopy || channel < source.channelCount {
        let part = isCopy ? 0 : channel
        mix(
          past(source[part], channel: part, at: block.frame), into: destination[channel], share: 1,
          side: side, isAdding: isAdding)
      } else if !isAdding {
        destination[channel].clear()
      }
    }
    settle(block.frameCount)
  }

  @_noLocks @_noAllocation private func aim(level: Float, pan: Float, delay: Int, at frame: Int64) {
    if unsafe state.pointee.birth == nil { unsafe state.pointee.birth = frame }
    if unsafe state.pointee.level.target != level {
      unsafe state.pointee.level.glide(to: level, over: fadeFrames)
    }
    if unsafe state.pointee.pan.target != pan {
      unsafe state.pointee.pan.glide(to: pan, over: fadeFrames)
    }
    let isIdle = unsafe !state.pointee.fade.isMoving
    guard isIdle, unsafe state.pointee.delay != delay, delay <= longestDelay else { return }
    let age = unsafe frame - (state.pointee.birth ?? frame)
    guard age >= Int64(delay) else { return }
    unsafe state.pointee.nextDelay = delay
    unsafe state.pointee.fade = Ramp(0)
    unsafe state.pointee.fade.glide(to: 1, over: fadeFrames)
  }

  @_noLocks @_noAllocation private func remember(_ samples: Samples, channel: Int, at frame: Int64) {
    guard history != nil else { return }
    history?.write(samples, channel: channel, at: frame)
  }

  /// One source channel as late as the wire is: the samples themselves, or what the past holds.
  @_noLocks @_noAllocation private func past(_ samples: Samples, channel: Int, at frame: Int64) -> Samples {
    let delay = unsafe state.pointee.delay, next = unsafe state.pointee.nextDelay
    guard history != nil, delay > 0 || next > 0 else { return samples }
    var fade = unsafe state.pointee.fade
    for index in 0..<samples.count {
      let now = frame + Int64(index)
      let near = history?.sample(channel: channel, at: now - Int64(delay)) ?? 0
      let x = fade.next()
      let far = delay == next ? near : history?.sample(channel: channel, at: now - Int64(next)) ?? 0
      unsafe scratch[index] = near + (far - near) * x
    }
    return unsafe Samples(scratch, count: samples.count)
  }

  @_noLocks @_noAllocation private func mix(
    _ source: Samples, into destination: MutableSamples, share: Float, side: Int, isAdding: Bool
  ) {
    var level = unsafe state.pointee.level, pan = unsafe state.pointee.pan
    guard level.isMoving || pan.isMoving else {
      let factor = level.target * share * (side < 0 ? 1 : balance(pan.target, isRight: side == 1))
      if isAdding {
        for frame in 0..<destination.count { destination[frame] += source[frame] * factor }
      } else {
        for frame in 0..<destination.count { destination[frame] = source[frame] * factor }
      }
      return
    }
    for frame in 0..<destination.count {
      let x = pan.next()
      let factor = level.next() * share * (side < 0 ? 1 : balance(x, isRight: side == 1))
      destination[frame] = source[frame] * factor + (isAdding ? destination[frame] : 0)
    }
  }

  @_noLocks @_noAllocation private func settle(_ frames: Int) {
    unsafe state.pointee.level.skip(frames)
    unsafe state.pointee.pan.skip(frames)
    if unsafe state.pointee.fade.isMoving {
      unsafe state.pointee.fade.skip(frames)
      if unsafe !state.pointee.fade.isMoving {
        unsafe state.pointee.delay = unsafe state.pointee.nextDelay
      }
    }
    let now = unsafe state.pointee
    let isPlain = !now.level.isMoving && !now.pan.isMoving && now.level.target == 1 && now.pan.target == 0
    let isPrompt = !now.fade.isMoving && now.delay == 0
    transparent.store(isPlain && isPrompt ? 1 : 0, ordering: .releasing)
    reached.store(now.level.value.bitPattern, ordering: .relaxed)
  }
}
