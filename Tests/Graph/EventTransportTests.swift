// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletGraph
@testable import SwiftletPlayback

/// MIDI players that follow the transport. The tests identify each message by its first byte, so every message has
/// its own channel.
@Suite struct EventTransportTests {
  /// A program change at 0, a note from 50 to 150, a volume at 60 and 120, another program change at 140.
  private static let sequence = [
    (0, 0x05C0, 2), (50, 0x40_3C91, 3), (60, 0x64_07B2, 3), (120, 0x50_07B2, 3), (140, 0x09C3, 2),
    (150, 0x00_3C81, 3),
  ].map { frame, bytes, size in
    EventSource.Message(frame: frame, bytes: UInt32(bytes), size: UInt32(size))
  }

  /// `song ──► out`, with a transport that the test moves.
  private struct Setup {
    let rig = Rig(outputs: [.events])
    let source: EventSource
    var eventCount = 0

    init(times: Int? = 1, follows: Bool = true) throws {
      source = EventSource(EventTransportTests.sequence, length: 200, times: times)
      source.follow(follows)
      var sketch = Sketch()
      let song = try sketch.source("song", source, .events)
      try sketch.wire(song, sketch.output("out", 0, .events))
      try rig.play(sketch)
    }

    /// Renders `count` frames of a rolling or stopped transport, and returns the song position and first byte of each
    /// event.
    mutating func run(from position: Int64, _ count: Int, block: Int, rolls: Bool = true) -> [[Int]] {
      let begin = rig.frame
      rig.transport = Transport(isRolling: rolls, position: position)
      var left = count
      while left > 0 {
        rig.renderBlock(min(left, block))
        if rolls { rig.transport.position += Int64(min(left, block)) }
        left -= block
      }
      defer { eventCount = rig.eventsOut.count }
      return rig.eventsOut[eventCount...].map { [Int($0.frame - begin + position), Int($0.byte)] }
    }
  }

  @Test(arguments: [1, 7, 64, 1000])
  func `a MIDI player plays while the transport rolls, and releases its notes when it stops`(
    block: Int
  ) throws {
    var setup = try Setup()
    #expect(setup.run(from: 0, 100, block: block, rolls: false) == [])
    #expect(setup.run(from: 0, 100, block: block) == [[0, 0xC0], [50, 0x91], [60, 0xB2]])
    #expect(setup.run(from: 100, 100, block: block, rolls: false) == [[100, 0x81]])
    // The controllers in effect are sent first, each value once. The note has begun before this position.
    #expect(
      setup.run(from: 130, 100, block: block)
        == [[130, 0xC0], [130, 0xB2], [140, 0xC3], [150, 0x81]])
    // Relocated while rolling.
    #expect(setup.run(from: 40, 20, block: block) == [[40, 0xC0], [50, 0x91]])
    #expect(
      setup.run(from: 145, 20, block: block)
        == [[145, 0x81], [145, 0xC0], [145, 0xB2], [145, 0xC3], [150, 0x81]])
    #expect(setup.run(from: 200, 1000, block: block) == [])
  }

  @Test(arguments: [1, 7, 64, 1000])
  func `a paused MIDI player releases its notes, and resumes where it paused`(block: Int) throws {
    var setup = try Setup(follows: false)
    #expect(setup.run(from: 0, 100, block: block) == [[0, 0xC0], [50, 0x91], [60, 0xB2]])
    setup.source.pause()
    #expect(setup.run(from: 100, 500, block: block) == [[100, 0x81]])
    #expect(!setup.source.isPlaying)
    setup.source.play()
    #expect(setup.source.isPlaying)
    #expect(setup.run(from: 100, 100, block: block) == [[120, 0xB2], [140, 0xC3], [150, 0x81]])
    #expect(!setup.source.isPlaying, "it has ended")
  }

  @Test(arguments: [7, 1000])
  func `a MIDI player that is paused while the transport rolls resumes at the transport's position`(
    block: Int
  ) throws {
    var setup = try Setup()
    #expect(setup.run(from: 0, 100, block: block).count == 3)
    setup.source.pause()
    #expect(setup.run(from: 100, 30, block: block) == [[100, 0x81]])
    setup.source.play()
    #expect(
      setup.run(from: 130, 100, block: block)
        == [[130, 0xC0], [130, 0xB2], [140, 0xC3], [150, 0x81]])
  }

  @Test func `the lookup at a position returns the value that was set last`() throws {
    let values = MIDIChase(Self.sequence)
    #expect(values.count == 3)
    // The volume is the second value. The third and the fourth message set it.
    #expect((0...6).map { values.last(1, before: $0, orAtEnd: false) } == [-1, -1, -1, 2, 3, 3, 3])
    #expect(values.last(1, before: 1, orAtEnd: true) == 3)
  }

  @Test func `a bank precedes its program, and a parameter number its value`() {
    let messages = [(0, 0x05C0), (1, 0x01_06B0), (2, 0x01_00B0), (3, 0x02_64B0), (4, 0x03_65B0)].map {
      EventSource.Message(frame: $0.0, bytes: UInt32($0.1), size: 3)
    }
    let values = MIDIChase(messages)
    let order = (0..<values.count).map { values.last($0, before: 5, orAtEnd: false) }
    #expect(order == [2, 0, 4, 3, 1])
  }

  @Test(arguments: [7, 1000])
  func `a repeating MIDI player follows the transport through its repetitions and ends`(block: Int) throws {
    var setup = try Setup(times: 2)
    // In the second repetition the final values of the first are in effect.
    #expect(
      setup.run(from: 330, 300, block: block)
        == [[330, 0xC0], [330, 0xB2], [330, 0xC3], [340, 0xC3], [350, 0x81]])
    #expect(setup.run(from: 500, 300, block: block) == [])
    #expect(setup.run(from: 190, 30, block: block).suffix(1) == [[200, 0xC0]])
    var endless = try Setup(times: nil)
    #expect(
      endless.run(from: 2_000_000_000, 60, block: block).map { $0[1] } == [0xC0, 0xB2, 0xC3, 0xC0, 0x91])
  }
}
