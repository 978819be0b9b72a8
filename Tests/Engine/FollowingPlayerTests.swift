// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Players made by programs that follow the transport, offline at 8 kHz.
struct FollowingPlayerTests {
  private let rate = 8000.0

  private func rig() throws -> (engine: AudioEngine, output: AudioNode) {
    let engine = try AudioEngine(.offline(sampleRate: rate, longestBlock: 1000))
    return (engine, try engine.attach(.playback(channels: 1)))
  }

  /// Renders `count` frames and returns their samples.
  private func render(_ engine: AudioEngine, _ output: AudioNode, _ count: Int, block: Int) throws -> [Float]
  {
    var heard: [Float] = []
    while heard.count < count {
      heard += try #require(engine.render(min(block, count - heard.count))[output])[0]
    }
    return heard
  }

  //   player ──► desk: a, a gap, b twice, and c across b's end
  @Test(arguments: [64, 500]) func `a schedule follows the transport position`(block: Int) throws {
    let (engine, output) = try rig()
    let player = try PlayerNode(engine, channels: 1, followsTransport: true)
    try engine.connect(player.node, output)
    #expect(player.followsTransport)
    #expect(throws: (any Error).self) { try player.play() }
    try engine.setTransportRole(.follow)
    let a = staircase(4000, from: 1), b = staircase(3000, from: 10_001), c = staircase(2000, from: 20_001)
    try player.schedule(.buffer(AudioBuffer([a])))
    try player.schedule(.buffer(AudioBuffer([b]), loop: .times(2)), at: .frame(6000))
    try player.schedule(.buffer(AudioBuffer([c])))
    let expected = a + silence(2000) + b + b + c + silence(20_000)
    try player.play()
    #expect(try render(engine, output, 9000, block: block) == Array(expected[..<9000]))
    #expect(player.isPlaying && player.position == 3000 && player.time == MediaTime(frames: 9000, at: 8000))
    try engine.stopTransport()
    // It fades out over 5 ms.
    #expect(try render(engine, output, 2000, block: block)[500...].allSatisfy { $0 == 0 })
    #expect(!player.isPlaying && engine.transport.position == 9000)
    try engine.startTransport()
    #expect(try render(engine, output, 5000, block: block)[100...] == expected[9100..<14_000])
    // An item that has played is heard again when the transport returns to it, even in the middle of a loop.
    for start in [1500, 7000, 10_000, 13_500] {
      try engine.stopTransport()
      _ = try render(engine, output, 1000, block: block)
      try engine.locateTransport(to: MediaTime(frames: Int64(start), at: rate))
      try engine.startTransport()
      let heard = try render(engine, output, 5000, block: block)
      #expect(heard[100...] == expected[(start + 100)..<(start + 5000)], "from \(start)")
    }
    // A paused player is silent while the transport rolls, and resumes at the transport's position.
    try engine.locateTransport(to: .zero)
    player.pause()
    #expect(try render(engine, output, 3000, block: block)[1500...].allSatisfy { $0 == 0 })
    try player.play()
    let from = Int(engine.transport.position), joined = try render(engine, output, 4000, block: block)
    #expect(joined[(2 * block + 100)...] == expected[(from + 2 * block + 100)..<(from + 4000)])
    player.clear()
    #expect(try render(engine, output, 3000, block: block)[1500...].allSatisfy { $0 == 0 })
  }

