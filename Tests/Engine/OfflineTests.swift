// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Testing

struct OfflineTests {
  //  voice ──► delay ──► desk
  @Test func `between blocks a plugin takes a preset at once, whether the engine pauses or not`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let delay = try engine.attach(.plugin("urn:zamaudio:ZamDelay", channels: 1), name: "delay")
    let desk = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(voice, delay, desk)
    let preset = try #require(delay.info?.presets.first?.id)
    _ = try engine.render(512)
    let start = ContinuousClock.now
    try delay.set("time", to: 1)
    try delay.load(preset: preset)
    #expect(delay["time"] == 160)
    engine.pause()
    try delay.load(preset: preset)
    #expect(ContinuousClock.now - start < .milliseconds(500))
  }

  //  voice ──► gain ──► desk
  @Test func `an engine renders with no server`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let gain = try engine.attach(.effect("gain", channels: 1), name: "gain")
    let desk = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(voice, gain, desk)
    try gain.set("gain", to: -6.0206)
    let out = try engine.render(4, from: [voice: AudioBuffer([[1, 0.5, -1, 0]])])
    let desked = try #require(out[desk])
    #expect(desked.channelCount == 2)
    for (got, wanted) in zip(desked[0], [0.5, 0.25, -0.5, 0] as [Float]) { #expect(abs(got - wanted) < 1e-5) }
    #expect(desked[0] == desked[1])
  }

  //  keys ──► through
  @Test func `events are handed in on their frames, and those without room are told`() async throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 64))
    let keys = try engine.attach(.midiInput(), name: "keys")
    let through = try engine.attach(.midiOutput(), name: "through")
    try engine.connect(keys, through)
    var news = engine.events.makeAsyncIterator()
    var starts: [Int64] = []
    for count in [1, 0, 2000] {
      try engine.render(64) { _, _, _ in
      } play: { node, events, start in
        #expect(node == keys)
        #expect(events.isEmpty)
        starts.append(start)
        for _ in 0..<count {
          var note = UInt32(0x64_3C_90)
          events.append(EventHeader(frame: start, type: EventType.midi, size: 3), bytes: &note)
        }
      } deliver: { _, _, _ in
      }
    }
    #expect(starts == [0, 64, 128])
    guard case .eventsLost(let lost)? = await news.next() else {
      Issue.record("nothing was told of the lost events")
      return
    }
    // 24 bytes each in 32 KiB, less a head.
    #expect(lost == 2000 - 1364)
  }

  //  tone ──► desk, tapped
  @Test func `a tap delivers every frame, the last partial buffer too`() async throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
    let tone = try engine.attach(
      .source(channels: 1) { block in
        let out = block.output()[0]
        for frame in 0..<out.count { out[frame] = Float(block.frame + Int64(frame)) / 10_000 }
      }, name: "tone")
    let desk = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(tone, desk)
    let tap = try engine.installTap(on: tone, bufferSize: 100)
    for _ in 0..<3 { _ = try engine.render(350) }
    try engine.removeTap(tap)
    var all: [Float] = [], starts: [Int64] = [], sizes: [Int] = []
    for await piece in tap {
      starts.append(piece.time.frame)
      sizes.append(piece.buffer.frameCount)
      all += piece.buffer[0]
    }
    #expect(all == (0..<1050).map { Float($0) / 10_000 })
    #expect(sizes == Array(repeating: 100, count: 10) + [50])
    #expect(starts == (0..<11).map { Int64($0 * 100) })
  }
}
