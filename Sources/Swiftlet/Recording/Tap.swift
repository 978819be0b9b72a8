// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
internal import SwiftletGraph
internal import Synchronization

/// Delivers the sound of a bus with its exact position: as a sequence of buffers, or to a closure.
///
/// ```swift
/// let tap = try engine.installTap(on: mixer, bufferSize: 1024)
/// for await buffer in tap { print(buffer.time.frame, buffer.samples.peak) }
/// ```
///
/// A bus may have any number of taps, each with a buffer size of its own. The sequence ends when the tap is removed
/// or the engine is closed; the last buffer may be shorter. One task iterates over a tap. The sequence of a tap with
/// a closure is empty.
///
/// In JACK, half a minute of sound is kept until it is fetched; if a task or a closure is slower, later buffers are
/// lost until it catches up, and their frames are counted. Offline nothing is lost.
///
/// A closure is called on a thread of the tap, and a sequence is iterated by a task; any thread may remove the tap but
/// the audio thread.
public struct Tap: AsyncSequence, Sendable {
  /// A buffer of a tap, with its position.
  public struct Buffer: Sendable, Equatable {
    /// The time of the first frame at the source. It is corrected for latency, so that taps with different latencies
    /// agree.
    public let time: AudioTime
    /// The frames.
    public let samples: AudioBuffer
    /// The number of frames that were lost because they were not fetched in time: frames of this buffer, which are
    /// silent, and frames of whole buffers before it, by which its time is later.
    public let lostFrames: Int
  }

  /// The amount of sound that is queued for a slow task, in seconds.
  static let queuedSeconds = 30.0

  /// The tap's identity in `AudioEngine.graph`.
  package let id: TapID
  /// The engine that the tap belongs to. The tap does not keep it alive.
  weak let engine: AudioEngine?
  let stream: AsyncStream<Buffer>
  let losses: Losses

  /// The number of frames that have been lost since the tap was installed, because they were not fetched in time.
  public var lostFrames: Int { losses.frames.load(ordering: .relaxed) }

  public func makeAsyncIterator() -> AsyncStream<Buffer>.Iterator { stream.makeAsyncIterator() }

  /// Counts the frames that a tap lost.
  final class Losses: Sendable {
    let frames = Atomic(0)
  }

  /// The receiver of a tap's buffers: a sequence, or a closure.
  protocol Receiver: Sendable {
    /// Accepts a buffer. Returns false if there is no room for it.
    func take(_ buffer: Buffer) -> Bool
    /// Ends the delivery after the accepted buffers.
    func finish()
  }

  /// Collects the frames of a `TapSink` into buffers of the requested size. Under the engine's lock.
  final class Feed {
    let sink: TapSink
    private let size: Int, sampleRate: Double
    private let receiver: any Receiver
    let losses = Losses()
    /// Returns the mapping of the engine's frames to the machine's clock. Called once for each drain.
    private let clock: @Sendable () -> HostClock?
    private var pending: [[Float]]
    private var start: Int64?
    /// Lost frames that are still to be delivered as silence, and the frames of buffers that the receiver did not
    /// accept.
    private var lost = 0, dropped = 0
    /// The latency of the bus after its source, in frames.
    var latency = 0

    init(
      _ sink: TapSink, size: Int, sampleRate: Double, clock: @escaping @Sendable () -> HostClock?,
      _ receiver: any Receiver
    ) {
      self.sink = sink
      self.size = size
      self.sampleRate = sampleRate
      self.receiver = receiver
      self.clock = clock
      pending = Array(repeating: [], count: sink.channelCount)
    }

    // The feed of a tap ends here if the edit that added the tap is rolled back.
    deinit { receiver.finish() }

    func drain() {
      sink.drain { run in
        if start == nil { start = run.frame - Int64(latency) }
        if run.isLost { lost += run.count }
        for channel in pending.indices {
          if run.isLost {
            pending[channel] += Array(repeating: 0, count: Swift.min(run.count, 1 << 22))
          } else {
            let samples = run[channel]
            pending[channel].append(
              contentsOf: UnsafeBufferPointer(start: samples.unsafeBase, count: samples.count))
          }
        }
        deliver(rest: false)
      }
    }

    /// Delivers the remaining frames and ends the sequence.
    func finish() {
      drain()
      deliver(rest: true)
      receiver.finish()
    }

    /// Delivers all complete buffers, and the rest if it is the last call. Delivered frames are removed together,
    /// since removing them from the front one by one would move all others each time.
    private func deliver(rest isLast: Bool) {
      let count = pending.first?.count ?? 0
      guard count >= size || isLast && count > 0 else { return }
      let clock = clock()
      var offset = 0
      while count - offset >= size {
        send(offset..<offset + size, clock)
        offset += size
      }
      if isLast, offset < count {
        send(offset..<count, clock)
        offset = count
      }
      guard offset > 0 else { return }
      for channel in pending.indices { pending[channel].removeFirst(offset) }
    }

    private func send(_ frames: Range<Int>, _ clock: HostClock?) {
      let first = start ?? 0, count = frames.count
      let samples = AudioBuffer(checked: pending.map { Array($0[frames]) }, sampleRate)
      start = first + Int64(count)
      let silent = Swift.min(lost, count)
      lost -= silent
      let time = AudioTime(frame: first, sampleRate: sampleRate, hostTime: clock?.time(of: first))
      let buffer = Buffer(time: time, samples: samples, lostFrames: dropped + silent)
      let isTaken = receiver.take(buffer)
      dropped = isTaken ? 0 : dropped + count
      losses.frames.add(isTaken ? silent : count, ordering: .relaxed)
    }
  }
}

extension AsyncStream<Tap.Buffer>.Continuation: Tap.Receiver {
  func take(_ buffer: Tap.Buffer) -> Bool {
    if case .dropped = yield(buffer) { false } else { true }
  }
}
