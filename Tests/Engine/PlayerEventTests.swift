// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletGraph
import Synchronization
import Testing

/// The events of a player, and calls during their delivery.
struct PlayerEventTests {
  private let second = AudioBuffer([[Float](repeating: 0.5, count: 1000)])

  @Test(arguments: [1, 64, 1000])
  func `an item is consumed, rendered and played back in this order, on its frames`(block: Int) throws {
    // The limiter before the output node has latency, which delays the item.
    let rig = try PlayerRig(ceiling: -1)
    let late = Int64(rig.output.latency)
    #expect(late > 0)
    let item = try rig.player.schedule(.buffer(second), onEvent: rig.log.add)
    let events = rig.player.events
    try rig.player.play(at: AudioTime(frame: 100, sampleRate: 8000))
    var reportedAt: Int64 = 0
    for _ in 0..<(2000 / block) where rig.log.frames(.playedBack(.finished)).isEmpty {
      _ = try rig.render(block, block: block)
      reportedAt = rig.engine.now.frame
    }
    let kinds = rig.log.kinds(of: item)
    let order: [PlayerEvent.Kind] = [.began, .rendered(.finished), .playedBack(.finished)]
    #expect(kinds.filter { $0 != .consumed } == order && kinds.count { $0 == .consumed } == 1)
    #expect(rig.log.frames(.began) == [100] && rig.log.frames(.rendered(.finished)) == [1100])
    #expect(rig.log.frames(.playedBack(.finished)) == [1100 + late])
    #expect(reportedAt >= 1100 + late && reportedAt < 1100 + late + Int64(2 * block))
    rig.engine.close()
    _ = events
  }

