// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletTesting
import Testing

/// Overlapping items.
struct PlayerOverlapTests {
  /// An item of the slow model: its sound, its start, and whether it waits for earlier items.
  private struct Planned {
    let sound: [Float], time: Int?, waits: Bool
    var began: Int?
    /// The first frame after its end, or nil until it has begun.
    var end: Int? { began.map { $0 + sound.count } }
  }

  /// Returns the output of a player, frame by frame.
  private func model(_ plan: [Planned], _ count: Int) -> [Float] {
    var plan = plan
    return (0..<count).map { frame in
      var sum: Float = 0
      for index in plan.indices {
        let isDue = frame >= plan[index].time ?? 0
        let isFree = !plan[index].waits || plan[..<index].allSatisfy { $0.end.map { $0 <= frame } ?? false }
        if plan[index].began == nil, isDue, isFree { plan[index].began = frame }
        guard let began = plan[index].began, frame < began + plan[index].sound.count else { continue }
        sum += plan[index].sound[frame - began]
      }
      return sum
    }
  }

  /// Returns random items: some wait, some also wait for a time, and some overlap.
  private func plan(_ generator: inout SeededGenerator, within frames: Int) -> [Planned] {
    (0..<1 + generator.below(12)).map { number in
      let sound = staircase(1 + generator.below(900), from: 1 + 1000 * number)
      let time = generator.below(3) == 0 ? nil : generator.below(frames)
      return Planned(sound: sound, time: time, waits: time == nil || generator.below(3) == 0)
    }
  }

  //   bed ~~~~~~~~~~~~~~~~~~~ endless
  //   click        ──            at its frame, over the bed
  @Test(arguments: [1, 64, 1000]) func `a click on a frame plays over an endless bed`(block: Int) throws {
    let rig = try PlayerRig()
    let bed = staircase(700, from: 1), click = staircase(90, from: 2000)
    let item = try rig.player.schedule(.buffer(AudioBuffer([bed]), loop: .forever), onEvent: rig.log.add)
    try rig.player.schedule(.buffer(AudioBuffer([click])), at: .frame(1500), onEvent: rig.log.add)
    try rig.player.play()
    var expected = (0..<3000).map { bed[$0 % 700] }
    for frame in click.indices { expected[1500 + frame] += click[frame] }
    #expect(try rig.render(1550, block: block) == Array(expected[..<1550]))
    // The current item is the one that ends last.
    #expect(rig.player.currentItem == item && rig.player.position == 1550 && rig.player.duration == nil)
    #expect(try rig.render(1450, block: block) == Array(expected[1550...]))
    #expect(rig.log.frames(.began) == [0, 1500] && rig.log.frames(.rendered(.finished)) == [1590])
    #expect(rig.player.isPlaying)
  }

  @Test(arguments: [1, 64, 1000])
  func `waiting and overlapping items play as in a slow model`(block: Int) throws {
    var generator = SeededGenerator(seed: UInt64(block))
    for _ in 0..<(block == 1 ? 8 : 60) {
      let rig = try PlayerRig(), plan = plan(&generator, within: 3000)
      for item in plan {
        try rig.player.schedule(
          .buffer(AudioBuffer([item.sound])), at: item.time.map { .frame(Int64($0)) },
          entrance: item.waits ? .waits : nil, onEvent: rig.log.add)
      }
      try rig.player.play()
      #expect((try rig.render(9000, block: block) == model(plan, 9000)) as Bool)
    }
  }

