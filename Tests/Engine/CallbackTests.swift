// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Synchronization
import Testing

/// Callbacks may call any function of the engine.
struct CallbackTests {
  private let engine: AudioEngine
  private let voice: AudioNode, output: AudioNode
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString

  init() throws {
    engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 500))
    voice = try engine.attach(.capture(channels: 1), name: "voice")
    output = try engine.attach(.playback(channels: 1), name: "desk")
  }

  /// Renders on a separate thread until a condition holds. Returns false if that takes ten seconds.
  private func render(until isSo: @escaping @Sendable () -> Bool) -> Bool {
    let engine = engine, hasStopped = Shared(false)
    let thread = Thread {
      while !isSo(), !hasStopped.now {
        _ = try? engine.render(500)
        usleep(1000)
      }
      hasStopped.withLock { $0 = true }
    }
    thread.start()
    for _ in 0..<1000 where !hasStopped.now { usleep(10_000) }
    hasStopped.withLock { $0 = true }
    return isSo()
  }

  /// A value that closures share.
  private final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
    func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
      value.withLock { body(&$0) }
    }
    var now: Value { value.withLock { $0 } }
  }

  @Test func `an observer of a take's end can finish the others and start the next`() throws {
    let recorder = Recorder(engine, folder: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for tap in ["a", "b", "c"] { try recorder.add(tap, on: voice, file: "{tap}-{take}.wav") }
    let finished = Shared([String]()), restarted = Shared(0)
    let observation = engine.observe { event in
      guard case .takeEnded(let report) = event, report.tap == "a" else { return }
      guard restarted.now == 0 else { return }
      let others = recorder.finish().map(\.tap)
      finished.withLock { $0 = others }
      restarted.withLock { $0 = (try? recorder.start())?.count ?? -1 }
    }
    defer { observation.cancel() }
    try recorder.start()
    _ = try engine.render(500)
    recorder.stop(["a"])
    #expect(render { restarted.now != 0 })
    #expect(finished.now.sorted() == ["a", "b", "c"] && restarted.now == 3)
    #expect(recorder.finish().count == 3)
  }

  @Test func `observers that finish each other's takes do not deadlock`() throws {
    let first = Recorder(engine, folder: folder + "/1"), second = Recorder(engine, folder: folder + "/2")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let count = Shared(0)
    let observation = engine.observe { event in
      guard case .takeEnded = event else { return }
      _ = first.finish()
      _ = second.finish()
      count.withLock { $0 += 1 }
    }
    defer { observation.cancel() }
    for recorder in [first, second] {
      try recorder.add("take", on: voice, file: "{take}.wav")
      try recorder.start()
    }
    _ = try engine.render(500)
    first.stop()
    second.stop()
    #expect(render { count.now == 2 })
  }

  @Test(arguments: ["clear", "seek", "schedule", "finish", "detach", "close", "pause engine", "tap", "play"])
  func `a player's completion can call any function`(act: String) throws {
    let engine = engine, voice = voice
    let player = try PlayerNode(engine, channels: 1)
    try engine.connect(player.node, output)
    let recorder = Recorder(engine, folder: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try recorder.add("take", on: voice, file: "{take}.wav")
    try recorder.start()
    let tap = try engine.installTap(on: player.node)
    let buffer = AudioBuffer([[Float](repeating: 0.5, count: 700)])
    let reported = Shared([PlayerEvent.Kind]())
    try player.schedule(.buffer(buffer)) { event in
      reported.withLock { $0.append(event.kind) }
      switch act {
      case "clear": player.clear()
      case "seek": try? player.seek(to: 10)
      case "schedule": _ = try? player.schedule(.buffer(buffer))
      case "finish": _ = recorder.finish()
      case "detach": try? engine.detach(player.node)
      case "close": engine.close()
      case "pause engine":
        engine.pause()
        try? engine.start()
      case "tap": try? engine.removeTap(tap)
      default: try? player.play()
      }
    }
    try player.play()
    #expect(render { reported.now.contains { if case .playedBack = $0 { true } else { false } } })
    // Each of these is reported once, whatever the completion does.
    let kinds = reported.now
    #expect(kinds.count { $0 == .consumed } == 1 || act == "seek")
    #expect(kinds.count { if case .rendered = $0 { true } else { false } } == 1)
  }

  @Test func `an observer can be removed by itself and by others, and can remove nodes`() throws {
    let engine = engine, gain = try engine.attach(.effect("gain"), name: "gain")
    let extra = try engine.attach(.effect("gain"), name: "extra")
    let counts = Shared([0, 0, 0]), own = Shared<EventObservation?>(nil),
      last = Shared<EventObservation?>(nil)
    @Sendable func count(_ index: Int, _ event: EngineEvent) -> Int {
      guard case .clamped = event else { return 0 }
      return counts.withLock { counts in
        counts[index] += 1
        return counts[index]
      }
    }
    let first = engine.observe { event in
      guard count(0, event) == 2 else { return }
      last.now?.cancel()
      try? engine.detach(extra)
    }
    let second = engine.observe { event in if count(1, event) > 0 { own.now?.cancel() } }
    own.withLock { $0 = second }
    let third = engine.observe { event in _ = count(2, event) }
    last.withLock { $0 = third }
    for _ in 0..<3 { try gain.set("gain", to: 1000) }
    // An observer that an earlier observer removes is not called any more.
    #expect(counts.now == [3, 1, 1])
    #expect(engine.node("extra") == nil)
    first.cancel()
    first.cancel()
    try gain.set("gain", to: 1000)
    #expect(counts.now == [3, 1, 1])
  }
}
