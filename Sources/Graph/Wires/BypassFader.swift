// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization

/// Crossfades a node's output to its input and back in 5 ms. The input is delayed by the node's latency.
///
/// The node keeps running while it is bypassed, so its state stays current. The two signals are correlated, so the
/// crossfade has equal gain. Input bus 0 is the dry signal, bus 1 the wet; the output replaces the wet signal.
@safe final class BypassFader: Processor, SuccessorProcessor, @unchecked Sendable {
  private struct State: BitwiseCopyable {
    var mix: Ramp
    var head: ReadHead
    var isFirst = true
  }
  private let state: UnsafeMutablePointer<State>
  private let scratch: UnsafeMutablePointer<Float>
  private let history: HistoryLine
  private let fadeFrames: Int
  private let open: Atomic<Int>
  /// The fader with a shorter history that this one replaces, retained until this one has run.
  private var before: BypassFader?
  private let beginning: InheritedState
  /// Whether plans bypass the node. Control threads only.
  var request: Request<Bool>

  /// Creates a fader that starts bypassed or not, or that continues from the state of `before`.
  init(
    channels: Int, isBypassed: Bool, delay: Int, longestDelay: Int, fadeFrames: Int, longestBlock: Int,
    generation: Int, continuing before: BypassFader? = nil
  ) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(mix: Ramp(isBypassed ? 1 : 0), head: ReadHead(delay: delay)))
    unsafe scratch = .allocate(capacity: longestBlock)
    unsafe scratch.initialize(repeating: 0, count: longestBlock)
    history = HistoryLine(channelCount: channels, longestDelay: longestDelay, longestBlock: longestBlock)
    self.fadeFrames = fadeFrames
    open = Atomic(isBypassed || before != nil ? 0 : 1)
    self.before = before
    beginning = unsafe InheritedState(state, history.view, after: before?.beginning.shared)
    request = before?.request ?? Request(isBypassed, generation: generation)
    super.init()
  }

  var hasBegun: Bool { beginning.isDone }
  func releasePredecessor() { before = nil }

  deinit {
    unsafe state.deallocate()
    unsafe scratch.deallocate()
  }

  /// Whether all sound passes through the node, so that the fader is not needed. Any thread.
  var isOpen: Bool { open.load(ordering: .acquiring) == 1 }

  /// The longest delay of the dry signal, in frames.
  var longestDelay: Int { history.longestDelay }

  /// Processes a block, fading to the dry (`target` 1) or the wet signal (0). Audio thread only.
  @_noLocks @_noAllocation func run(_ block: Block, target: Float, delay: Int) {
    if unsafe state.pointee.isFirst { begin() }
    let dry = block.input(bus: 0), wet = block.output()
    let now = unsafe state.pointee.head.position
    for channel in 0..<dry.channelCount { history.write(dry[channel], channel: channel, at: now) }
    if delay <= longestDelay { unsafe state.pointee.head.aim(at: delay, over: fadeFrames) }
    let head = unsafe state.pointee.head
    // A fade to dry waits until the history is long enough for the delay. While only the wet signal is heard, this is
    // inaudible.
    let isReady = target == 0 || head.reaches(delay)
    if unsafe state.pointee.mix.target != target, isReady {
      unsafe state.pointee.mix.glide(to: target, over: -fadeFrames)
    }
    let mix = unsafe state.pointee.mix
    if mix.isMoving || mix.target != 0 {
      for channel in 0..<wet.channelCount {
        original(channel, of: dry.channelCount, to: wet.channelCount, block.frameCount)
        var mix = mix
        let samples = wet[channel]
        for frame in 0..<block.frameCount {
          let x = mix.next(), past = unsafe scratch[frame]
          samples[frame] = x == 1 ? past : samples[frame] + (past - samples[frame]) * x
        }
      }
    }
    unsafe state.pointee.mix.skip(block.frameCount)
    unsafe state.pointee.head.skip(block.frameCount)
    let reached = unsafe state.pointee.mix
    open.store(!reached.isMoving && reached.target == 0 ? 1 : 0, ordering: .releasing)
  }

  @_noLocks @_noAllocation private func begin() {
    if let origin = unsafe beginning.origin {
      unsafe state.pointee = origin.state.assumingMemoryBound(to: State.self).pointee
      // Copy only what is read now. A longer delay waits until the history has grown.
      let reach = unsafe state.pointee.head.reach
      unsafe history.take(over: origin.history, before: state.pointee.head.position, atMost: reach)
      unsafe state.pointee.head.discard(beyond: min(origin.history.reach, reach))
    }
    unsafe state.pointee.isFirst = false
    beginning.finish()
  }

  /// Reads one channel of the dry signal into `scratch`, by the channel rule.
  @_noLocks @_noAllocation private func original(_ channel: Int, of count: Int, to wanted: Int, _ frames: Int)
  {
    let head = unsafe state.pointee.head
    if wanted == 1, count > 1 {
      // The mean of all channels, computed frame by frame: mono outputs of stereo inputs are rare, and rarely bypassed.
      for frame in 0..<frames {
        var sum: Float = 0
        for part in 0..<count { sum += head.sample(history, channel: part, frame) }
        unsafe scratch[frame] = sum / Float(count)
      }
    } else if count == 1 || channel < count {
      unsafe head.read(history, channel: count == 1 ? 0 : channel, into: scratch, count: frames)
    } else {
      unsafe rt_clear_floats(scratch, frames)
    }
  }
}
