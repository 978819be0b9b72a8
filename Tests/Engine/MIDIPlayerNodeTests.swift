// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import Synchronization
import Testing

@testable import Swiftlet

/// A player of a MIDI file, controlled by a program. At 8 kHz the file below has a note from 1 s to 2 s, and one from
/// 3 s to 3.5 s of another channel.
final class MIDIPlayerNodeTests {
  private let path = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".mid"

  init() throws {
    // 500 ticks per quarter note at 120 beats per minute: a tick is a millisecond.
    let events: [UInt8] =
      [0, 0xC0, 7] + [0x87, 0x68, 0x90, 60, 64] + [0x87, 0x68, 0x80, 60, 0] + [0x87, 0x68, 0x91, 62, 64]
      + [0x83, 0x74, 0x81, 62, 0] + [0, 0xFF, 0x2F, 0]
    let length = UInt8(events.count)
    let bytes: [UInt8] =
      Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0x01, 0xF4] + Array("MTrk".utf8) + [0, 0, 0, length]
      + events
    try Data(bytes).write(to: URL(filePath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @Test func `a MIDI player is found by its name, and reports its duration and time`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    let player = try engine.attachMIDIPlayer(path, loop: .times(2), name: "keys")
    #expect(engine.node("keys") is MIDIPlayerNode && engine.nodes.contains { $0 is MIDIPlayerNode })
    #expect(player.duration == .seconds(7) && player.currentTime == .zero && !player.isPlaying)
    _ = try engine.render(1000)
    try player.play()
    #expect(player.currentTime == .zero && player.isPlaying)
    for _ in 0..<8 { _ = try engine.render(1000) }
    #expect(player.currentTime == .seconds(1))
    player.rate = 2
    for _ in 0..<8 { _ = try engine.render(1000) }
    #expect(player.currentTime == .seconds(3) && player.rate == 2)
    player.stop()
    for _ in 0..<8 { _ = try engine.render(1000) }
    #expect(player.currentTime == .seconds(3) && !player.isPlaying)
    try player.seek(to: .seconds(6))
    #expect(player.currentTime == .seconds(6))
    try player.play(at: engine.now + .milliseconds(500))
    for _ in 0..<5 { _ = try engine.render(1000) }
    #expect(player.currentTime == MediaTime(frames: 48_000 + 2 * 1000, at: 8000))
    for _ in 0..<8 { _ = try engine.render(1000) }
    #expect(!player.isPlaying && player.currentTime == player.duration)
    try player.play()
    _ = try engine.render(1000)
    #expect(player.isPlaying && player.currentTime == MediaTime(frames: 2000, at: 8000))
    #expect(try engine.attachMIDIPlayer(path, loop: .forever).duration == nil)
  }

  @Test func `values out of range are clamped and reported, and invalid channels are ignored`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    let events = Mutex<[String]>([]), player = try engine.attachMIDIPlayer(path, name: "keys")
    let token = engine.observe { event in events.withLock { $0.append("\(event)") } }
    player.rate = 100
    player.rate = .nan
    player.mutedChannels = [-1, 3, 15, 16, 99]
    #expect(player.rate == 4 && player.mutedChannels == [3, 15])
    _ = try engine.render(100)
    let reported = events.withLock { $0 }
    #expect(
      reported.contains { $0.contains("clamped") && $0.contains("100") }
        && reported.contains { $0.contains("notANumber") })
    _ = token
    try engine.detach(player)
    #expect(throws: EngineError.self) { try player.play() }
    #expect(throws: EngineError.self) { try player.seek(to: .zero) }
    player.pause()
    #expect(player.rate == 4 && !player.isPlaying)
    try engine.undo()
    #expect(player.rate == 4 && player.mutedChannels == [3, 15])
    try player.play()
    #expect(player.isPlaying)
  }

  @Test func `a MIDI player that follows the transport refuses seeks with an error`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    let player = try engine.attachMIDIPlayer(path)
    try engine.setTransportRole(.follow)
    for call in [{ try player.seek(to: .seconds(1)) }, { try player.play(at: engine.now) }] {
      #expect { try call() } throws: { error in
        guard case .schedule(_, .followsTransport) = error as? EngineError else { return false }
        return true
      }
    }
    try player.play()
    _ = try engine.render(1000)
    #expect(player.isPlaying)
  }
}
