// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// The delay line of a feedback wire: its source writes, its destination reads what was written `delay` frames ago.
///
/// A plan has two steps for it, one that writes and one that reads. Slices are never longer than the delay, so the
/// frames that are read have been written.
@safe final class FeedbackLine: Processor, SuccessorProcessor, @unchecked Sendable {
  private struct State: BitwiseCopyable {
    var head: ReadHead
    /// The number of frames written. It differs from the number read by up to one slice, depending on the order of
    /// the two steps.
    var written: Int64 = 0
    var isFirst = true
  }
  private let state: UnsafeMutablePointer<State>
  private let history: HistoryLine
  private let fadeFrames: Int
  /// The longest delay of this line, in frames.
  var longestDelay: Int { history.longestDelay }
  /// 1 while the line reads at a single delay, the one that the plan requests.
  private let resting = Atomic(1)
  /// The line with a shorter history that this one replaces, retained until this one has run.
  private var before: FeedbackLine?
  private let beginning: InheritedState
  /// The delay that plans request, and the shortest delay that may still be in use. Control threads only.
  private var request: Request<Int>
  private var floor: Int

  /// Creates a line that is silent for the first `delay` frames, or that continues from the state of `before`.
  init(
    channels: Int, delay: Int, fadeFrames: Int, longestBlock: Int, generation: Int,
    continuing before: FeedbackLine? = nil
  ) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(head: ReadHead(delay: delay, isSilentBefore: true)))
    history = HistoryLine(channelCount: channels, longestDelay: delay, longestBlock: longestBlock)
    self.fadeFrames = fadeFrames
    self.before = before
    beginning = unsafe InheritedState(state, history.view, after: before?.beginning.shared)
    request = before?.request ?? Request(delay, generation: generation)
    floor = before?.floor ?? delay
    super.init()
  }

  var hasBegun: Bool { beginning.isDone }
  func releasePredecessor() { before = nil }

  deinit { unsafe state.deallocate() }

  /// Requests a delay, and returns the maximum slice length until the line has certainly reached it. Control threads
  /// only.
  func slice(for delay: Int, generation: Int, adopted: Int) -> Int {
    request.ask(delay, generation: generation)
    let hasArrived = request.isCertain(adopted: adopted) && resting.load(ordering: .acquiring) == 1
    floor = hasArrived ? delay : min(floor, delay)
    return floor
  }

  /// Writes a block. Audio thread only.
  @_noLocks @_noAllocation func write(_ block: Block) {
    if unsafe state.pointee.isFirst { begin() }
    let bus = block.input(), now = unsafe state.pointee.written
    for channel in 0..<bus.channelCount { history.write(bus[channel], channel: channel, at: now) }
    unsafe state.pointee.written += Int64(block.frameCount)
  }

  /// Reads the frames that were written `delay` frames ago. Audio thread only.
  @_noLocks @_noAllocation func read(_ block: Block, delay: Int) {
    if unsafe state.pointee.isFirst { begin() }
    if delay <= longestDelay { unsafe state.pointee.head.aim(at: delay, over: fadeFrames) }
    let bus = block.output(), head = unsafe state.pointee.head
    for channel in 0..<bus.channelCount {
      unsafe head.read(history, channel: channel, into: bus[channel].unsafeBase, count: block.frameCount)
    }
    unsafe state.pointee.head.skip(block.frameCount)
    let reached = unsafe state.pointee.head
    resting.store(reached.isMoving || reached.delay != delay ? 0 : 1, ordering: .releasing)
  }

  @_noLocks @_noAllocation private func begin() {
    if let origin = unsafe beginning.origin {
      unsafe state.pointee = origin.state.assumingMemoryBound(to: State.self).pointee
      unsafe history.take(over: origin.history, before: state.pointee.written)
      unsafe state.pointee.head.discard(beyond: origin.history.reach)
    }
    unsafe state.pointee.isFirst = false
    beginning.finish()
  }
}
