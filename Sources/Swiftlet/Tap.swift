// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// Listens to a bus: a sequence of buffers with their exact place in time.
///
/// ```swift
/// let tap = try engine.installTap(on: mixer, bufferSize: 1024)
/// for await piece in tap { print(piece.time.frame, piece.buffer.peak) }
/// ```
///
/// Any number of taps may listen to one bus, each with a buffer size of its own. The sequence ends when the
/// tap is removed or the engine is closed; the last buffer may be shorter. One task iterates over a tap.
///
/// In the studio, what has come waits for half a minute to be fetched; then no more is kept until the task goes on.
/// Offline all is kept.
public struct Tap: AsyncSequence, Sendable {
  /// Some frames of a bus.
  public struct Piece: Sendable, Equatable {
    /// When its first frame sounded at the source: taps behind different latencies agree.
    public let time: AudioTime
    /// The frames.
    public let buffer: AudioBuffer
    /// How many frames were lost because nobody fetched them in time: some of these, which are silent, and those of
    /// whole pieces before it, by which its time is later.
    public let lostFrames: Int
  }

  /// For how much sound a task that is slow may stay behind, in seconds.
  static let patience = 30.0

  /// The tap's identity in `AudioEngine.graph`.
  public let id: TapID
  let stream: AsyncStream<Piece>

  public func makeAsyncIterator() -> AsyncStream<Piece>.Iterator { stream.makeAsyncIterator() }

  /// Collects what a sink hands over into buffers of the asked size. Under the engine's lock.
  final class Feed {
    let sink: TapSink
    private let size: Int, sampleRate: Double
    private let continuation: AsyncStream<Piece>.Continuation
    private var pending: [[Float]]
    private var start: Int64?
    /// Frames that were lost and are yet to be handed over as silence, and those of pieces that found no room.
    private var lost = 0, dropped = 0
    /// How late the bus is behind the source, in frames.
    var latency = 0

    init(_ sink: TapSink, size: Int, sampleRate: Double, _ continuation: AsyncStream<Piece>.Continuation) {
      self.sink = sink
      self.size = size
      self.sampleRate = sampleRate
      self.continuation = continuation
      pending = Array(repeating: [], count: sink.channelCount)
    }

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
      continuation.finish()
    }

    /// Hands over all whole buffers, and the rest if it is the last. What has been handed over goes at once: to take
    /// frames from the front one by one moves all others each time.
    private func deliver(rest isLast: Bool) {
      let count = pending.first?.count ?? 0
      var place = 0
      while count - place >= size {
        send(place..<place + size)
        place += size
      }
      if isLast, place < count {
        send(place..<count)
        place = count
      }
      guard place > 0 else { return }
      for channel in pending.indices { pending[channel].removeFirst(place) }
    }

    private func send(_ frames: Range<Int>) {
      let first = start ?? 0, count = frames.count
      let buffer = AudioBuffer(pending.map { Array($0[frames]) })
      start = first + Int64(count)
      let silent = Swift.min(lost, count)
      lost -= silent
      let piece = Piece(
        time: AudioTime(frame: first, sampleRate: sampleRate), buffer: buffer, lostFrames: dropped + silent)
      if case .dropped = continuation.yield(piece) { dropped += count } else { dropped = 0 }
    }
  }
}
