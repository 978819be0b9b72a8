// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline
import Testing

@testable import Swiftlet

/// Commands that overlap earlier commands, or find no running renderer. At 8 kHz a fade of 5 ms has 40 frames.
struct PlayerOrderTests {
  @Test func `of several seeks while nothing renders, the last takes effect`() throws {
    let rig = try PlayerRig()
    let sound = staircase(40_000)
    try rig.player.schedule(.file(try rig.file("a.wav", [sound])), onEvent: rig.log.add)
    try rig.player.seek(to: 20_000)
    for number in 0..<40 { try rig.player.seek(to: 100 * number) }
    try rig.player.seek(to: 0)
    try rig.player.play()
    #expect(try rig.render(1000) == Array(sound[..<1000]))
    for number in 0..<40 { try rig.player.seek(to: 500 * number) }
    try rig.player.seek(to: 30_000)
    #expect(rig.player.position == 30_000)
    let heard = try rig.render(11_000)
    for frame in 0..<40 {
      let part = falling(frame)
      let expected = sound[30_000 + frame] * (1 - part) + sound[1000 + frame] * part
      #expect(isNear(heard[frame], expected, within: 1e-6))
    }
    #expect(heard[40..<10_000] == sound[30_040...] && heard[10_000...].allSatisfy { $0 == 0 })
    #expect(rig.log.frames(.began) == [0] && rig.log.frames(.rendered(.finished)) == [11_000])
  }

  @Test func `of several loops set while nothing renders, the last takes effect`() throws {
    let rig = try PlayerRig()
    let sound = staircase(800, from: 1), kept = AudioBuffer([sound])
    let player = try AudioPlayer(kept, on: rig.engine, to: rig.output)
    try player.play()
    #expect(try rig.render(128) == Array(sound[..<128]))
    for _ in 0..<300 { try player.loop(.forever) }
    try player.loop(.once)
    #expect(player.currentTime.frames(at: 8000) == 128)
    let heard = try rig.render(1600)
    for frame in 0..<672 { #expect(isNear(heard[frame], sound[128 + frame], within: 1e-7), "\(frame)") }
    #expect(heard[672...].allSatisfy { $0 == 0 } && !player.isPlaying)
  }

  @Test func `a seek that finds no room for another part waits until there is room`() throws {
    let rig = try PlayerRig()
    let sound = staircase(4000, from: 1)
    let player = try AudioPlayer(AudioBuffer([sound]), on: rig.engine, to: rig.output)
    try player.play()
    _ = try rig.render(128)
    for _ in 0..<300 { try player.loop(.forever) }
    for target in [3000, 500, 2000] { try player.seek(to: MediaTime(frames: Int64(target), at: 8000)) }
    #expect(player.currentTime.frames(at: 8000) == 2000)
    // The other parts play for one block.
    let heard = try rig.render(640)
    #expect(heard[128...] == sound[2064..<2576])
  }

  @Test(arguments: [1, 64, 1000])
  func `a pause fades until the exact frame at which playback resumes`(block: Int) throws {
    let rig = try PlayerRig()
    try rig.player.schedule(.buffer(AudioBuffer([[Float](repeating: 0.5, count: 8000)])))
    try rig.player.play()
    _ = try rig.render(1000, block: block)
    rig.player.pause()
    _ = try rig.render(20, block: block)
    try rig.player.play(at: AudioTime(frame: 1030, sampleRate: 8000))
    let back = try rig.render(100, block: block)
    for frame in 0..<10 { #expect(isNear(back[frame], 0.5 * falling(20 + frame), within: 1e-6)) }
    for frame in 0..<40 {
      let level = 0.25 + 0.75 * (1 - falling(frame))
      #expect(isNear(back[10 + frame], 0.5 * level, within: 1e-6))
    }
    #expect(back[50...].allSatisfy { $0 == 0.5 })
    // Both commands before one block.
    rig.player.pause()
    try rig.player.play(at: AudioTime(frame: 1220, sampleRate: 8000))
    let gap = try rig.render(200, block: block)
    for frame in 0..<40 {
      #expect(isNear(gap[frame], 0.5 * falling(frame), within: 1e-6))
      #expect(isNear(gap[100 + frame], 0.5 * (1 - falling(frame)), within: 1e-6))
    }
    #expect(gap[40..<100].allSatisfy { $0 == 0 } && gap[140...].allSatisfy { $0 == 0.5 })
  }

  @Test(arguments: [Int64.min, .max], [PlayerItem.Entrance.waits, .interruptsAtLoop])
  func `an item at the latest possible time waits, and no time traps`(
    time: Int64, entrance: PlayerItem.Entrance
  ) throws {
    for speed in [1, 4.0] {
      let moments: [PlayerItem.Time] = [.frame(time), .engine(AudioTime(frame: time, sampleRate: 8000))]
      for moment in moments {
        let rig = try PlayerRig()
        try rig.player.setStretch(Stretch(speed: speed, varispeed: speed))
        try rig.player.schedule(.buffer(AudioBuffer([staircase(300, from: 1)]), loop: .forever))
        try rig.player.schedule(
          .buffer(AudioBuffer([[0.5]])), at: moment, entrance: entrance, onEvent: rig.log.add)
        try rig.player.play()
        let heard = try rig.render(1000)
        #expect(rig.log.frames(.began).isEmpty == (time == .max))
        // An item that interrupts at once drops the loop before it has begun.
        #expect(heard.contains { $0 != 0 } || time == .min)
        _ = rig.player.playerTime(for: AudioTime(frame: time, sampleRate: 8000))
        _ = rig.player.engineTime(for: MediaTime(frames: time, at: 8000))
      }
    }
  }
}
