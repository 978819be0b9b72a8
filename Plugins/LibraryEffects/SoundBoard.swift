// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal
internal import Synchronization

/// What the two sides of a unit share whose sound is worked on aside: sound that goes there, sound that comes
/// back, and what was turned on the way.
@safe struct SoundBoard: ~Copyable {
  /// Where a parameter heads from a frame of the dry ring on.
  struct Turn: BitwiseCopyable {
    var frame: Int
    var parameter: Int
    var value: Float
    /// How many frames it takes.
    var length: Int
  }

  /// Sound on its way there, and sound that is done.
  let dry: FrameRing, wet: FrameRing
  /// What the work hears of a second input, frame by frame with the dry ring; of one channel where there is none.
  let aside: FrameRing
  let turns: RecordRing<Turn>
  /// How often it was to begin anew, from which frame of the dry ring on, and how often it has.
  private let asked = Atomic(0), askedFrame = Atomic(0), begun = Atomic(0)
  /// The frame of the wet ring that the last beginning's first dry frame became.
  private let wetStart = Atomic(0)

  /// A board for a unit of so many channels.
  ///
  /// - Parameters:
  ///   - aside: how many channels of the second input come along.
  ///   - capacity: for how many frames each ring has room.
  init(channelCount: Int, aside: Int = 0, capacity: Int) {
    dry = FrameRing(channelCount: channelCount, capacity: capacity)
    wet = FrameRing(channelCount: channelCount, capacity: capacity)
    self.aside = FrameRing(channelCount: aside, capacity: aside > 0 ? capacity : 1)
    turns = RecordRing(capacity: 1024, filler: Turn(frame: 0, parameter: 0, value: 0, length: 0))
  }

  /// Has a parameter move with the next frame that is written. A thousand turns that nobody has seen yet are
  /// enough. Audio thread.
  @_noLocks @_noAllocation func turn(_ parameter: Int, to value: Float, over length: Int) {
    _ = turns.push(Turn(frame: dry.writePosition, parameter: parameter, value: value, length: length))
  }

  /// Has all begin anew with the next frame that is written. Audio thread.
  @_noLocks @_noAllocation func startAnew() {
    askedFrame.store(dry.writePosition, ordering: .relaxed)
    asked.store(asked.load(ordering: .relaxed) + 1, ordering: .releasing)
  }

  /// The frame of the wet ring at which the sound since the last beginning starts; −1 while it has not
  /// begun. Audio thread.
  private var start: Int {
    @_noLocks @_noAllocation get {
      begun.load(ordering: .acquiring) == asked.load(ordering: .relaxed)
        ? wetStart.load(ordering: .relaxed) : -1
    }
  }

  /// Fills a bus with what is ready and due, and with silence where nothing is. What comes too late is left
  /// out, so that the rest stays in time. Audio thread.
  ///
  /// - Parameters:
  ///   - passed: how many frames have gone by since the last beginning, this block's left out.
  ///   - latency: how many frames the output lies behind.
  @_noLocks @_noAllocation func fill(_ sink: OutputBus, after passed: Int, latency: Int) {
    let silent = min(max(latency - passed, 0), sink.frameCount)
    let there = take(sink, from: silent, due: max(passed + silent - latency, 0))
    for channel in 0..<sink.channelCount {
      let samples = sink[channel]
      unsafe rt_clear_floats(samples.unsafeBase, silent)
      unsafe rt_clear_floats(samples.unsafeBase + silent + there, sink.frameCount - silent - there)
    }
  }

  /// Moves what is due to the bus from a frame on, and tells how many frames that is.
  @_noLocks @_noAllocation private func take(_ bus: OutputBus, from frame: Int, due: Int) -> Int {
    let first = start
    if first < 0 { return 0 }
    wet.skip(first + due - wet.readPosition)
    if wet.readPosition != first + due { return 0 }
    let count = min(bus.frameCount - frame, wet.readable)
    return wet.read(into: bus, at: frame, count: count) ? count : 0
  }

  /// The frame to begin anew at, and which beginning it is; nil where all goes on. Working thread.
  func beginning() -> (frame: Int, number: Int)? {
    let number = asked.load(ordering: .acquiring)
    return number == begun.load(ordering: .relaxed) ? nil : (askedFrame.load(ordering: .relaxed), number)
  }

  /// Says that what is written to the wet ring from now on belongs to that beginning. Working thread.
  func begin(_ number: Int) {
    wetStart.store(wet.writePosition, ordering: .relaxed)
    begun.store(number, ordering: .releasing)
  }
}
