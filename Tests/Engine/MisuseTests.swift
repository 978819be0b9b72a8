// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletGraph
import SwiftletJack
import Synchronization
import Testing

/// Invalid requests of programs, and their errors.
@Suite struct MisuseTests {
  /// Runs `body` on `count` threads at once, and waits for them.
  private func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count) { body($0) }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 0, -1, 999, 1_536_001])
  func `an invalid sample rate is refused`(rate: Double) {
    #expect(throws: EngineError.self) { try AudioEngine(.offline(sampleRate: rate)) }
  }

  @Test(arguments: [0, -1, .min])
  func `a tap with buffers of less than one frame is refused`(count: Int) throws {
    let engine = try AudioEngine(.offline()), voice = try engine.attach(.capture())
    #expect(throws: EngineError.self) { try engine.installTap(on: voice, bufferSize: count) }
    #expect(engine.graph.taps.isEmpty)
  }

  @Test func `the time for tap buffers of one frame grows in proportion to their number`() throws {
    let engine = try AudioEngine(.offline(longestBlock: 1 << 18)), voice = try engine.attach(.capture())
    let tap = try engine.installTap(on: voice, bufferSize: 1)
    let start = ContinuousClock.now
    _ = try engine.render(1 << 18)
    // With quadratic growth it took minutes.
    #expect(ContinuousClock.now - start < .seconds(20))
    try engine.removeTap(tap)
  }

  @Test func `an edit accepts any closure, and rethrows its error`() throws {
    struct Mine: Error, CustomStringConvertible { var description: String { "of mine" } }
    let engine = try AudioEngine(.offline()), mixer = try engine.attachMixer(name: "mixer")
    try engine.edit { edit in try edit.setGain(-3, of: mixer) }
    #expect(mixer.gain.value == .decibels(-3))
    do throws(EngineError) {
      try engine.edit { edit in
        _ = try edit.attach(.mixer())
        throw Mine()
      }
      Issue.record("nothing was thrown")
    } catch {
      guard case .closure(is Mine) = error else { throw error }
      #expect("\(error)" == "of mine")
    }
    #expect(engine.graph.nodes.count == 1)
  }

  @Test func `concurrent edits of many tasks, some of them failing, keep those that succeeded`() throws {
    struct Refused: Error {}
    let engine = try AudioEngine(.offline())
    let voice = try engine.attach(.capture(), name: "voice")
    _ = try engine.render(64)
    let kept = Mutex<Set<String>>([])
    together(8) { task in
      for round in 0..<100 {
        let name = "\(task)-\(round)"
        let isKept =
          (try? engine.edit { edit -> Void in
            let node = try edit.attach(.mixer(), name: name)
            try edit.connect(voice, node)
            if round % 3 == 0 { throw Refused() }
            if round % 3 == 1 { try edit.detach(node) }
          }) != nil
        if isKept, round % 3 == 2 { kept.withLock { _ = $0.insert(name) } }
      }
    }
    #expect(kept.withLock { $0.count } == 8 * 33)
    #expect(Set(engine.graph.nodes.map(\.name)) == kept.withLock { $0 }.union(["voice"]))
    // No edit is open, so the next change is heard at once.
    let gain = try engine.attach(.effect("gain"), name: "gain")
    try engine.connect(voice, gain)
    _ = try engine.render(64)
    #expect(engine.planText.contains("gain"))
  }

  @Test func `unnamed nodes get unique names from any task`() throws {
    let engine = try AudioEngine(.offline())
    let failures = Mutex<[String]>([])
    together(8) { _ in
      for _ in 0..<25 {
        do { _ = try engine.attach(.mixer()) } catch { failures.withLock { $0.append("\(error)") } }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(Set(engine.graph.nodes.map(\.name)).count == 200)
  }

  //   count ──► desk: each sample is its frame number
  @Test func `of tasks that render at once, one renders and the others get an error`() throws {
    let engine = try AudioEngine(.offline())
    let source = try engine.attach(
      .source(channels: 1) { block in
        let out = block.output()[0]
        for frame in 0..<out.count { out[frame] = Float(block.frame + Int64(frame)) }
      })
    let output = try engine.attach(.playback(channels: 1, ceiling: nil))
    try engine.connect(source, output)
    let rendered = Mutex<[Float]>([]), refused = Atomic(0)
    together(4) { _ in
      for _ in 0..<200 {
        do throws(EngineError) {
          let sound = try engine.render(64)[output]?[0] ?? []
          rendered.withLock { $0 += sound }
        } catch {
          guard case .isRendering = error else { continue }
          refused.add(1, ordering: .relaxed)
        }
      }
    }
    let frames = rendered.withLock { $0.count }
    #expect(frames / 64 + refused.load(ordering: .relaxed) == 800)
    #expect(engine.now.frame == Int64(frames))
  }

  @Test func `a source that renders its own engine is refused`() throws {
    let engine = try AudioEngine(.offline()), answer = Mutex<String?>(nil)
    let source = try engine.attach(
      .source(channels: 1) { [weak engine] _ in
        guard answer.withLock({ $0 }) == nil else { return }
        do { _ = try engine?.render(64) } catch { answer.withLock { $0 = "\(error)" } }
      })
    try engine.connect(source, try engine.attach(.playback(channels: 1)))
    _ = try engine.render(64)
    #expect(answer.withLock { $0 }?.contains("is already rendering") == true)
    _ = try engine.render(64)
  }

  //   tone ──► gain ──► echo ──► desk: a wire from `echo` to `gain` closes a loop
  @Test func `a feedback wire can close a loop, and a plain wire cannot`() throws {
    let engine = try AudioEngine(.offline()), tone = try engine.attach(.capture(channels: 2))
    let gain = try engine.attach(.mixer()), echo = try engine.attach(.mixer())
    try engine.connect(tone, gain, echo, try engine.attach(.playback()))
    _ = try engine.render(64)
    #expect(throws: EngineError.self) { try engine.connect(echo, to: gain) }
    #expect(throws: EngineError.self) { try engine.connect(echo, to: gain, feedback: 15) }
    #expect(try engine.connect(echo, to: gain, feedback: 64).model?.feedback == 64)
    _ = try engine.render(64)
  }

  @Test func `a recorder has each tap once, and starts only its own taps`() throws {
    let engine = try AudioEngine(.offline()), voice = try engine.attach(.capture())
    let recorder = Recorder(engine, folder: NSTemporaryDirectory())
    try recorder.add("dry", on: voice, file: "{tap}.wav")
    #expect(throws: EngineError.self) { try recorder.add("dry", on: voice, file: "{tap}-2.wav") }
    #expect(engine.graph.taps.count == 1)
    #expect(throws: EngineError.self) { try recorder.start(["wet"]) }
    #expect(recorder.finish().isEmpty)
  }

  @Test(arguments: [0, -1, .min]) func `a loop with fewer than one repetition is refused`(times: Int) throws {
    let engine = try AudioEngine(.offline())
    #expect(throws: EngineError.self) {
      try engine.attach(.player("/usr/share/sounds/alsa/Front_Center.wav", loop: .times(times)))
    }
    #expect(throws: EngineError.self) { try engine.attach(.midiPlayer("none.mid", loop: .times(times))) }
    #expect(engine.graph.nodes.isEmpty)
  }
}
