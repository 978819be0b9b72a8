// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Testing

@Suite struct TapTests {
  /// Feeds frames that carry their own numbers, so that a misplaced one is detected.
  private func feed(_ backend: BlockBackend, from frame: Int64, count: Int) {
    let numbers = (0..<count).map { Float(frame + Int64($0)) }
    backend.run(frame: frame, count: count, [numbers, numbers.map { -$0 }])
  }

  /// Returns the frames that a tap delivers, with nil for a lost frame.
  private func drained(_ sink: TapSink, limit: Int = .max) -> [(frame: Int64, left: Float?, right: Float?)] {
    var result: [(frame: Int64, left: Float?, right: Float?)] = []
    sink.drain(limit: limit) { run in
      for frame in 0..<run.count {
        let at = run.frame + Int64(frame)
        result.append(run.isLost ? (at, nil, nil) : (at, run[0][frame], run[1][frame]))
      }
    }
    return result
  }

  @Test func `a recording begins and ends on the exact frame within a block`() {
    let sink = TapSink(channelCount: 2, capacity: 1024)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 100, until: 203)
    for block in 0..<5 { feed(backend, from: Int64(block * 64), count: 64) }
    let frames = drained(sink)
    #expect(frames.map(\.frame) == Array(100..<203))
    #expect(frames.map(\.left) == (100..<203).map { Float($0) })
    #expect(frames.map(\.right) == (100..<203).map { -Float($0) })
    #expect(sink.isDrained)
    #expect(!sink.isRecording)
  }

  @Test(arguments: [1, 7, 64, 100, 333])
  func `the drained frames do not depend on the block size`(_ size: Int) {
    let sink = TapSink(channelCount: 2, capacity: 512)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 50, until: 2050)
    var frames: [(frame: Int64, left: Float?, right: Float?)] = []
    var frame: Int64 = 0
    while frame < 2100 {
      feed(backend, from: frame, count: size)
      frame += Int64(size)
      frames += drained(sink, limit: max(size, 150))
    }
    while !sink.isDrained { frames += drained(sink) }
    #expect(frames.map(\.left) == (50..<2050).map { Float($0) })
  }

  @Test func `frames that find no room are counted, and the rest keeps its position`() {
    let sink = TapSink(channelCount: 2, capacity: 256)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 0)
    // 256 fit. The blocks at 256, 320 and 384 do not. After a drain, those from 448 on do.
    for block in 0..<7 { feed(backend, from: Int64(block * 64), count: 64) }
    #expect(sink.lostFrames == 192)
    var frames = drained(sink)
    for block in 7..<9 { feed(backend, from: Int64(block * 64), count: 64) }
    sink.stop()
    feed(backend, from: 576, count: 64)
    frames += drained(sink)
    #expect(sink.isDrained)
    #expect(frames.map(\.frame) == Array(0..<576))
    for frame in frames {
      let isLost = 256..<448 ~= frame.frame
      #expect(frame.left == (isLost ? nil : Float(frame.frame)))
    }
  }

  @Test func `overruns and missing frames are distinguished`() {
    let sink = TapSink(channelCount: 2, capacity: 128)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 0, until: 448)
    var lost: [[Int]] = []
    func drain() { sink.drain { if $0.isLost { lost.append([Int($0.frame), $0.count, $0.overrunCount]) } } }
    // Two blocks fit, one does not, and one is missing.
    for frame: Int64 in [0, 64, 128] { feed(backend, from: frame, count: 64) }
    drain()
    feed(backend, from: 256, count: 64)
    drain()
    // One block is missing by itself.
    feed(backend, from: 384, count: 64)
    drain()
    #expect(lost == [[128, 128, 64], [320, 64, 0]])
    #expect(sink.isDrained)
  }

  @Test func `a gap in the stream's time is lost sound, too`() {
    let sink = TapSink(channelCount: 2, capacity: 1024)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 0, until: 256)
    feed(backend, from: 0, count: 64)
    feed(backend, from: 128, count: 64)
    feed(backend, from: 192, count: 64)
    let frames = drained(sink)
    #expect(frames.map(\.frame) == Array(0..<256))
    #expect(frames.filter { $0.left == nil }.map(\.frame) == Array(64..<128))
    #expect(sink.lostFrames == 64)
  }

  @Test func `a recording requested too late still begins at its requested frame`() {
    let sink = TapSink(channelCount: 2, capacity: 1024)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 30, until: 128)
    feed(backend, from: 64, count: 64)
    let frames = drained(sink)
    #expect(frames.map(\.frame) == Array(30..<128))
    #expect(frames.filter { $0.left == nil }.map(\.frame) == Array(30..<64))
  }

  @Test func `a recording whose end has passed is over, even if no block follows`() {
    let sink = TapSink(channelCount: 2, capacity: 1024)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 0)
    feed(backend, from: 0, count: 64)
    sink.stop(at: 50)
    #expect(drained(sink).map(\.frame) == Array(0..<50))
    #expect(drained(sink).isEmpty)
    #expect(sink.isDrained)
  }

  @Test func `a new recording discards frames of an old one`() {
    let sink = TapSink(channelCount: 2, capacity: 64)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record()
    feed(backend, from: 0, count: 64)
    feed(backend, from: 64, count: 64)
    #expect(sink.beginning == 0)
    sink.record()
    #expect(sink.beginning == nil)
    #expect(drained(sink).isEmpty)
    feed(backend, from: 128, count: 32)
    #expect(sink.beginning == 128)
    // The ring was still full of the old recording, so the block was lost, and its position is kept.
    #expect(drained(sink).map(\.frame) == [])
    feed(backend, from: 160, count: 32)
    sink.stop()
    feed(backend, from: 192, count: 32)
    let frames = drained(sink)
    #expect(frames.map(\.frame) == Array(128..<192))
    #expect(frames.map(\.left) == (128..<192).map { $0 < 160 ? nil : Float($0) })
  }

  @Test func `a recording that begins while another is drained is kept separate`() {
    let sink = TapSink(channelCount: 2, capacity: 1024)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 0)
    feed(backend, from: 0, count: 64)
    feed(backend, from: 128, count: 64)
    var first: [Int64] = []
    sink.drain { run in
      first.append(run.frame)
      guard first.count == 1 else { return }
      // Requested, and begun with a loss, while this piece is processed.
      sink.record(from: 500)
      feed(backend, from: 510, count: 90)
    }
    #expect(first == [0], "nothing of the new one, nor of the old one behind it")
    #expect(sink.lostFrames == 10)
    sink.stop(at: 600)
    feed(backend, from: 600, count: 64)
    let second = drained(sink)
    #expect(second.map(\.frame) == Array(500..<600))
    #expect(second.map(\.left) == (500..<600).map { $0 < 510 ? nil : Float($0) })
    #expect(sink.isDrained)
  }

  @Test func `a recording requested while the end of another is dropped stays complete`() {
    let sink = TapSink(channelCount: 2, capacity: 1024)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 0)
    feed(backend, from: 0, count: 128)
    sink.stop(at: 64)
    sink.drain(limit: 64) { _ in
      sink.record(from: 128, until: 256)
      feed(backend, from: 128, count: 128)
    }
    // The old end has passed, and the frames after it belong to the new recording.
    #expect(drained(sink).map(\.left) == (128..<256).map { Float($0) })
  }

  @Test func `losses are counted for each recording separately`() {
    let sink = TapSink(channelCount: 2, capacity: 64)
    let backend = BlockBackend(sink, inputs: 2)
    sink.record(from: 0)
    for block in 0..<3 { feed(backend, from: Int64(block * 64), count: 64) }
    #expect(sink.lostFrames == 128)
    sink.record(from: 192)
    #expect(sink.lostFrames == 0, "what was lost before is not this recording's")
    _ = drained(sink)
    feed(backend, from: 192, count: 1)
    #expect(sink.lostFrames == 1, "the ring was full of the old one")
    _ = drained(sink)
    feed(backend, from: 193, count: 64)
    #expect(sink.lostFrames == 1)
  }

  @Test func `a channel that the tap lacks is empty`() {
    let sink = TapSink(channelCount: 2, capacity: 64)
    sink.record(from: 0)
    feed(BlockBackend(sink, inputs: 2), from: 0, count: 8)
    sink.drain { run in
      #expect([-1, 0, 1, 2, .max, .min].map { run[$0].count } == [0, 8, 8, 0, 0, 0])
    }
  }

  @Test func `meters show peak and RMS since the last reading, recording or not`() {
    let sink = TapSink(channelCount: 2)
    let backend = BlockBackend(sink, inputs: 2)
    backend.run(frame: 0, count: 4, [[0.5, -0.5, 0.5, -0.5], [0, 0, 0, -0.25]])
    backend.run(frame: 4, count: 4, [[0, 0, 0, 0], [.nan, 0, 0, 0]])
    let levels = sink.takeLevels()
    #expect(levels[0].peak == 0.5)
    #expect(abs(levels[0].rms - (4 * 0.25 / 8 as Float).squareRoot()) < 1e-6)
    #expect(levels[1].peak == 0.25)
    #expect(abs(levels[1].rms - (0.0625 / 8 as Float).squareRoot()) < 1e-6)
    #expect(sink.takeLevels()[0] == ChannelLevel(peak: 0, rms: 0))
  }

  @Test func `a draining thread gets every frame that another thread feeds`() {
    let sink = TapSink(channelCount: 2, capacity: 1024)
    let total: Int64 = 200_000
    sink.record(from: 0, until: total)
    // Not a task, since this thread waits for it, and all of Swift's own threads may wait at that moment.
    Thread.detachNewThread {
      let backend = BlockBackend(sink, inputs: 2)
      var frame: Int64 = 0
      while frame < total {
        let numbers = (0..<100).map { Float(frame + Int64($0)) }
        backend.run(frame: frame, count: 100, [numbers, numbers])
        frame += 100
      }
    }
    var next: Int64 = 0
    var wrong = 0
    var lost = 0
    while !sink.isDrained {
      sink.drain { run in
        if run.frame != next { wrong += 1 }
        if run.isLost { lost += run.count }
        for frame in 0..<(run.isLost ? 0 : run.count)
        where run[0][frame] != Float(run.frame + Int64(frame)) { wrong += 1 }
        next = run.frame + Int64(run.count)
      }
    }
    #expect(wrong == 0)
    #expect(next == total)
    #expect(lost == sink.lostFrames)
  }
}
