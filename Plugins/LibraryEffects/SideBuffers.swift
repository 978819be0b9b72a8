// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal
internal import Synchronization

/// The memory that the audio thread and the side thread of an effect share: input frames, output frames, and parameter
/// changes.
@safe struct SideBuffers: ~Copyable {
  /// A parameter change that begins at a frame of the dry ring.
  struct ParameterChange: BitwiseCopyable {
    var frame: Int
    var parameter: Int
    var value: Float
    /// The length of the change in frames.
    var length: Int
  }

  /// The input frames, and the output frames.
  let dry: FrameRing, wet: FrameRing
  /// The frames of a second input, parallel to the dry ring; of minimum size if there is no second input.
  let aside: FrameRing
  let changes: RecordRing<ParameterChange>
  /// The number of requested restarts, the frame of the dry ring at which the last one begins, and the number of
  /// completed restarts.
  private let requested = Atomic(0), requestedFrame = Atomic(0), begun = Atomic(0)
  /// The frame of the wet ring that corresponds to the first dry frame after the last restart.
  private let wetStart = Atomic(0)

  /// Creates buffers for an effect with `channelCount` channels.
  ///
  /// - Parameters:
  ///   - aside: the number of channels of the second input; 0 for none.
  ///   - capacity: the number of frames that fit into each ring.
  init(channelCount: Int, aside: Int = 0, capacity: Int) {
    dry = FrameRing(channelCount: channelCount, capacity: capacity)
    wet = FrameRing(channelCount: channelCount, capacity: capacity)
    self.aside = FrameRing(channelCount: aside, capacity: aside > 0 ? capacity : 1)
    changes = RecordRing(capacity: 1024, filler: ParameterChange(frame: 0, parameter: 0, value: 0, length: 0))
  }

  /// Changes a parameter from the next frame that is written on. If 1024 changes are pending, it is dropped. Audio
  /// thread.
  @_noLocks @_noAllocation func change(_ parameter: Int, to value: Float, over length: Int) {
    _ = changes.push(
      ParameterChange(frame: dry.writePosition, parameter: parameter, value: value, length: length))
  }

  /// Requests a restart at the next frame that is written. Audio thread.
  @_noLocks @_noAllocation func startAnew() {
    requestedFrame.store(dry.writePosition, ordering: .relaxed)
    requested.store(requested.load(ordering: .relaxed) + 1, ordering: .releasing)
  }

  /// The frame of the wet ring at which the output since the last restart begins; −1 until the restart is completed.
  /// Audio thread.
  private var start: Int {
    @_noLocks @_noAllocation get {
      begun.load(ordering: .acquiring) == requested.load(ordering: .relaxed)
        ? wetStart.load(ordering: .relaxed) : -1
    }
  }

  /// Fills a bus with the output frames that are ready and due, and with silence if there are none. Late frames are
  /// dropped, so that the rest stays in time. Audio thread.
  ///
  /// - Parameters:
  ///   - passed: the number of frames between the last restart and this block.
  ///   - latency: the latency of the output in frames.
  @_noLocks @_noAllocation func fill(_ sink: OutputBus, after passed: Int, latency: Int) {
    let silent = min(max(latency - passed, 0), sink.frameCount)
    let there = take(sink, from: silent, due: max(passed + silent - latency, 0))
    for channel in 0..<sink.channelCount {
      let samples = sink[channel]
      unsafe rt_clear_floats(samples.unsafeBase, silent)
      unsafe rt_clear_floats(samples.unsafeBase + silent + there, sink.frameCount - silent - there)
    }
  }

  /// Moves the frames that are due to the bus, from a frame on, and returns their number.
  @_noLocks @_noAllocation private func take(_ bus: OutputBus, from frame: Int, due: Int) -> Int {
    let first = start
    if first < 0 { return 0 }
    wet.skip(first + due - wet.readPosition)
    if wet.readPosition != first + due { return 0 }
    let count = min(bus.frameCount - frame, wet.readable)
    return wet.read(into: bus, at: frame, count: count) ? count : 0
  }

  /// Returns the frame at which to restart and the number of the restart; nil if no restart is requested. Side thread.
  func beginning() -> (frame: Int, number: Int)? {
    let number = requested.load(ordering: .acquiring)
    return number == begun.load(ordering: .relaxed) ? nil : (requestedFrame.load(ordering: .relaxed), number)
  }

  /// Completes a restart: all frames written to the wet ring from now on belong to it. Side thread.
  func begin(_ number: Int) {
    wetStart.store(wet.writePosition, ordering: .relaxed)
    begun.store(number, ordering: .releasing)
  }
}
