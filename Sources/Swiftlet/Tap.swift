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
public struct Tap: AsyncSequence, Sendable {
  /// Some frames of a bus.
  public struct Piece: Sendable, Equatable {
    /// When its first frame sounded at the source: taps behind different latencies agree.
    public let time: AudioTime
    /// The frames.
    public let buffer: AudioBuffer
    /// How many of the frames were lost because nobody fetched them in time; they are silent.
    public let lostFrames: Int
  }

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
    private var lost = 0
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
        while (pending.first?.count ?? 0) >= size { send(size) }
      }
    }

    /// Hands over what is left and ends the sequence.
    func finish() {
      drain()
      if let left = pending.first?.count, left > 0 { send(left) }
      continuation.finish()
    }

    private func send(_ count: Int) {
      let first = start ?? 0
      let buffer = AudioBuffer(pending.map { Array($0.prefix(count)) })
      for channel in pending.indices { pending[channel].removeFirst(count) }
      start = first + Int64(count)
      let piece = Piece(
        time: AudioTime(frame: first, sampleRate: sampleRate), buffer: buffer,
        lostFrames: Swift.min(lost, count))
      lost -= piece.lostFrames
      continuation.yield(piece)
    }
  }
}
