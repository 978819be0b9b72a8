// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import Swiftlet

/// Audio times, and actions scheduled at them.
@Suite struct AudioTimeTests {
  @Test func `an audio time converts to another rate`() {
    let second = AudioTime(frame: 44_100, sampleRate: 44_100)
    #expect(second.frame(at: 48_000) == 48_000)
    #expect(AudioTime(frame: -1, sampleRate: 44_100).frame(at: 96_000) == -2)
    #expect(AudioTime(frame: 1_000_000_000_003, sampleRate: 48_000).frame(at: 48_000) == 1_000_000_000_003)
    for frame in [Int64.min, .max] {
      for rate in [48_000, 0, -1, .nan, .infinity, 1e-300] {
        let moment = AudioTime(frame: frame, sampleRate: rate)
        #expect(abs(moment.frame(at: 48_000)) <= 1 << 60)
        #expect(abs(moment.frame(at: rate)) <= 1 << 60)
        _ = moment + .seconds(Int64.max) + .seconds(Int64.min)
      }
    }
  }

  //  player ──► desk
  @Test func `playback scheduled at a time with another rate begins at that time`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 1000))
    let output = try engine.attach(.playback(channels: 1))
    let player = try PlayerNode(engine, channels: 1)
    try engine.connect(player.node, output)
    try player.schedule(.buffer(AudioBuffer([[Float](repeating: 0.5, count: 2000)])))
    try player.play(at: AudioTime(frame: 1470, sampleRate: 44_100))
    var heard: [Float] = []
    for _ in 0..<5 { heard += try engine.render(1000)[output]?[0] ?? [] }
    let silence = [Float](repeating: 0, count: 1600), rest = [Float](repeating: 0, count: 1400)
    #expect(heard == silence + [Float](repeating: 0.5, count: 2000) + rest)
  }

  @Test func `a time has a host time in JACK only, which moves with it and is not compared`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 1000))
    #expect(engine.now.hostTime == nil)
    let now = ContinuousClock.now
    let timed = AudioTime(frame: 100, sampleRate: 1000, hostTime: now),
      plain = AudioTime(frame: 100, sampleRate: 1000)
    #expect(timed == plain && timed.hashValue == plain.hashValue && !(timed < plain) && !(plain < timed))
    #expect((timed + .seconds(2)).hostTime == now + .seconds(2))
    #expect((timed + .seconds(-2)).frame == -1900)
    _ = timed + .seconds(Int64.max) + .seconds(Int64.min)
  }

  @Test func `durations are added to media times, and an untyped quantity is a media time`() {
    let third = MediaTime(frames: 1, at: 3), half = Duration.milliseconds(500)
    #expect(third + half == MediaTime(frames: 5, at: 6))
    #expect(third + .seconds(1) + half + .seconds(0.5) == MediaTime(frames: 7, at: 3))
    let latest = MediaTime.seconds(.infinity)
    #expect(latest + Duration.seconds(Int64.max) == latest && latest + Duration.seconds(Int64.min) == .zero)
  }

  @Test func `the host clock converts between instants and frames`() {
    let clock = HostClock(frame: 48_000, sampleRate: 48_000)
    let zero = clock.time(of: 0)
    #expect(clock.frame(at: zero) == 0 && clock.frame(at: zero + .seconds(3)) == 144_000)
    #expect(clock.time(of: 96_000) - zero == .seconds(2))
    for frame in [Int64.min, -1, .max] { _ = clock.frame(at: clock.time(of: frame)) }
    #expect(HostClock(frame: .max, sampleRate: 48_000).frame(at: .now + .seconds(100)) == .max)
  }
}
