// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletJack
import CSwiftletRealtime
import Foundation
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletJack
@testable import SwiftletSignal

/// Tests that need a server run one after the other, since libjack supports one server at a time in a process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RealServerTests {}

/// One patient private server for all tests that do not kill theirs. It ends with this process.
enum TestServer {
  static let period = 256
  private static let started = Result { () throws(JackError) -> DummyServer in
    try DummyServer(
      .init(period: period, captureCount: 4, playbackCount: 4, waitsForClients: true), timeout: 120)
  }
  static func server() throws -> DummyServer { try started.get() }

  static func client(_ name: String, _ events: Events? = nil) throws -> JackClient {
    try JackClient(name: name, server: server().name, onEvent: { events?.add($0) })
  }

  /// Waits until a condition holds, five seconds at most by default.
  static func eventually(within seconds: Int = 5, _ isSo: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<50 * seconds {
      if try isSo() { return true }
      usleep(20_000)
    }
    return try isSo()
  }

  /// Returns the output of one of JACK's own programs.
  static func output(of program: String, _ arguments: String...) throws -> String {
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // A client of jackd2 may wait endlessly for its own end.
    process.arguments = ["timeout", "-s", "KILL", "10", program] + arguments
    var environment = ProcessInfo.processInfo.environment
    environment["JACK_DEFAULT_SERVER"] = try server().name
    process.environment = environment
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}

/// The events of a client.
final class Events: Sendable {
  private let list = Mutex<[JackEvent]>([])
  func add(_ event: JackEvent) { list.withLock { $0.append(event) } }
  var all: [JackEvent] { list.withLock { $0 } }
  func contains(_ isIt: (JackEvent) -> Bool) -> Bool { all.contains(where: isIt) }
}

/// The messages of a log.
final class MessageLog: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ message: JackMessage) { lines.withLock { $0.append(message.text) } }
  var all: [String] { lines.withLock { $0 } }
}

/// Returns a sine whose samples depend on the absolute frame alone.
@_noLocks @_noAllocation func sine(at frame: Int64) -> Float {
  Float(0.5 * rt_sin_double(Double(frame) * 0.1))
}

/// Whether a note begins: every 997 frames, a prime, so that notes fall anywhere in a cycle.
@_noLocks @_noAllocation func isNote(at frame: Int64) -> Bool { frame % 997 == 0 }

/// Plays a tone, or notes on an event bus.
final class Score: Processor, @unchecked Sendable {
  @_noLocks @_noAllocation override func process(_ block: Block) {
    if let events = block.output().events {
      for offset in 0..<block.frameCount {
        let frame = block.frame + Int64(offset)
        guard isNote(at: frame) else { continue }
        // A note-on of key (frame / 997) with velocity 100.
        var bytes = UInt32(0x90) | UInt32(frame / 997 % 128) << 8 | 100 << 16
        unsafe events.append(EventHeader(frame: frame, type: EventHeader.midi, size: 3), bytes: &bytes)
      }
      return
    }
    for frame in 0..<block.frameCount { block.output()[0][frame] = sine(at: block.frame + Int64(frame)) }
  }
}

/// Keeps its input by absolute frame, and the lengths of its blocks.
final class CaptureProcessor: Processor, @unchecked Sendable {
  let capacity = 1 << 18
  let samples: UnsafeMutablePointer<Float> = .allocate(capacity: 1 << 18)
  let notes: UnsafeMutablePointer<(frame: Int64, key: UInt8)> = .allocate(capacity: 4096)
  let noteCount = Atomic<Int>(0), end = Atomic<Int64>(0), longest = Atomic<Int>(0),
    shortest = Atomic<Int>(.max)
  /// How many clock ticks the next cycle wastes.
  let dawdle = Atomic<UInt64>(0)
  let isRolling = Atomic<Bool>(false)

  init() {
    samples.initialize(repeating: .nan, count: capacity)
    super.init()
  }
  deinit {
    samples.deallocate()
    notes.deallocate()
  }

  var isRollingNow: Bool { isRolling.load(ordering: .relaxed) }
  var longestBlock: Int { longest.load(ordering: .relaxed) }
  var shortestBlock: Int { shortest.load(ordering: .relaxed) }

  @_noLocks @_noAllocation override func process(_ block: Block) {
    // Busy instead of asleep, since the sanitizer forbids sleeping here.
    let until = rt_ticks() &+ dawdle.exchange(0, ordering: .relaxed)
    while Int64(bitPattern: until &- rt_ticks()) > 0 {}
    longest.store(max(longest.load(ordering: .relaxed), block.frameCount), ordering: .relaxed)
    shortest.store(min(shortest.load(ordering: .relaxed), block.frameCount), ordering: .relaxed)
    isRolling.store(block.transport.isRolling, ordering: .relaxed)
    if let events = block.input().events {
      var next = events.first
      while let event = next {
        let count = noteCount.load(ordering: .relaxed)
        if count < 4096 {
          notes[count] = (event.header.frame, event[1])
          noteCount.store(count + 1, ordering: .releasing)
        }
        next = events.next(after: event)
      }
    } else {
      for frame in 0..<block.frameCount {
        guard block.frame + Int64(frame) < Int64(capacity) else { break }
        samples[Int(block.frame) + frame] = block.input()[0][frame]
      }
    }
    end.store(block.frame + Int64(block.frameCount), ordering: .releasing)
  }
}

/// Delays its sound by its latency in frames.
final class Late: Processor, @unchecked Sendable {
  private let line: UnsafeMutablePointer<Float>
  private let frames: Int
  private var position = 0
  init(_ frames: Int) {
    self.frames = frames
    line = .allocate(capacity: frames)
    line.initialize(repeating: 0, count: frames)
    super.init(latency: frames)
  }
  deinit { line.deallocate() }
  @_noLocks @_noAllocation override func process(_ block: Block) {
    for frame in 0..<block.frameCount {
      let old = line[position]
      line[position] = block.input()[0][frame]
      block.output()[0][frame] = old
      position = (position + 1) % frames
    }
  }
}

extension GraphController {
  /// A controller must outlive its client, and Swift releases a variable after its last use, so the tests keep all
  /// controllers.
  nonisolated(unsafe) private static var kept: [GraphController] = []

  /// Returns a controller whose graph is one processor between an optional input node and an optional output node.
  static func chain(
    _ processor: Processor, in input: Int?, out output: Int?, _ format: BusFormat = .audio(channels: 1),
    longestBlock: Int = 8192
  ) throws -> GraphController {
    let controller = GraphController(sampleRate: 48_000, longestBlock: longestBlock, fadesIn: false)
    var graph = Graph()
    let node = try graph.add(
      "work", .processor, inputs: input == nil ? [] : [format], outputs: output == nil ? [] : [format])
    if let input {
      let inputNode = try graph.add("in", .input(input), inputs: [], outputs: [format])
      try graph.connect(Graph.Wire(from: Endpoint(inputNode), to: Endpoint(node)))
    }
    if let output {
      let outputNode = try graph.add("out", .output(output), inputs: [format], outputs: [])
      try graph.connect(Graph.Wire(from: Endpoint(node), to: Endpoint(outputNode)))
    }
    try controller.apply(graph, processors: [node: processor])
    kept.append(controller)
    return controller
  }
}

extension OpenClient {
  /// The offset from an absolute frame to JACK's frame.
  var offset: Int64 { edge.pointee.clockOffset.load(ordering: .relaxed) }

  func startTransport(_ isRolling: Bool) {
    isRolling ? jack_transport_start(client) : jack_transport_stop(client)
  }
}
