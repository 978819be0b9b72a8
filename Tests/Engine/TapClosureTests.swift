// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import Swiftlet

/// Taps that call a closure.
@Suite struct TapClosureTests {
  /// The calls of a tap's closure.
  final class Log: Sendable {
    struct Call {
      var frame: Int64, buffer: AudioBuffer, thread: String
    }
    let calls = Mutex<[Call]>([])
    var frames: [Int64] { calls.withLock { $0.map(\.frame) } }

    func add(_ buffer: AudioBuffer, _ time: AudioTime) {
      let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
      let thread = name.trimmingCharacters(in: .whitespacesAndNewlines)
      calls.withLock { $0.append(Call(frame: time.frame, buffer: buffer, thread: thread)) }
    }
  }

  private func rig() throws -> (AudioEngine, AudioNode) {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 100))
    let source = try engine.attach(
      .source(channels: 1) { block in
        for index in 0..<block.frameCount {
          block.output()[0][index] = Float(Int(block.frame) + index) / 8192
        }
      }, name: "source")
    return (engine, source)
  }

  private func soon(_ condition: () -> Bool) -> Bool {
    for _ in 0..<5000 where !condition() { usleep(1000) }
    return condition()
  }

  @Test func `the closure receives every buffer in order, on the tap's thread`() throws {
    let (engine, source) = try rig()
    let log = Log()
    let tap = try engine.installTap(on: source, bufferSize: 64) { buffer, time in log.add(buffer, time) }
    for _ in 0..<100 { _ = try engine.render(100) }
    try engine.removeTap(tap)
    #expect(soon { log.frames.count == 157 })
    let calls = log.calls.withLock { $0 }
    #expect(calls.map(\.frame) == (0..<157).map { Int64(64 * $0) })
    #expect(calls.allSatisfy { $0.thread == "swiftlet-tap" })
    #expect(calls.dropLast().allSatisfy { $0.buffer.frameCount == 64 } && calls.last?.buffer.frameCount == 16)
    #expect(calls.flatMap { $0.buffer[0] } == (0..<10_000).map { Float($0) / 8192 })
    #expect(calls.first?.buffer.format.sampleRate == 48_000 && tap.lostFrames == 0)
  }

  @Test func `a slow closure loses buffers, which are counted, and continues with the next`() throws {
    let (engine, source) = try rig()
    let log = Log(), gate = DispatchSemaphore(value: 0), entered = DispatchSemaphore(value: 0)
    let tap = try engine.installTap(at: .node(source), size: 100, keeping: 3) { buffer, time in
      log.add(buffer, time)
      entered.signal()
      gate.wait()
    }
    for _ in 0..<3 { _ = try engine.render(100) }
    entered.wait()
    for _ in 0..<7 { _ = try engine.render(100) }
    #expect(log.frames == [0] && tap.lostFrames == 700)
    for _ in 0..<3 { gate.signal() }
    #expect(soon { log.frames.count == 3 })
    // The third call has returned when there is room for a fourth buffer.
    for _ in 0..<100 where log.frames.count < 4 {
      _ = try engine.render(100)
      usleep(1000)
      gate.signal()
    }
    #expect(log.frames.prefix(3) == [0, 100, 200] && log.frames.count >= 4 && log.frames[3] >= 1000)
    engine.close()
    for _ in 0..<10 { gate.signal() }
  }

  @Test func `a closure can have its own state, and two taps do not wait for each other`() throws {
    let (engine, source) = try rig()
    let log = Log(), gate = DispatchSemaphore(value: 0)
    let slow = try engine.installTap(on: source, bufferSize: 100) { _, _ in gate.wait() }
    var count = 0
    try engine.installTap(on: source, bufferSize: 100) { buffer, time in
      count += 1
      if count.isMultiple(of: 2) { log.add(buffer, time) }
    }
    for _ in 0..<10 { _ = try engine.render(100) }
    #expect(soon { log.frames == [100, 300, 500, 700, 900] })
    try engine.removeTap(slow)
    engine.close()
    for _ in 0..<10 { gate.signal() }
  }

  @Test func `the calls end with the tap's node, with a failed edit, and with the engine`() async throws {
    weak var held: Log?
    do {
      let (engine, source) = try rig()
      let log = Log()
      held = log
      let other = try engine.attach(.source(channels: 1) { _ in })
      try engine.installTap(on: other) { log.add($0, $1) }
      try engine.detach(other)
      try engine.removeTap(engine.installTap(on: source) { log.add($0, $1) })
      let tap = try engine.installTap(on: source) { log.add($0, $1) }
      for _ in 0..<30 { _ = try engine.render(100) }
      // The sequence of a tap with a closure is empty.
      for await _ in tap { Issue.record("a buffer came to the sequence") }
      engine.close()
    }
    #expect(soon { held == nil })
  }

  @Test(arguments: [0, -1, .min]) func `a buffer size below 1 is refused`(size: Int) throws {
    let (engine, source) = try rig()
    #expect(throws: EngineError.self) { try engine.installTap(on: source, bufferSize: size) { _, _ in } }
    let giant = Log()
    let tap = try engine.installTap(on: source, bufferSize: .max) { giant.add($0, $1) }
    for _ in 0..<3 { _ = try engine.render(100) }
    try engine.removeTap(tap)
    #expect(soon { giant.calls.withLock { $0.map(\.buffer.frameCount) } == [300] })
  }
}
