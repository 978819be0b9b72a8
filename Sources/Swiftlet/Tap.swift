// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
internal import SwiftletGraph
internal import Synchronization

/// Delivers the sound of a bus with its exact position: as a sequence of buffers, or to a closure.
///
/// ```swift
/// let tap = try engine.installTap(on: mixer, bufferSize: 1024)
/// for await piece in tap { print(piece.time.frame, piece.buffer.peak) }
/// ```
///
/// A bus may have any number of taps, each with a buffer size of its own. The sequence ends when the tap is removed
/// or the engine is closed; the last buffer may be shorter. One task iterates over a tap. The sequence of a tap with
/// a closure is empty.
///
/// In JACK, half a minute of sound is kept until it is fetched; if a task or a closure is slower, later buffers are
/// lost until it catches up, and their frames are counted. Offline nothing is lost.
public struct Tap: AsyncSequence, Sendable {
  /// Some frames of a bus.
  public struct Piece: Sendable, Equatable {
    /// When its first frame sounded at the source: taps behind different latencies agree.
    public let time: AudioTime
    /// The frames.
    public let buffer: AudioBuffer
    /// The number of frames that were lost because they were not fetched in time: frames of this buffer, which are
    /// silent, and frames of whole buffers before it, by which its time is later.
    public let lostFrames: Int
  }

  /// For how much sound a task that is slow may stay behind, in seconds.
  static let patience = 30.0

  /// The tap's identity in `AudioEngine.graph`.
  package let id: TapID
  /// The engine that the tap listens in, which it does not keep.
  weak let engine: AudioEngine?
  let stream: AsyncStream<Piece>
  let losses: Losses

  /// How many frames have been lost since the tap was installed because they were not fetched in time.
  public var lostFrames: Int { losses.frames.load(ordering: .relaxed) }

  public func makeAsyncIterator() -> AsyncStream<Piece>.Iterator { stream.makeAsyncIterator() }

  /// Counts the frames that a tap lost.
  final class Losses: Sendable {
    let frames = Atomic(0)
  }

  /// What takes a tap's pieces: a sequence, or a closure.
  protocol Receiver: Sendable {
    /// Takes a piece; false if there is no room for it.
    func take(_ piece: Piece) -> Bool
    /// Ends after the pieces that were taken.
    func finish()
  }

  /// Collects what a sink hands over into buffers of the asked size. Under the engine's lock.
  final class Feed {
    let sink: TapSink
    private let size: Int, sampleRate: Double
    private let receiver: any Receiver
    let losses = Losses()
    /// The engine's frames by the machine's clock, asked once for each drain.
    private let clock: @Sendable () -> HostClock?
    private var pending: [[Float]]
    private var start: Int64?
    /// Frames that were lost and are yet to be handed over as silence, and those of pieces that found no room.
    private var lost = 0, dropped = 0
    /// How late the bus is behind the source, in frames.
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

    // An edit that is rolled back lets its taps go.
    deinit { receiver.finish() }

    func drain() {
      sink.drain { piece in
        if start == nil { start = piece.frame - Int64(latency) }
        if piece.isLost { lost += piece.count }
        for channel in pending.indices {
          if piece.isLost {
            pending[channel] += Array(repeating: 0, count: Swift.min(piece.count, 1 << 22))
          } else {
            let samples = piece[channel]
            pending[channel].append(
              contentsOf: UnsafeBufferPointer(start: samples.unsafeBase, count: samples.count))
          }
        }
        deliver(rest: false)
      }
    }

    /// Hands over what is left and ends the sequence.
    func finish() {
      drain()
      deliver(rest: true)
      receiver.finish()
    }

    /// Hands over all whole buffers, and the rest if it is the last. What has been handed over goes at once: to take
    /// frames from the front one by one moves all others each time.
    private func deliver(rest isLast: Bool) {
      let count = pending.first?.count ?? 0
      guard count >= size || isLast && count > 0 else { return }
      let clock = clock()
      var place = 0
      while count - place >= size {
        send(place..<place + size, clock)
        place += size
      }
      if isLast, place < count {
        send(place..<count, clock)
        place = count
      }
      guard place > 0 else { return }
      for channel in pending.indices { pending[channel].removeFirst(place) }
    }

    private func send(_ frames: Range<Int>, _ clock: HostClock?) {
      let first = start ?? 0, count = frames.count
      let buffer = AudioBuffer(checked: pending.map { Array($0[frames]) }, sampleRate)
      start = first + Int64(count)
      let silent = Swift.min(lost, count)
      lost -= silent
      let time = AudioTime(frame: first, sampleRate: sampleRate, hostTime: clock?.time(of: first))
      let piece = Piece(time: time, buffer: buffer, lostFrames: dropped + silent)
      let isTaken = receiver.take(piece)
      dropped = isTaken ? 0 : dropped + count
      losses.frames.add(isTaken ? silent : count, ordering: .relaxed)
    }
  }
}

extension AsyncStream<Tap.Piece>.Continuation: Tap.Receiver {
  func take(_ piece: Tap.Piece) -> Bool {
    if case .dropped = yield(piece) { false } else { true }
  }
}