  @Test func `clearing ends all items, and restarts the player's time`() throws {
    let rig = try PlayerRig()
    let items = try (0..<6).map { _ in try rig.player.schedule(.buffer(second), onEvent: rig.log.add) }
    try rig.player.play()
    _ = try rig.render(1500)
    rig.player.clear()
    let fade = try rig.render(500)
    for frame in 0..<40 { #expect(isNear(fade[frame], 0.5 * falling(frame), within: 1e-6)) }
    #expect(fade[40...].allSatisfy { $0 == 0 } && rig.player.time == .zero && !rig.player.isPlaying)
    #expect(rig.log.kinds(of: items[0]).last == .playedBack(.finished))
    for item in items[1...] {
      #expect(rig.log.kinds(of: item).suffix(2) == [.rendered(.stopped), .playedBack(.stopped)])
      #expect(rig.log.kinds(of: item).count { $0 == .consumed } == 1)
    }
    try rig.player.schedule(.buffer(second), at: .frame(300))
    try rig.player.play()
    let again = try rig.render(1400)
    #expect(again[..<300].allSatisfy { $0 == 0 } && again[300..<1300].allSatisfy { $0 == 0.5 })
  }

  @Test(arguments: [1, 64, 1000]) func `callbacks can call any function of the player`(block: Int) throws {
    let rig = try PlayerRig()
    let (player, engine, log) = (rig.player, rig.engine, rig.log), second = second
    try player.schedule(.buffer(second)) { event in
      guard event.kind == .rendered(.finished) else { return }
      player.clear()
      player.pause()
      _ = (player.isPlaying, player.position, player.currentItem, player.time)
      _ = try? player.schedule(.buffer(second)) { event in
        log.add(event)
        if case .playedBack = event.kind { engine.close() }
      }
      try? player.seek(to: 500)
      try? player.play()
    }
    try player.play()
    _ = try rig.render(4000, block: block)
    #expect(log.all.last?.kind == .playedBack(.finished))
    #expect(throws: EngineError.self) { try player.play() }
  }

  @Test func `a closed engine or a detached node reports the end of every item`() throws {
    for closes in [true, false] {
      let rig = try PlayerRig()
      let item = try rig.player.schedule(.buffer(second), onEvent: rig.log.add)
      try rig.player.play()
      _ = try rig.render(100)
      if closes {
        rig.engine.close()
      } else {
        try rig.engine.detach(rig.player.node)
        _ = try rig.render(100)
      }
      #expect(rig.log.kinds(of: item).last == .playedBack(.stopped))
      #expect(throws: EngineError.self) { try rig.player.schedule(.buffer(second)) }
    }
  }

  @Test func `each loop pass is reported, even if several end in one block`() throws {
    let rig = try PlayerRig()
    try rig.player.schedule(.buffer(AudioBuffer([staircase(100)]), loop: .times(20)), onEvent: rig.log.add)
    try rig.player.play()
    _ = try rig.render(3000, block: 1000)
    for pass in 1..<20 { #expect(rig.log.frames(.looped(pass)) == [Int64(100 * pass)], "\(pass)") }
    // Passes that a seek skipped were not played.
    let item = try rig.player.schedule(
      .buffer(AudioBuffer([staircase(100)]), loop: .times(50)), onEvent: rig.log.add)
    _ = try rig.render(100, block: 100)
    try rig.player.seek(to: 2050)
    _ = try rig.render(1000, block: 1000)
    let passes = rig.log.all.compactMap { event -> Int? in
      guard event.item == item, case .looped(let count) = event.kind else { return nil }
      return count
    }
    #expect(passes.contains(21) && passes.contains(28) && !passes.contains(10), "\(passes)")
  }

  @Test func `an event sequence covers all items, and ends with the engine`() async throws {
    let rig = try PlayerRig()
    let events = rig.player.events
    try rig.player.schedule(.buffer(second, loop: .times(2)))
    try rig.player.play()
    _ = try rig.render(3000)
    rig.engine.close()
    var kinds: [PlayerEvent.Kind] = []
    for await event in events where event.kind != .consumed { kinds.append(event.kind) }
    #expect(kinds == [.began, .looped(1), .rendered(.finished), .playedBack(.finished)])
  }

  @Test func `an item that cannot be played is refused at once, with advice`() throws {
    let rig = try PlayerRig()
    func refused(_ words: String, _ body: () throws -> Void) {
      let error = #expect(throws: EngineError.self) { try body() }
      #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(words): \(error.map { "\($0)" } ?? "")")
    }
    let path = try rig.file("a.wav", [staircase(800)])
    refused("missing.wav") { try rig.player.schedule(.file("missing.wav")) }
    refused("no frames") { try rig.player.schedule(.file(path, part: .frames(5..<5))) }
    refused("before the sound") { try rig.player.schedule(.file(path, part: .frames(-1..<5))) }
    refused("the sound is 0.1s long") {
      try rig.player.schedule(.file(path, part: .times(.zero..<MediaTime.seconds(1))))
    }
    refused("is not within the part") {
      try rig.player.schedule(
        .file(path, part: .frames(0..<400), loop: PlayerItem.Loop(.forever, points: .frames(300..<500))))
    }
    refused("half of its length") {
      try rig.player.schedule(.file(path, loop: PlayerItem.Loop(.forever, crossfade: .seconds(1))))
    }
    refused("buffer has no frames") { try rig.player.schedule(.buffer(AudioBuffer([]))) }
    refused("the transport has no beats") { try rig.player.schedule(.file(path), at: .beat(4)) }
    refused("is not a beat") { try rig.player.schedule(.file(path), at: .beat(.nan)) }
    refused("has no clock") { try rig.player.schedule(.file(path), at: .host(.now)) }
    refused("there is no item to seek in") { try rig.player.seek(to: 0) }
    #expect(!rig.player.isPlaying)
    for time in [Int64.min, .max] {
      try rig.player.schedule(.file(path), at: .frame(time), crossfade: .seconds(Int64.max / 2))
      try rig.player.seek(to: Int(time))
      try rig.player.play(at: AudioTime(frame: time, sampleRate: 8000))
      _ = try rig.render(64)
    }
  }

  @Test func `a file that proves truncated ends early, and reports it`() throws {
    let rig = try PlayerRig(rate: 48_000)
    let path = try rig.file("a.flac", [staircase(600_000)], rate: 48_000)
    let item = try rig.player.schedule(.file(path), onEvent: rig.log.add)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try rig.player.schedule(.buffer(second), onEvent: rig.log.add)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: UInt64(bytes.count / 2))
    try handle.close()
    try rig.player.play()
    _ = try rig.render(610_000, block: 1000)
    guard case .rendered(.failed)? = rig.log.kinds(of: item).dropLast().last else {
      Issue.record("\(rig.log.kinds(of: item))")
      return
    }
    #expect(rig.log.frames(.rendered(.finished)).count == 1)
  }
}
