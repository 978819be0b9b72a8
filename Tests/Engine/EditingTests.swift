// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import Swiftlet

struct EditingTests {
  //  sine ──► desk, then sine ──► gain ──► desk, then sine ──► desk again
  @Test(arguments: [64, 256, 1000]) func `inserting and removing a node makes no click`(block: Int) throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: block))
    let sine = try engine.attach(.source(channels: 1, sineWave), name: "sine")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(sine, output)
    var out: [Float] = []
    func play(_ frames: Int) throws {
      for _ in 0..<(frames / block + 1) { out += try engine.render(block)[output]?[0] ?? [] }
    }
    try play(2000)
    let gain = try engine.attach(.effect("gain", channels: 1), name: "gain")
    try engine.edit { edit in try edit.insert(gain, between: sine, and: output) }
    try play(4000)
    try engine.edit { edit in
      try edit.detach(gain)
      try edit.connect(sine, output)
    }
    try play(4000)
    let bend = zip(zip(out, out.dropFirst()), out.dropFirst(2)).map { abs($0.0 - 2 * $0.1 + $1) }
    // Half of full scale at 100 Hz bends by at most (2π · 100 / 48000)² / 2 per frame.
    let worst = bend.indices.max { bend[$0] < bend[$1] } ?? 0
    #expect(bend[worst] < 1e-4, "at frame \(worst)")
  }

  @Test func `a failed edit leaves the graph unchanged`() throws {
    let engine = try AudioEngine(.offline(longestBlock: 64))
    let first = try engine.attach(.effect("gain"), name: "first")
    let second = try engine.attach(.effect("gain"), name: "second")
    try engine.connect(first, second)
    _ = try engine.render(64)
    let before = engine.graph
    #expect(throws: EngineError.self) { try engine.connect(second, first) }
    #expect(throws: EngineError.self) {
      try engine.edit { edit in
        _ = try edit.attach(.mixer(), name: "third")
        try edit.connect(second, first)
      }
    }
    #expect(engine.graph == before)
    #expect(engine.node("third") == nil)
  }

  /// Makes an edit that fails and is rolled back.
  private func failing(_ engine: AudioEngine, _ body: (inout GraphEdit) throws -> Void) {
    #expect(throws: EngineError.self) {
      try engine.edit { edit in
        try body(&edit)
        throw EngineError.serverLost
      }
    }
  }

  //  sine ──► gain ──► desk        (tapped behind the sine)
  @Test func `a node that a failed edit removed plays on, and its tap stays active`() async throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 100))
    let sine = try engine.attach(.source(channels: 1, sineWave), name: "sine")
    let gain = try engine.attach(.effect("gain", channels: 1), name: "gain")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(sine, gain, output)
    let tap = try engine.installTap(on: sine, bufferSize: 100)
    // Nothing has been rendered, so only the engine refers to the nodes.
    failing(engine) { edit in
      try edit.detach(sine)
      try edit.detach(gain)
    }
    var out: [Float] = []
    for _ in 0..<10 { out += try engine.render(100)[output]?[0] ?? [] }
    #expect(out.map(abs).max() ?? 0 > 0.4)
    try engine.removeTap(tap)
    var frames = 0
    for await buffer in tap { frames += buffer.samples.frameCount }
    #expect(frames == 1000)
    // A successful edit that removes the node ends its tap.
    let other = try engine.installTap(on: sine)
    try await engine.edit { edit in try edit.detach(sine) }
    for _ in 0..<10 { _ = try engine.render(100) }
    for await _ in other {}
  }

  @Test func `an edit may pass through a graph that cannot be played`() throws {
    let engine = try AudioEngine(.offline(longestBlock: 64))
    _ = try engine.render(64)
    failing(engine) { edit in
      let one = try edit.attach(.effect("gain"), name: "one"), two = try edit.attach(.effect("gain"))
      try edit.connect(one, two)
      try edit.connect(two, one)
    }
    #expect(engine.nodes.isEmpty)
    try engine.edit { edit in
      let one = try edit.attach(.effect("gain"), name: "one"), two = try edit.attach(.effect("gain"))
      try edit.connect(one, two)
      try edit.connect(two, one)
      // Only now is the graph playable.
      try edit.disconnect(two, from: one)
    }
    #expect(engine.nodes.count == 2)
  }

  @Test func `a parameter changes on its frame, and a value out of range is reported`() async throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 128))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let gain = try engine.attach(.effect("gain", channels: 1), name: "gain")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(voice, gain, output)
    let events = engine.events
    _ = try engine.render(128)
    try gain.set("gain", to: -300, over: .zero, at: AudioTime(frame: 128 + 37, sampleRate: 48_000))
    let ones = AudioBuffer([[Float](repeating: 1, count: 128)])
    let out = try engine.render(128, from: [voice: ones])[output]?[0] ?? []
    #expect(out.firstIndex(of: 0) == 37 && out[36] == 1)
    #expect(gain["gain"] == -96)
    for await event in events {
      guard case .clamped(let node, let parameter, let asked, let used) = event else { continue }
      #expect((node, parameter) == ("gain", "gain") && (asked, used) == (-300, -96))
      break
    }
    #expect(throws: EngineError.self) { try gain.set("gian", to: 0) }
  }

  @Test func `buffers that a slow task does not read are dropped and counted in the next`() async throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 100))
    let sine = try engine.attach(.source(channels: 1, sineWave), name: "sine")
    let tap = try engine.installTap(at: .node(sine), size: 100, keeping: 3)
    for _ in 0..<10 { _ = try engine.render(100) }
    var buffers = tap.makeAsyncIterator()
    for number in 0..<3 {
      let buffer = await buffers.next()
      #expect(buffer?.time.frame == Int64(100 * number) && buffer?.lostFrames == 0)
    }
    for _ in 0..<2 { _ = try engine.render(100) }
    let late = await buffers.next()
    #expect(late?.time.frame == 1000 && late?.lostFrames == 700 && late?.samples.frameCount == 100)
    #expect(await buffers.next()?.lostFrames == 0)
    // Buffers so long that none would ever be full get the longest possible length.
    let giant = try engine.installTap(on: sine, bufferSize: .max)
    let least = try engine.installTap(on: sine, bufferSize: 1)
    for _ in 0..<3 { _ = try engine.render(100) }
    try engine.removeTap(giant)
    try engine.removeTap(least)
    var counts: [Int] = []
    for await buffer in giant { counts.append(buffer.samples.frameCount) }
    #expect(counts == [300])
  }
}
