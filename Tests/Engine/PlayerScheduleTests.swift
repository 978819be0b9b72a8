// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import Synchronization
import Testing

@testable import Swiftlet

/// The output of a player, compared with its items' frames. At 8 kHz a fade of 5 ms has 40 frames.
struct PlayerScheduleTests {
  @Test(arguments: [1, 64, 1000]) func `files and buffers play without gaps`(block: Int) throws {
    let rig = try PlayerRig()
    let (a, b, c) = (staircase(777), staircase(1, from: 5000), staircase(1234, from: 9000))
    try rig.player.schedule(.file(try rig.file("a.wav", [a])))
    try rig.player.schedule(.buffer(AudioBuffer([b])))
    try rig.player.schedule(.file(try rig.file("c.wav", [c]), part: .frames(34..<1034)))
    try rig.player.play()
    #expect(try rig.render(2000, block: block) == a + b + c[34..<1034] + silence(222))
    #expect(!rig.player.isPlaying && rig.player.currentItem == nil)
  }

  @Test func `a player paused by the engine resumes where it was, unless its user paused it`() throws {
    let rig = try PlayerRig()
    let sound = staircase(2000, from: 1)
    try rig.player.schedule(.buffer(AudioBuffer([sound])))
    try rig.player.play()
    #expect(try rig.render(500, block: 100) == Array(sound[..<500]))
    #expect(rig.engine.core.withLock { $0.holdForRoute() } == [rig.player.node.name])
    // It fades out over 40 frames.
    #expect(try rig.render(500, block: 100)[40...].allSatisfy { $0 == 0 })
    #expect(rig.engine.pausedPlayers == [rig.player.node.name])
    rig.engine.resumePlayers()
    #expect(try rig.render(500, block: 100)[40...] == sound[580..<1040])
    _ = rig.engine.core.withLock { $0.holdForRoute() }
    rig.player.pause()
    rig.engine.resumePlayers()
    #expect(try rig.render(500, block: 100)[40...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 64, 1000], [1, 2, 3, 4] as [UInt64])
  func `any schedule of parts, loops and times plays as in a slow model`(block: Int, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func roll(_ range: ClosedRange<Int>) -> Int { range.lowerBound + generator.below(range.count) }
    let rig = try PlayerRig()
    var model: [Float] = []
    for number in 0..<12 {
      let sound = staircase(roll(1...900), from: number * 10_000)
      let start = roll(0...sound.count - 1), end = roll(start + 1...sound.count)
      let first = roll(start...end - 1), last = roll(first + 1...end), times = roll(1...3)
      let time = roll(0...2) == 0 ? model.count + roll(-300...300) : nil
      try rig.player.schedule(
        .buffer(
          AudioBuffer([sound]), part: .frames(start..<end),
          loop: PlayerItem.Loop(.times(times), points: .frames(first..<last))),
        at: time.map { time in
          number % 2 == 0
            ? .frame(Int64(time)) : .engine(AudioTime(frame: Int64(time), sampleRate: 8000))
        }, entrance: .waits)
      if let time, time > model.count { model += silence(time - model.count) }
      model += sound[start..<first]
      for _ in 0..<times { model += sound[first..<last] }
      model += sound[last..<end]
    }
    try rig.player.play()
    #expect(try rig.render(model.count + 10, block: block) == model + silence(10))
    #expect(rig.player.underrunCount == 0)
  }

  @Test(arguments: [1, 64, 1000])
  func `a crossfade has equal power, and ends with the first of both items`(block: Int) throws {
    let rig = try PlayerRig()
    let (a, b) = ([Float](repeating: 0.5, count: 1000), [Float](repeating: 0.25, count: 700))
    try rig.player.schedule(.buffer(AudioBuffer([a])), onEvent: rig.log.add)
    try rig.player.schedule(.buffer(AudioBuffer([b])), crossfade: .milliseconds(25), onEvent: rig.log.add)
    try rig.player.play()
    let heard = try rig.render(1600, block: block)
    #expect(heard[..<800].allSatisfy { $0 == 0.5 } && heard[1000..<1500].allSatisfy { $0 == 0.25 })
    for frame in 0..<200 {
      let angle = Double.pi / 2 * Double(frame + 1) / 200
      let expected = 0.5 * cos(angle) + 0.25 * sin(angle)
      #expect(isNear(heard[800 + frame], Float(expected), within: 1e-6))
    }
    #expect(heard[1500...].allSatisfy { $0 == 0 })
    #expect(rig.log.frames(.began) == [0, 800] && rig.log.frames(.rendered(.finished)) == [1000, 1500])
  }

  @Test(arguments: [1, 64, 1000])
  func `a loop crossfades into itself, reports each pass, and continues after the last`(block: Int) throws {
    let rig = try PlayerRig()
    let sound = staircase(1000)
    let loop = PlayerItem.Loop(.times(3), points: .frames(200..<700), crossfade: .milliseconds(10))
    let item = try rig.player.schedule(.buffer(AudioBuffer([sound]), loop: loop), onEvent: rig.log.add)
    #expect(rig.player.length(of: item) == 200 + 2 * 420 + 800)
    try rig.player.play()
    let heard = try rig.render(1900, block: block)
    func expected(_ frame: Int) -> Double {
      guard frame >= 620 else { return Double(sound[frame]) }
      let pass = min((frame - 200) / 420, 2), offset = frame - 200 - 420 * pass
      guard 200 + offset < 1000 else { return 0 }
      guard offset < 80 else { return Double(sound[200 + offset]) }
      let angle = Double.pi / 2 * (Double(offset) + 0.5) / 80
      return Double(sound[200 + offset]) * sin(angle) + Double(sound[620 + offset]) * cos(angle)
    }
    for frame in heard.indices {
      #expect(isNear(heard[frame], Float(expected(frame)), within: 1e-6), "\(frame)")
    }
    #expect(rig.log.frames(.looped(1)) == [620] && rig.log.frames(.looped(2)) == [1040])
    #expect(rig.log.frames(.rendered(.finished)) == [1840])
  }

  @Test(arguments: [1, 64, 1000])
  func `an item interrupts on its frame, and drops items that waited before it`(block: Int) throws {
    let rig = try PlayerRig()
    let long = [Float](repeating: 0.5, count: 4000), next = [Float](repeating: 0.125, count: 500)
    let first = try rig.player.schedule(.buffer(AudioBuffer([long])), onEvent: rig.log.add)
    let never = try rig.player.schedule(.buffer(AudioBuffer([long])), onEvent: rig.log.add)
    try rig.player.schedule(
      .buffer(AudioBuffer([next])), at: .frame(1500), entrance: .interrupts, onEvent: rig.log.add)
    try rig.player.play()
    let heard = try rig.render(2500, block: block)
    #expect(heard[..<1500].allSatisfy { $0 == 0.5 } && heard[1540..<2000].allSatisfy { $0 == 0.125 })
    for frame in 0..<40 {
      #expect(isNear(heard[1500 + frame], 0.125 + 0.5 * falling(frame), within: 1e-6))
    }
    #expect(heard[2000...].allSatisfy { $0 == 0 })
    #expect(
      rig.log.kinds(of: never) == [.consumed, .rendered(.interrupted), .playedBack(.interrupted)])
    #expect(rig.log.kinds(of: first).last == .playedBack(.interrupted))
    #expect(rig.log.frames(.rendered(.interrupted)) == [1500, 1540])
  }