  @Test func `items of a player that follows the transport overlap as in the slow model`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<40 {
      let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
      let player = try engine.attachPlayer(channels: 1, followsTransport: true)
      let output = try engine.attach(.playback(channels: 1, ceiling: nil))
      try engine.connect(player, output)
      try engine.setTransportRole(.local(try TempoMap()))
      let plan = plan(&generator, within: 3000).filter { !$0.waits }
      for item in plan {
        try player.schedule(.buffer(AudioBuffer([item.sound])), at: .frame(Int64(item.time ?? 0)))
      }
      try player.play()
      var heard: [Float] = []
      while heard.count < 5000 { heard += try engine.render(500)[output]?[0] ?? [] }
      #expect((heard == model(plan, heard.count)) as Bool)
    }
  }

  //   bed ~~~~~~~~~~~~  click  ──    cut ▔▔▔▔: all others fade out under it
  @Test(arguments: [1, 64, 1000]) func `an interrupting item cuts off all others`(block: Int) throws {
    let rig = try PlayerRig()
    let (bed, click, cut) = (
      [Float](repeating: 0.5, count: 4000), [Float](repeating: 0.25, count: 900), 0.125 as Float
    )
    let first = try rig.player.schedule(.buffer(AudioBuffer([bed])), onEvent: rig.log.add)
    let second = try rig.player.schedule(.buffer(AudioBuffer([click])), at: .frame(500), onEvent: rig.log.add)
    try rig.player.schedule(
      .buffer(AudioBuffer([[Float](repeating: cut, count: 300)])), at: .frame(1000), entrance: .interrupts)
    // Scheduled later, it overlaps the interrupting item.
    let last = try rig.player.schedule(.buffer(AudioBuffer([click])), at: .frame(1100), onEvent: rig.log.add)
    try rig.player.play()
    let heard = try rig.render(2500, block: block)
    #expect(heard[..<500].allSatisfy { $0 == 0.5 } && heard[500..<1000].allSatisfy { $0 == 0.75 })
    for frame in 0..<40 {
      #expect(isNear(heard[1000 + frame], cut + 0.75 * falling(frame), within: 1e-6))
    }
    #expect(heard[1040..<1100].allSatisfy { $0 == cut } && heard[1100..<1300].allSatisfy { $0 == cut + 0.25 })
    #expect(heard[1300..<2000].allSatisfy { $0 == 0.25 } && heard[2000...].allSatisfy { $0 == 0 })
    for item in [first, second] { #expect(rig.log.kinds(of: item).last == .playedBack(.interrupted)) }
    #expect(rig.log.kinds(of: last).contains(.rendered(.finished)))
  }

  @Test func `an item crossfades from the one that ends last, and another plays to its end`() throws {
    let rig = try PlayerRig()
    let (long, short) = ([Float](repeating: 0.5, count: 2000), [Float](repeating: 0.25, count: 900))
    try rig.player.schedule(.buffer(AudioBuffer([long])))
    try rig.player.schedule(.buffer(AudioBuffer([short])), at: .frame(1050))
    try rig.player.schedule(.buffer(AudioBuffer([silence(500)])), crossfade: .milliseconds(25))
    try rig.player.play()
    let heard = try rig.render(2500)
    // A crossfade of 200 frames: the long item fades from 1800 on, and the short one ends at 1950 without a fade.
    #expect(heard[1799] == 0.75 && heard[1799] > heard[1900] && heard[1949] > 0.25 && heard[1950] < 0.25)
  }

  @Test(arguments: [64, 1000])
  func `a thousand clicks in any order play on their frames, without underruns`(block: Int) throws {
    let rig = try PlayerRig()
    var generator = SeededGenerator(seed: 11), expected = silence(120_000)
    let click = staircase(30, from: 1)
    for number in (0..<1000).shuffled(using: &generator) {
      let frame = 100 * number + generator.below(60)
      try rig.player.schedule(.buffer(AudioBuffer([click])), at: .frame(Int64(frame)))
      for offset in click.indices { expected[frame + offset] += click[offset] }
    }
    try rig.player.play()
    #expect((try rig.render(120_000, block: block) == expected) as Bool)
    #expect(!rig.player.isPlaying && rig.player.underrunCount == 0)
  }

  @Test func `overlapping items beyond the limit are refused, and the earlier ones play`() throws {
    let rig = try PlayerRig()
    let tone = AudioBuffer([[Float](repeating: 1 / 1024, count: 500)])
    var taken = 0
    #expect {
      for _ in 0..<1000 {
        try rig.player.schedule(.buffer(tone), at: .frame(100))
        taken += 1
      }
    } throws: {
      guard case EngineError.schedule(_, .tooManyOverlap(let most, _))? = $0 as? EngineError else {
        return false
      }
      return most == taken
    }
    // At other times, or as waiting items, more can be scheduled.
    try rig.player.schedule(.buffer(tone), at: .frame(60_000))
    try rig.player.schedule(.buffer(tone))
    try rig.player.play()
    let heard = try rig.render(61_200)
    #expect(heard[100] == Float(taken) / 1024 && heard[60_000] == 1 / 1024 && heard[60_500] == 1 / 1024)
  }

  @Test func `a pause holds all items, and they resume together`() throws {
    let rig = try PlayerRig()
    let a = staircase(3000, from: 1), b = staircase(2000, from: 4000)
    try rig.player.schedule(.buffer(AudioBuffer([a])))
    try rig.player.schedule(.buffer(AudioBuffer([b])), at: .frame(500))
    try rig.player.play()
    _ = try rig.render(1000)
    rig.player.pause()
    _ = try rig.render(500)
    try rig.player.play()
    let back = try rig.render(3000)
    // 40 frames advanced in the fade to the pause.
    let over = silence(500) + b + silence(500), sum = zip(a, over).map(+)
    #expect(back[40..<1960] == sum[1080...])
  }
}
