// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// Crossfades a node's output to its input and back in 5 ms, with the input as late as the node makes it.
///
/// The node runs on while it is bypassed, so its state stays warm. The two signals correlate, so the crossfade is
/// of equal gain. Input bus 0 is the dry sound, bus 1 the wet; the output takes the place of the wet.
@safe final class BypassFader: Processor, @unchecked Sendable {
  private struct State: BitwiseCopyable {
    var mix: Ramp
    var birth: Int64?
  }
  private let state: UnsafeMutablePointer<State>
  private let history: HistoryLine
  private let fadeFrames: Int
  private let open: Atomic<Int>

  /// A fader that starts bypassed or not.
  init(channels: Int, isBypassed: Bool, longestDelay: Int, fadeFrames: Int, longestBlock: Int) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(mix: Ramp(isBypassed ? 1 : 0)))
    history = HistoryLine(channelCount: channels, longestDelay: longestDelay, longestBlock: longestBlock)
    self.fadeFrames = fadeFrames
    open = Atomic(isBypassed ? 0 : 1)
    super.init()
  }

  deinit { unsafe state.deallocate() }

  /// Whether all sound goes through the node, so that the fader need not be there. Any thread.
  var isOpen: Bool { open.load(ordering: .acquiring) == 1 }

  /// The longest delay the dry sound can have.
  var longestDelay: Int { history.longestDelay }

  /// Carries a block towards the dry (`target` 1) or the wet sound (0). Audio thread.
  @_noLocks @_noAllocation func run(_ block: Block, target: Float, delay: Int) {
    let dry = block.input(bus: 0), wet = block.output()
    for channel in 0..<dry.channelCount { history.write(dry[channel], channel: channel, at: block.frame) }
    if unsafe state.pointee.birth == nil { unsafe state.pointee.birth = block.frame }
    let age = unsafe block.frame - (state.pointee.birth ?? 0)
    // A fader that starts dry has nothing older to wait for; one that turns dry waits until the past is there.
    if unsafe state.pointee.mix.target != target, target == 0 || age >= Int64(delay) {
      unsafe state.pointee.mix.glide(to: target, over: fadeFrames)
    }
    for channel in 0..<wet.channelCount {
      var mix = unsafe state.pointee.mix
      let samples = wet[channel]
      for frame in 0..<block.frameCount {
        let x = mix.next()
        let past = original(channel, of: dry.channelCount, to: wet.channelCount, at: block.frame + Int64(frame - delay))
        samples[frame] = x == 1 ? past : samples[frame] + (past - samples[frame]) * x
      }
    }
    unsafe state.pointee.mix.skip(block.frameCount)
    let mix = unsafe state.pointee.mix
    let isOpen = !mix.isMoving && mix.target == 0
    open.store(isOpen ? 1 : 0, ordering: .releasing)
  }

  /// The dry sound of one channel, by the channel rule.
  @_noLocks @_noAllocation private func original(
    _ channel: Int, of count: Int, to wanted: Int, at frame: Int64
  ) -> Float {
    if count == 1 { return history.sample(channel: 0, at: frame) }
    if wanted > 1 { return channel < count ? history.sample(channel: channel, at: frame) : 0 }
    var sum: Float = 0
    for part in 0..<count { sum += history.sample(channel: part, at: frame) }
    return sum / Float(max(count, 1))
  }
}