  //   a long bed that has been read ahead, and an item scheduled over it while it plays
  @Test(arguments: [64, 500])
  func `an item scheduled while rolling is heard from its first frame`(block: Int) throws {
    let (engine, output) = try rig()
    let player = try PlayerNode(engine, channels: 1, followsTransport: true)
    try engine.connect(player.node, output)
    try engine.setTransportRole(.follow)
    let bed = staircase(30_000, from: 1), word = staircase(1000, from: 40_001)
    try player.schedule(.buffer(AudioBuffer([bed])))
    try player.play()
    var heard = try render(engine, output, 2000, block: block)
    let now = heard.count, start = now + 3 * block
    try player.schedule(.buffer(AudioBuffer([word])), at: .frame(Int64(start)), entrance: .interrupts)
    heard += try render(engine, output, 6000, block: block)
    // The bed plays until then, and fades out over 5 ms under the first 40 frames of the word.
    #expect(heard[..<start] == bed[..<start])
    #expect(heard[(start + 40)..<(start + 1000)] == word[40...])
    #expect(heard[start] != 0 && heard[(start + 1000)...].allSatisfy { $0 == 0 })
    #expect(player.underrunCount == 0)
    // An item that begins at once, or late, fades in over 5 ms.
    let late = heard.count
    try player.schedule(.buffer(AudioBuffer([bed])), at: .frame(Int64(late - 500)))
    heard += try render(engine, output, 2000, block: block)
    #expect(heard[(late + 40)..<(late + 2000)] == bed[540..<2500])
    let steps = zip(heard[late...], heard[(late + 1)...]).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 1e-4 && player.underrunCount == 0)
  }

  //   the same with a time stretcher, which has consumed more of the bed than it has output
  @Test(arguments: [500, 3000, 8000, 8300, 8600, 9500])
  func `an item scheduled on a stretched player is heard on time, without a gap`(ahead: Int) throws {
    let (engine, output) = try rig()
    let player = try PlayerNode(engine, channels: 1, enablesStretch: true, followsTransport: true)
    try engine.connect(player.node, output)
    try engine.setTransportRole(.follow)
    let bed = sine(60_000, 300, rate: rate), word = sine(20_000, 900, rate: rate)
    try player.schedule(.buffer(AudioBuffer([bed])))
    try player.play()
    var heard = try render(engine, output, 4000, block: 500)
    let start = heard.count + ahead
    try player.schedule(.buffer(AudioBuffer([word])), at: .frame(Int64(start)), entrance: .interrupts)
    heard += try render(engine, output, 14_000, block: 500)
    for frame in stride(from: 500, to: heard.count - 400, by: 100) where abs(frame + 200 - start) > 500 {
      let slice = heard[frame..<frame + 400]
      let crossings = zip(slice, slice.dropFirst()).count { $0 < 0 && $1 >= 0 }
      // 400 frames have 15 periods of the bed, 45 of the word.
      #expect(abs(crossings - (frame < start ? 15 : 45)) <= 1, "at \(frame)")
      #expect(slice.reduce(0) { $0 + $1 * $1 } > 400 * 0.06, "at \(frame)")
    }
    #expect(player.underrunCount == 0)
  }

  @Test func `commands that would move the player off the transport position are refused`() throws {
    let (engine, output) = try rig()
    let player = try PlayerNode(engine, channels: 1, followsTransport: true)
    try engine.connect(player.node, output)
    let buffer = AudioBuffer([staircase(100)]), moment = AudioTime(frame: 50, sampleRate: rate)
    func refused(_ error: ScheduleError, _ body: () throws -> Void) {
      #expect { try body() } throws: {
        guard case EngineError.schedule(_, let found)? = $0 as? EngineError else { return false }
        return found == error
      }
    }
    refused(.noTransport) { try player.play() }
    try engine.setTransportRole(.follow)
    refused(.followsTransport) { try player.play(at: moment) }
    refused(.followsTransport) { try player.seek(to: 10) }
    refused(.followsTransport) { try player.schedule(.buffer(buffer), at: .engine(moment)) }
    refused(.followsTransport) { try player.schedule(.buffer(buffer), at: .host(.now)) }
    refused(.noBeats) { try player.schedule(.buffer(buffer), at: .beat(2)) }
    try engine.setTransportRole(.timebase(TempoMap(120)))
    try player.schedule(.buffer(AudioBuffer([staircase(100, from: 1)])), at: .beat(2))
    try player.play()
    // At 120 beats per minute a beat is 4000 frames.
    #expect(try render(engine, output, 9000, block: 500).firstIndex { $0 != 0 } == 8000)
    let single = try AudioPlayer(buffer, on: engine, to: output, followsTransport: true)
    try single.play()
    refused(.followsTransport) { try single.seek(to: .zero) }
  }

  @Test func `an interrupting item begins at its transport position or at a loop point`() throws {
    let (engine, output) = try rig()
    let player = try PlayerNode(engine, channels: 1, followsTransport: true)
    try engine.connect(player.node, output)
    try engine.setTransportRole(.follow)
    let a = staircase(1000, from: 1), b = staircase(2000, from: 5001)
    let log = EventLog()
    let bed = try player.schedule(.buffer(AudioBuffer([a]), loop: .forever), onEvent: log.add)
    let gone = try player.schedule(
      .buffer(AudioBuffer([b])), at: .frame(30_000), entrance: .interrupts, onEvent: log.add)
    try player.schedule(.buffer(AudioBuffer([b])), at: .frame(4500), entrance: .interruptsAtLoop)
    try player.play()
    let heard = try render(engine, output, 9000, block: 500)
    #expect(heard[..<5000] == (a + a + a + a + a)[...])
    #expect(heard[5040..<7000] == b[40...])
    // The loop fades out over 5 ms under the item that interrupts it.
    #expect(abs(heard[5000] - (b[0] + a[0] * 39 / 40)) < 1e-6)
    #expect(heard[7000...].allSatisfy { $0 == 0 })
    #expect(log.kinds(of: gone) == [.consumed, .rendered(.interrupted), .playedBack(.interrupted)])
    #expect(log.kinds(of: bed) == [.began, .looped(1), .looped(2), .looped(3), .looped(4), .looped(5)])
    #expect(log.frames(.looped(3)) == [3000])
    try engine.locateTransport(to: .zero)
    _ = try render(engine, output, 2500, block: 500)
    #expect(log.kinds(of: bed).suffix(2) == [.began, .looped(1)])
    player.clear()
    _ = try render(engine, output, 500, block: 500)
    #expect(log.kinds(of: bed).suffix(3) == [.consumed, .rendered(.stopped), .playedBack(.stopped)])
  }

  //   player ──► desk, through an endless loop at another playback rate
  @Test(arguments: [0.5, 1, 2])
  func `an audio player is at the transport position, at any playback rate and in loops`(pace: Double) throws
  {
    let (engine, output) = try rig()
    let length = 5000, sound = staircase(length, from: 1)
    let player = try AudioPlayer(AudioBuffer([sound]), on: engine, to: output, followsTransport: true)
    try player.loop(.forever)
    try engine.setTransportRole(.follow)
    try player.play()
    try player.player.setStretch(Stretch(varispeed: pace))
    for start in [0, 16_000, 3000, 16_000] {
      try engine.stopTransport()
      _ = try render(engine, output, 1000, block: 500)
      try engine.locateTransport(to: MediaTime(frames: Int64(start), at: rate))
      try engine.startTransport()
      let heard = try render(engine, output, 6000, block: 500)
      for frame in stride(from: 1000, to: 6000, by: 250) {
        let wanted = (Double(start + frame) * pace).truncatingRemainder(dividingBy: Double(length))
        // The filter smears the loop's seam.
        guard wanted > 300, wanted < Double(length) - 300 else { continue }
        #expect(abs(Double(heard[frame]) * 1_048_576 - 1 - wanted) < 1.5, "from \(start), \(frame) on")
      }
      let position = (Double(start + 6000) * pace).truncatingRemainder(dividingBy: Double(length))
      #expect(abs(Double(player.currentTime.frames(at: rate)) - position) < 2)
    }
  }

  //   player ──► desk: a good file, and one that was truncated after it was scheduled
  @Test func `an unreadable file is silent, and the others continue`() throws {
    let rig = try PlayerRig()
    let player = try PlayerNode(rig.engine, channels: 1, followsTransport: true)
    try rig.engine.connect(player.node, rig.output)
    try rig.engine.setTransportRole(.follow)
    // Longer than the part that is read when the file is opened.
    let long = try rig.file("long.wav", [staircase(100_000, from: 1)])
    let other = staircase(1000, from: 1)
    try player.schedule(.buffer(AudioBuffer([other])))
    let cut = try player.schedule(.file(long), at: .frame(100_000), onEvent: rig.log.add)
    try player.schedule(.buffer(AudioBuffer([other])))
    truncate(long, 4000)
    try player.play()
    let heard = try rig.render(202_000, block: 1000)
    #expect(heard[..<1000] == other[...] && heard[200_000..<201_000] == other[...])
    #expect(heard[150_000..<200_000].allSatisfy { $0 == 0 })
    #expect(
      rig.log.kinds(of: cut).contains {
        if case .rendered(.failed) = $0 { true } else { false }
      })
  }

  @Test(arguments: [PlayerItem.Entrance.waits, .interrupts, .interruptsAtLoop])
  func `a schedule accepts extreme numbers`(entrance: PlayerItem.Entrance) throws {
    let (engine, output) = try rig()
    let player = try PlayerNode(engine, channels: 1, followsTransport: true)
    try engine.connect(player.node, output)
    try engine.setTransportRole(.follow)
    let sound = staircase(1000, from: 1)
    try player.schedule(.buffer(AudioBuffer([sound])))
    for start: Int64 in [.max, .max - 1000, 1 << 60] {
      for times in [1, Int.max - 1] {
        try player.schedule(
          .buffer(AudioBuffer([sound]), loop: .times(times)), at: .frame(start), entrance: entrance)
      }
    }
    try player.play()
    #expect(try render(engine, output, 3000, block: 500) == sound + silence(2000))
  }
}
