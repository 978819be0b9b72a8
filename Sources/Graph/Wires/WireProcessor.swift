// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// A wire that does more than join two buses: gain, pan, mute, delay, a change of channels, or a fade.
///
/// The plan states the targets as a ``StripTargets``. The wire glides there from its current values in 5 ms, or as long
/// as the plan states, so a new plan never clicks. A changed delay crossfades between two read positions, once the
/// history is long enough.
@safe final class WireProcessor: Processor, SuccessorProcessor, @unchecked Sendable {
  /// State that only the audio thread uses once the wire is in a plan.
  private struct State: BitwiseCopyable {
    var fader: WireFader
    var head: ReadHead
    var isFirst = true
    /// The fader at the start of a cycle in which it moves, and that cycle's frame: the sends may join it in any order.
    var opening: WireFader, openedAt = Int64.min
  }

  private let state: UnsafeMutablePointer<State>
  /// A block of delayed samples; unused if the wire has no history.
  private let scratch: UnsafeMutablePointer<Float>
  /// The history for delays; empty if the wire has no delay.
  private let history: HistoryLine
  private let fadeFrames: Int
  /// Whether the source is mono, even if a fader before the wire has made it stereo.
  private let isMono: Bool
  /// The longest delay of this wire, in frames.
  let longestDelay: Int
  /// 1 while the wire changes nothing and is not needed.
  private let transparent: Atomic<Int>
  /// The wire with a shorter history that this one replaces, retained until this one has run.
  private var before: WireProcessor?
  /// For a new send, the strip whose fade it joins, retained until this one has run.
  private var strip: WireProcessor?
  /// The send's own trim as a factor, and whether it ignores the strip's fader.
  private let stripTrim: Float, isPreFader: Bool
  private let beginning: InheritedState
  private let stripState: UnsafeMutablePointer<InheritedState.Shared>?
  /// The targets that plans request. Control threads only.
  var request: Request<StripTargets>

