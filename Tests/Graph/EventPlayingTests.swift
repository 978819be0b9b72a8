// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTesting
import Testing

@testable import SwiftletGraph
@testable import SwiftletPlayback

/// MIDI players with their own time, which control threads start, stop, seek and change in tempo.
@Suite struct EventPlayingTests {
  /// A note of channel 1 from 50 to 150, a note of channel 2 from 100 to 120, and program changes of channel 5 at 0
  /// and 140.
  private static let sequence = [
    (0, 0x05C5, 2), (50, 0x40_3C91, 3), (100, 0x40_3C92, 3), (120, 0x00_3C82, 3), (140, 0x09C5, 2),
    (150, 0x00_3C81, 3),
  ].map { EventSource.Message(frame: $0, bytes: UInt32($1), size: UInt32($2)) }

  /// `song ──► out`.
  private struct Setup {
    let rig = Rig(outputs: [.events])
    let source: EventSource
    var eventCount = 0

    init(times: Int? = 1) throws {
      source = EventSource(EventPlayingTests.sequence, length: 200, times: times)
      var sketch = Sketch()
      try sketch.wire(try sketch.source("song", source, .events), sketch.output("out", 0, .events))
      try rig.play(sketch)
    }

    /// Renders `count` frames and returns the frame, relative to the start, and first byte of each event.
    mutating func run(_ count: Int, block: Int) -> [[Int]] {
      let begin = rig.frame
      var left = count
      while left > 0 {
        rig.renderBlock(min(left, block))
        left -= block
      }
      defer { eventCount = rig.eventsOut.count }
      return rig.eventsOut[eventCount...].map { [Int($0.frame - begin), Int($0.byte)] }
    }
  }

  @Test(arguments: [1, 7, 64, 1000])
  func `a pause releases held notes, and playback resumes from that position`(block: Int) throws {
    var setup = try Setup()
    #expect(setup.run(110, block: block) == [[0, 0xC5], [50, 0x91], [100, 0x92]])
    setup.source.pause()
    #expect(setup.run(300, block: block) == [[0, 0x81], [0, 0x82]])
    #expect(!setup.source.isPlaying && setup.source.position == 110)
    setup.source.play()
    #expect(setup.run(100, block: block) == [[10, 0x82], [30, 0xC5], [40, 0x81]])
    #expect(!setup.source.isPlaying)
    // The player has ended, so it starts from the beginning.
    setup.source.play()
    #expect(setup.source.isPlaying && setup.source.position == 0)
    #expect(setup.run(60, block: block) == [[0, 0xC5], [50, 0x91]])
  }

  @Test(arguments: [1, 7, 64, 1000]) func `playback starts on the requested frame`(block: Int) throws {
    var setup = try Setup()
    setup.source.pause()
    _ = setup.run(100, block: block)
    setup.source.play(at: 333)
    #expect(
      setup.run(400, block: block) == [
        [233, 0xC5], [283, 0x91], [333, 0x92], [353, 0x82], [373, 0xC5], [383, 0x81],
      ])
  }

  @Test(arguments: [1, 7, 64, 1000])
  func `a seek sends the controllers in effect at the new position once`(block: Int) throws {
    var setup = try Setup(times: 3)
    _ = setup.run(110, block: block)
    setup.source.seek(to: 145)
    #expect(setup.source.position == 145)
    // Both notes are released, and the second program is in effect.
    #expect(setup.run(50, block: block) == [[0, 0x81], [0, 0x82], [0, 0xC5], [5, 0x81]])
    setup.source.pause()
    setup.source.seek(to: 430)
    _ = setup.run(50, block: block)
    setup.source.play()
    // In the third repetition the previous repetition's program is in effect, and each repetition sets it again at
    // its start.
    #expect(setup.run(30, block: block) == [[0, 0xC5], [20, 0x91]])
    #expect(setup.source.position == 460 && setup.source.wholeLength == 600)
    setup.source.seek(to: 600)
    #expect(setup.run(100, block: block) == [[0, 0x81]] && !setup.source.isPlaying)
  }

  @Test(arguments: [1, 7, 64, 1000])
  func `a new tempo moves every message, from the frame at which it is set`(block: Int) throws {
    var setup = try Setup()
    setup.source.rate = 2
    #expect(setup.run(30, block: block) == [[0, 0xC5], [25, 0x91]])
    #expect(setup.source.position == 60)
    setup.source.rate = 0.5
    #expect(setup.run(200, block: block) == [[80, 0x92], [120, 0x82], [160, 0xC5], [180, 0x81]])
    setup.source.rate = 100
    #expect(setup.source.rate == 4)
    setup.source.rate = .nan
    #expect(setup.source.rate == 4)
  }

  @Test(arguments: [1, 7, 64, 1000])
  func `a muted channel releases and sends no notes, but keeps its programs current`(block: Int) throws {
    var setup = try Setup(times: 2)
    #expect(setup.run(60, block: block) == [[0, 0xC5], [50, 0x91]])
    setup.source.mutes = 1 << 1 | 1 << 5
    // A second note-off is harmless.
    #expect(setup.run(140, block: block) == [[0, 0x81], [40, 0x92], [60, 0x82], [80, 0xC5], [90, 0x81]])
    #expect(setup.run(60, block: block) == [[0, 0xC5]])
    setup.source.mutes = 0
    #expect(setup.run(100, block: block) == [[40, 0x92], [60, 0x82], [80, 0xC5], [90, 0x81]])
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `random commands leave no held note, and send each message at its time`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    var setup = try Setup(times: nil)
    var position = 0.0, plays = true, rate = 1.0
    for _ in 0..<300 {
      var isMoved = false
      switch dice.below(6) {
      case 0:
        plays.toggle()
        if plays { setup.source.play() } else { setup.source.pause() }
      case 1:
        position = Double(dice.below(1000))
        setup.source.seek(to: Int64(position))
        isMoved = true
      case 2:
        rate = [0.25, 0.5, 1, 2, 4][dice.below(5)]
        setup.source.rate = rate
      default: break
      }
      let count = 1 + dice.below(90), events = setup.run(count, block: 1 + dice.below(40))
      guard plays else {
        // Only note-offs.
        #expect(events.allSatisfy { $0[0] == 0 && $0[1] & 0xF0 == 0x80 })
        continue
      }
      // The note-ons that the formula predicts.
      let passes = (Int(position) / 200 - 1)...(Int(position + Double(count) * rate) / 200 + 1)
      var expected: [[Int]] = []
      for pass in passes where pass >= 0 {
        for (frame, byte) in [(50, 0x91), (100, 0x92)] {
          let wait = ((Double(pass * 200 + frame) - position) / rate).rounded(.down)
          if Double(pass * 200 + frame) >= position, wait < Double(count) {
            expected.append([Int(wait), byte])
          }
        }
      }
      #expect(
        events.filter { $0[1] & 0xF0 == 0x90 } == expected,
        "seed \(seed), position \(position), moved \(isMoved)")
      position += Double(count) * rate
    }
    setup.source.pause()
    _ = setup.run(10, block: 10)
    var held: [Int: Int] = [:]
    for event in setup.rig.eventsOut {
      let channel = Int(event.byte & 15)
      if event.byte & 0xF0 == 0x90 { held[channel] = 1 }
      if event.byte & 0xF0 == 0x80 { held[channel] = 0 }
    }
    #expect(held.values.allSatisfy { $0 == 0 })
  }
}
