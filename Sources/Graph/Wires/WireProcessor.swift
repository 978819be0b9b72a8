// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// A wire that does more than join two buses: gain, pan, mute, delay, other channels, or a fade.
///
/// The plan says where it heads, as a ``Graph/WirePlace``; the wire glides there in 5 ms, or as long as the plan
/// says, from where it is, so that a new plan never clicks. A changed delay crossfades between two read
/// points, once the past reaches that far.
@safe final class WireProcessor: Processor, Heir, @unchecked Sendable {
  /// What only the audio thread touches once the wire is in a plan.
  private struct State: BitwiseCopyable {
    var fader: WireFader
    var head: ReadHead
    var isFirst = true
    /// Where the fader was when a cycle began in which it moves, and which cycle that was: its sends may join it in
    /// any order.
    var opening: WireFader, openedAt = Int64.min
  }

  private let state: UnsafeMutablePointer<State>
  /// Room for a block of the past; none where the wire has no memory.
  private let scratch: UnsafeMutablePointer<Float>
  /// What it remembers; nothing where it is never late.
  private let history: HistoryLine
  private let fadeFrames: Int
  /// Whether the sound comes from one channel, however wide a fader before the wire has made it.
  private let isMono: Bool
  /// The longest delay the wire can be asked for.
  let longestDelay: Int
  /// 1 while the wire changes nothing, and could as well not be there.
  private let transparent: Atomic<Int>
  /// The wire with less memory whose place this one takes, until this one is heard.
  private var before: WireProcessor?
  /// Of a new send, the strip whose fade it joins, until this one is heard.
  private var strip: WireProcessor?
  /// By how much the send itself changes what comes from its strip, and whether the strip's fader does not count.
  private let stripTrim: Float, isPreFader: Bool
  private let beginning: Beginning
  private let stripPlace: UnsafeMutablePointer<Beginning.Place>?
  /// Where plans want the wire. Control thread.
  var request: Request<WirePlace>

  /// A wire that is at `start` already, or that goes on where `before` is by then.
  ///
  /// - Parameters:
  ///   - width: the channels of its end: a fader that comes later makes one channel as many.
  ///   - strip: of a send, what carries its strip: it starts wherever a fade of the strip is by then.
  ///   - send: the send itself.
  init(
    channels: Int, into width: Int, start: WirePlace, longestDelay: Int, fadeFrames: Int, longestBlock: Int,
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
    beginning = unsafe Beginning(state, history.view, after: before?.beginning.place, joins: strip != nil)
    unsafe stripPlace = strip?.beginning.place
    request = before?.request ?? Request(start, generation: generation)
    super.init()
  }

  var hasBegun: Bool { beginning.isDone }
  func forgetBefore() { (before, strip) = (nil, nil) }

  deinit {
    unsafe state.deallocate()
    unsafe scratch.deallocate()
  }

  /// The longest delay to have room for where `delay` is asked: it may grow without a new wire.
  static func room(for delay: Int) -> Int { delay > 0 ? max(2 * delay, 1 << 14) : 0 }

  /// Whether the wire could as well not be there. Any thread.
  var isTransparent: Bool { transparent.load(ordering: .acquiring) == 1 }

  /// Carries a block towards where the plan wants the wire. Audio thread.
  @_noLocks @_noAllocation
  func run(_ block: Block, to place: WirePlace, isAdding: Bool) {
    if unsafe state.pointee.isFirst { begin(at: block.frame, heading: place) }
    aim(at: place)
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

  /// Goes on from the wire before, if there is one: from where it is now, not
  /// where it was when this one was made.
  @_noLocks @_noAllocation private func begin(at frame: Int64, heading place: WirePlace) {
    if let origin = unsafe beginning.origin {
      unsafe state.pointee = origin.state.assumingMemoryBound(to: State.self).pointee
      // What is read by now; a longer delay waits until the past has grown, as the sound does that it waits for.
      let reach = unsafe state.pointee.head.reach
      unsafe history.take(over: origin.history, before: state.pointee.head.position, atMost: reach)
      // What the wire before did not remember cannot be read.
      unsafe state.pointee.head.forget(beyond: min(origin.history.reach, reach))
    }
    if let stripPlace = unsafe stripPlace {
      let strip = unsafe Beginning.heard(from: stripPlace).state.assumingMemoryBound(to: State.self)
      // Where the strip has had its turn in this cycle, it is asked where it was before.
      let fader = unsafe strip.pointee.openedAt == frame ? strip.pointee.opening : strip.pointee.fader
      unsafe state.pointee.fader.join(fader, isPreFader: isPreFader, trim: stripTrim, heading: place.lead)
    }
    unsafe state.pointee.isFirst = false
    beginning.finish()
  }

  @_noLocks @_noAllocation private func aim(at place: WirePlace) {
    // A silent wire stays so until its delay is full: else its fade would be over before its sound begins.
    let isFull = unsafe state.pointee.head.reaches(state.pointee.head.delay)
    let isWaiting = isFull ? false : unsafe state.pointee.fader.isSilent
    unsafe state.pointee.fader.aim(at: place, isWaiting: isWaiting, fadeFrames: fadeFrames)
    if place.delay <= longestDelay {
      unsafe state.pointee.head.aim(at: Int(place.delay), over: fadeFrames)
    }
  }

  /// One source channel as late as the wire is: the samples themselves, or what the past holds.
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