  /// Creates a wire that is at `start`, or that continues from the state of `before`.
  ///
  /// - Parameters:
  ///   - width: the destination's channels: a fader that is added later widens a mono source to as many.
  ///   - strip: for a send, the processor of its strip: the send starts at the current point of a fade of the strip.
  ///   - send: the send itself.
  init(
    channels: Int, into width: Int, start: StripTargets, longestDelay: Int, fadeFrames: Int,
    longestBlock: Int,
    generation: Int,
    continuing before: WireProcessor? = nil, joining strip: WireProcessor? = nil, send: Graph.Wire? = nil
  ) {
    let fader = WireFader(at: start)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: State(fader: fader, head: ReadHead(delay: Int(start.delay)), opening: fader))
    self.longestDelay = longestDelay
    unsafe scratch = .allocate(capacity: longestDelay > 0 ? longestBlock : 1)
    unsafe scratch.initialize(repeating: 0, count: longestDelay > 0 ? longestBlock : 1)
    history = HistoryLine(
      channelCount: longestDelay > 0 ? (channels == 1 ? max(width, 1) : channels) : 0,
      longestDelay: longestDelay, longestBlock: longestBlock)
    self.fadeFrames = fadeFrames
    isMono = channels == 1
    transparent = Atomic(start.isPlain && before == nil && strip == nil ? 1 : 0)
    self.before = before
    self.strip = strip
    stripTrim = send.map { Graph.Wire.factor($0.trim) } ?? 1
    isPreFader = send?.isPreFader ?? false
    beginning = unsafe InheritedState(
      state, history.view, after: before?.beginning.shared, joins: strip != nil)
    unsafe stripState = strip?.beginning.shared
    request = before?.request ?? Request(start, generation: generation)
    super.init()
  }

  var hasBegun: Bool { beginning.isDone }
  func releasePredecessor() { (before, strip) = (nil, nil) }

  deinit {
    unsafe state.deallocate()
    unsafe scratch.deallocate()
  }

  /// Returns the longest delay to allocate for a requested `delay`, so that it can grow without a new wire.
  static func allocatedDelay(for delay: Int) -> Int { delay > 0 ? max(2 * delay, 1 << 14) : 0 }

  /// Whether the wire is not needed. Any thread.
  var isTransparent: Bool { transparent.load(ordering: .acquiring) == 1 }

  /// Processes a block, gliding to the plan's targets. Audio thread only.
  @_noLocks @_noAllocation
  func run(_ block: Block, to targets: StripTargets, isAdding: Bool) {
    if unsafe state.pointee.isFirst { begin(at: block.frame, targets: targets) }
    aim(at: targets)
    if block.opensCycle, unsafe state.pointee.fader.isMoving {
      unsafe state.pointee.opening = unsafe state.pointee.fader
      unsafe state.pointee.openedAt = block.frame
    }
    let source = block.input(), destination = block.output()
    let now = unsafe state.pointee.head.position
    let isCopy = source.channelCount == 1
    for channel in 0..<history.channelCount where isCopy || channel < source.channelCount {
      history.write(source[isCopy ? 0 : channel], channel: channel, at: now)
    }
    let isMean = destination.channelCount == 1 && source.channelCount > 1
    for channel in 0..<destination.channelCount {
      let side = WireFader.Side(channel, of: destination.channelCount, isMono: isMono)
      if isMean {
        let share = 1 / Float(source.channelCount)
        for part in 0..<source.channelCount {
          mix(
            past(source[part], channel: part), into: destination[channel], share: share,
            side: side, isAdding: isAdding || part > 0)
        }
      } else if isCopy || channel < source.channelCount {
        let part = isCopy ? 0 : channel
        mix(
          past(source[part], channel: part), into: destination[channel], share: 1,
          side: side, isAdding: isAdding)
      } else if !isAdding {
        destination[channel].clear()
      }
    }
    settle(block.frameCount)
  }

  /// Continues from the replaced wire, if there is one: from its current state, not from that at creation.
  @_noLocks @_noAllocation private func begin(at frame: Int64, targets: StripTargets) {
    if let origin = unsafe beginning.origin {
      unsafe state.pointee = origin.state.assumingMemoryBound(to: State.self).pointee
      // Copy only what is read now. A longer delay waits until the history has grown.
      let reach = unsafe state.pointee.head.reach
      unsafe history.take(over: origin.history, before: state.pointee.head.position, atMost: reach)
      // Frames that the replaced wire did not hold cannot be read.
      unsafe state.pointee.head.discard(beyond: min(origin.history.reach, reach))
    }
    if let stripState = unsafe stripState {
      let strip = unsafe InheritedState.lastState(from: stripState).state.assumingMemoryBound(to: State.self)
      // If the strip has already run in this cycle, use its fader at the cycle's start.
      let fader = unsafe strip.pointee.openedAt == frame ? strip.pointee.opening : strip.pointee.fader
      unsafe state.pointee.fader.join(
        fader, isPreFader: isPreFader, trim: stripTrim, target: targets.preFaderGain)
    }
    unsafe state.pointee.isFirst = false
    beginning.finish()
  }

  @_noLocks @_noAllocation private func aim(at targets: StripTargets) {
    // A silent wire stays silent until its delay is filled; otherwise its fade would end before its sound begins.
    let isFull = unsafe state.pointee.head.reaches(state.pointee.head.delay)
    let isWaiting = isFull ? false : unsafe state.pointee.fader.isSilent
    unsafe state.pointee.fader.aim(at: targets, isWaiting: isWaiting, fadeFrames: fadeFrames)
    if targets.delay <= longestDelay {
      unsafe state.pointee.head.aim(at: Int(targets.delay), over: fadeFrames)
    }
  }

  /// Returns one source channel with the wire's delay: the samples themselves, or delayed ones in `scratch`.
  @_noLocks @_noAllocation private func past(_ samples: Samples, channel: Int) -> Samples {
    let head = unsafe state.pointee.head
    guard channel < history.channelCount, !head.isPrompt else { return samples }
    unsafe head.read(history, channel: channel, into: scratch, count: samples.count)
    return unsafe Samples(scratch, count: samples.count)
  }

  @_noLocks @_noAllocation private func mix(
    _ source: Samples, into destination: MutableSamples, share: Float, side: WireFader.Side, isAdding: Bool
  ) {
    let fader = unsafe state.pointee.fader
    guard fader.isMoving else {
      let factor = fader.factor(side, after: 0) * share
      if isAdding {
        for frame in 0..<destination.count { destination[frame] += source[frame] * factor }
      } else {
        for frame in 0..<destination.count { destination[frame] = source[frame] * factor }
      }
      return
    }
    for frame in 0..<destination.count {
      let factor = fader.factor(side, after: frame + 1) * share
      destination[frame] = source[frame] * factor + (isAdding ? destination[frame] : 0)
    }
  }

  @_noLocks @_noAllocation private func settle(_ frames: Int) {
    unsafe state.pointee.fader.skip(frames)
    unsafe state.pointee.head.skip(frames)
    let isPrompt = unsafe state.pointee.head.isPrompt, isPlain = unsafe state.pointee.fader.isPlain
    transparent.store(isPlain && isPrompt ? 1 : 0, ordering: .releasing)
  }
}