  @Test(arguments: [1, 64, 1000], [PlayerItem.Entrance.waits, .interruptsAtLoop])
  func `an item follows an endless loop at its loop point`(block: Int, entrance: PlayerItem.Entrance) throws {
    let rig = try PlayerRig()
    let (loop, next) = (staircase(300), [Float](repeating: 0.5, count: 100))
    try rig.player.schedule(.buffer(AudioBuffer([loop]), loop: .forever))
    try rig.player.schedule(
      .buffer(AudioBuffer([next])), at: .frame(1000), entrance: entrance, onEvent: rig.log.add)
    try rig.player.play()
    let heard = try rig.render(1400, block: block)
    #expect(Array(heard[..<1200]) == loop + loop + loop + loop)
    #expect(rig.log.frames(.began) == [1200] && heard[1240..<1300].allSatisfy { $0 == 0.5 })
    #expect(heard[1300...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 64, 1000])
  func `a pause fades and stops the player's time, and playing resumes it`(block: Int) throws {
    let rig = try PlayerRig()
    try rig.player.schedule(.buffer(AudioBuffer([[Float](repeating: 0.5, count: 4000)])))
    try rig.player.schedule(.buffer(AudioBuffer([[0.75]])), at: .frame(5000))
    try rig.player.play()
    _ = try rig.render(1000, block: block)
    rig.player.pause()
    let fade = try rig.render(1000, block: block)
    for frame in 0..<40 { #expect(isNear(fade[frame], 0.5 * falling(frame), within: 1e-6)) }
    #expect(
      fade[40...].allSatisfy { $0 == 0 } && rig.player.time == MediaTime(frames: 1040, at: 8000)
        && rig.player.position == 1040)
    #expect(!rig.player.isPlaying && rig.player.currentItem != nil)
    try rig.player.play(at: AudioTime(frame: 2500, sampleRate: 8000))
    let back = try rig.render(6000, block: block)
    #expect(back[..<500].allSatisfy { $0 == 0 })
    for frame in 0..<40 { #expect(isNear(back[500 + frame], 0.5 * (1 - falling(frame)), within: 1e-6)) }
    #expect(back[540..<3460].allSatisfy { $0 == 0.5 } && back[3460..<4460].allSatisfy { $0 == 0 })
    #expect(back[4460] == 0.75 && back[4461...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 64, 1000]) func `a seek crossfades to the exact frame`(block: Int) throws {
    let rig = try PlayerRig()
    let sound = staircase(40_000)
    try rig.player.schedule(.file(try rig.file("a.wav", [sound])), onEvent: rig.log.add)
    try rig.player.play()
    #expect(try rig.render(1000, block: block) == Array(sound[..<1000]))
    try rig.player.seek(to: 30_000)
    let heard = try rig.render(11_000, block: block)
    for frame in 0..<40 {
      let part = falling(frame)
      let expected = sound[30_000 + frame] * (1 - part) + sound[1000 + frame] * part
      #expect(isNear(heard[frame], expected, within: 1e-6))
    }
    #expect(heard[40..<10_000] == sound[30_040...] && heard[10_000...].allSatisfy { $0 == 0 })
    #expect(rig.log.frames(.rendered(.finished)) == [11_000])
  }

  @Test func `a seek of a paused or unstarted player is silent`() throws {
    let rig = try PlayerRig()
    let sound = staircase(5000)
    try rig.player.schedule(.buffer(AudioBuffer([sound])))
    try rig.player.seek(to: 4000)
    try rig.player.play()
    let heard = try rig.render(500)
    // Playback from the middle fades in.
    #expect(heard[39...] == sound[4039..<4500] && rig.player.position == 4500)
    for frame in 0..<40 {
      #expect(isNear(heard[frame], sound[4000 + frame] * (1 - falling(frame)), within: 1e-8))
    }
    rig.player.pause()
    _ = try rig.render(500)
    try rig.player.seek(to: 100)
    #expect(try rig.render(100) == silence(100) && rig.player.position == 100)
    try rig.player.play()
    #expect(try Array(rig.render(100)[40...]) == Array(sound[140..<200]))
  }

  @Test func `a file is converted to the player's rate and channel count`() throws {
    let rig = try PlayerRig(channels: 2)
    let tone = sine(44_100, 440, rate: 44_100)
    try rig.player.schedule(.file(try rig.file("tone.wav", [tone], rate: 44_100)))
    try rig.player.schedule(.buffer(AudioBuffer([tone, tone, tone], sampleRate: 44_100)))
    try rig.player.play()
    let heard = try rig.renderAll(16_000)
    #expect(heard[0] == heard[1])
    for frame in Array(500..<7500) + Array(8500..<15_500) {
      let expected = 0.5 * sin(2 * Double.pi * 440 * Double(frame % 8000) / 8000)
      #expect(isNear(heard[0][frame], Float(expected), within: 1e-4))
    }
  }

  //   three channels ──► player of one ──► out         the same bits
  //   three channels ──► player of three ── wire ──► out of one
  @Test func `a mono player mixes three channels with the same bits as a wire`() throws {
    let sound = [300.0, 410, 523].map { sine(1000, $0, rate: 8000) }
    func play(channels: Int) throws -> [Float] {
      let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
      let player = try PlayerNode(engine, channels: channels)
      let output = try engine.attach(.playback(channels: 1))
      try engine.connect(player, output)
      try player.schedule(.buffer(AudioBuffer(sound)))
      try player.play()
      return try #require(try engine.render(1000)[output]?[0])
    }
    let wired = try play(channels: 3)
    #expect(try wired.contains { $0 > 0.3 } && play(channels: 1) == wired)
  }

  @Test func `a new speed keeps the pitch, and does not depend on the block length`() throws {
    func play(_ block: Int) throws -> [Float] {
      let rig = try PlayerRig()
      let tone = sine(8000, 400, rate: 8000)
      try rig.player.setStretch(Stretch(speed: 0.5))
      try rig.player.schedule(.buffer(AudioBuffer([tone])), onEvent: rig.log.add)
      try rig.player.schedule(.buffer(AudioBuffer([[0.75]])), onEvent: rig.log.add)
      try rig.player.play()
      let heard = try rig.render(17_000, block: block)
      #expect(rig.log.frames(.rendered(.finished)).first == 16_000)
      return heard
    }
    let heard = try play(1000)
    #expect(try play(1) == heard && play(64) == heard)
    let crossings = zip(heard[2000..<14_000], heard[2001..<14_001]).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 600) <= 3)
  }
}
