// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletPlayback
import Synchronization
import Testing

@testable import Swiftlet

/// Players whose speed follows a lane. The file position at a time is the integral of the speed until then.
final class SpeedLaneTests {
  private static let rate = 8000.0
  private let clicks = Clicks(rate: SpeedLaneTests.rate), sweep = Sweep(rate: SpeedLaneTests.rate)
  private let path = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A speed of 1, which rises to 2 between 2 s and 6 s.
  private static func lane() throws -> Automation {
    var lane = Automation(1)
    try lane.ramp(to: 2, in: .seconds(2)..<(.seconds(6)))
    return lane
  }

  /// Its integral: the file's second that is heard at a second of the timeline.
  private func position(_ time: Double) -> Double {
    let risen = min(max(time - 2, 0), 4)
    return time + risen * risen / 8 + max(time - 6, 0)
  }

  /// `music ──► desk`
  private struct Rig {
    let engine: AudioEngine, output: AudioNode
    let block: Int

    init(block: Int) throws {
      engine = try AudioEngine(.offline(sampleRate: SpeedLaneTests.rate, longestBlock: 1000))
      output = try engine.attach(.playback(channels: 1))
      self.block = block
    }

    func render(seconds: Double) throws -> [Float] {
      let count = Int(seconds * SpeedLaneTests.rate)
      var heard: [Float] = []
      while heard.count < count { heard += try #require(engine.render(block)[output])[0] }
      return heard
    }

    /// Stops the transport, relocates it, and starts it again.
    func jump(to second: Double) throws {
      try engine.stopTransport()
      _ = try render(seconds: 0.5)
      try engine.locateTransport(to: MediaTime(seconds: second))
      try engine.startTransport()
    }
  }

  /// A rig with a player of a file with this sound, whose speed follows the lane.
  private func rig(_ sound: [Float], _ parameter: String, block: Int, follows: Bool) throws -> Rig {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: Self.rate,
      channelCount: 1)
    try writer.write([sound])
    try writer.close()
    let rig = try Rig(block: block), music = try rig.engine.attach(.player(path))
    try rig.engine.connect(music, rig.output)
    try music.automate(parameter, with: Self.lane())
    if follows { try rig.engine.setTransportRole(.follow) }
    return rig
  }

  /// Expects each pitch of the sweep at the time given by the integral, within `error` seconds.
  private func check(_ heard: [Float], from start: Double = 0, within error: Double) {
    for frame in stride(from: 1600, to: heard.count - 1600, by: 800) {
      let time = start + Double(frame) / Self.rate
      #expect(abs(sweep.second(in: heard, at: frame) - position(time)) < error, "at \(time) s")
    }
  }

  //   music ──► desk: on the engine's own time, and on the transport, from its start and from the middle
  @Test(arguments: [64, 1000], [false, true])
  func `clicks at a moving varispeed are at the integral of the varispeed`(block: Int, follows: Bool) throws {
    let rig = try rig(clicks.samples, "varispeed", block: block, follows: follows)
    let first = clicks.errors(in: try rig.render(seconds: 8), position: position)
    // 8 s are 12 s of the file. While the speed moves, a gliding resampler deviates by some frames.
    #expect(first.worst < 5 && abs(first.count - 119) <= 1, "\(first)")
    guard follows else { return }
    for start in [4.0, 3.3, 7, 0.5] {
      try rig.jump(to: start)
      let later = clicks.errors(in: try rig.render(seconds: 3)) { position(start + $0) }
      let least = (position(start + 3) - position(start)) * 10 - 2
      #expect(later.worst < 5 && Double(later.count) > least, "from \(start) s: \(later)")
    }
  }

  //   music ──► desk: keeps its pitch
  @Test(arguments: [false, true])
  func `a tone at a moving speed is at the integral of the speed`(follows: Bool) throws {
    let rig = try rig(sweep.samples, "speed", block: 500, follows: follows)
    // SoundTouch takes segments from within some hundredths of a second around their positions.
    check(try rig.render(seconds: 8), within: 0.05)
    guard follows else { return }
    for start in [4.0, 3.3, 7] {
      try rig.jump(to: start)
      check(try rig.render(seconds: 3), from: start, within: 0.05)
    }
  }

  //   player (scheduled) ──► desk: as accurate as a player of a file
  @Test(arguments: ["speed", "varispeed"], [false, true])
  func `a lane on a scheduled player is heard in time`(parameter: String, isReady: Bool) throws {
    let rig = try Rig(block: 500)
    let player = try PlayerNode(rig.engine, channels: 1, enablesStretch: isReady)
    try rig.engine.connect(player.node, rig.output)
    try player.node.automate(parameter, with: Self.lane())
    let isTape = parameter == "varispeed"
    try player.schedule(.buffer(AudioBuffer([isTape ? clicks.samples : sweep.samples])))
    try player.play()
    let heard = try rig.render(seconds: 8)
    if isTape {
      let found = clicks.errors(in: heard, position: position)
      #expect(found.worst < 5 && abs(found.count - 119) <= 1, "\(found)")
    } else {
      check(heard, within: 0.05)
    }
  }

  //   Paused by the engine from 0.5 s to 3 s, before a frame was heard: it follows the lane from where it begins
  @Test(arguments: [64, 1000])
  func `a player that the engine paused follows its lane when it resumes`(block: Int) throws {
    let rig = try Rig(block: block), player = try PlayerNode(rig.engine, channels: 1)
    try rig.engine.connect(player.node, rig.output)
    try player.node.automate("varispeed", with: Self.lane())
    try player.schedule(.buffer(AudioBuffer([clicks.samples])))
    var passed = try rig.render(seconds: 0.5).count
    try player.play()
    #expect(rig.engine.core.withLock { $0.holdForRoute() } == [player.node.name])
    #expect(!player.isPlaying)
    passed += try rig.render(seconds: 2.5).count
    rig.engine.resumePlayers()
    #expect(player.isPlaying)
    let start = Double(passed) / Self.rate, heard = try rig.render(seconds: 3)
    // Clicks are 0.1 s of the sound apart.
    let errors = clicks.frames(in: heard).map { frame in
      let there = (position(start + frame / Self.rate) - position(start)) * 10
      return abs(there - there.rounded()) / 10 * Self.rate
    }.dropFirst()
    #expect((errors.max() ?? .infinity) < 5 && errors.count > 30, "\(errors)")
    // Paused again before anything was read for it, it stays paused.
    _ = rig.engine.core.withLock { $0.holdForRoute() }
    _ = try rig.render(seconds: 0.1)
    rig.engine.resumePlayers()
    player.pause()
    #expect(!player.isPlaying)
    #expect(try rig.render(seconds: 0.5).dropFirst(40).allSatisfy { $0 == 0 })
  }

  @Test func `resuming players does not wait for the disk`() throws {
    let rig = try Rig(block: 500), player = try PlayerNode(rig.engine, channels: 1)
    try rig.engine.connect(player.node, rig.output)
    try player.node.automate("varispeed", with: Self.lane())
    try player.schedule(.buffer(AudioBuffer([clicks.samples])))
    _ = try rig.render(seconds: 0.5)
    try player.play()
    _ = rig.engine.core.withLock { $0.holdForRoute() }
    let scheduler = try #require(player.scheduler as? PlayerSchedule), engine = rig.engine
    // Holds the player's lock, as a thread does that opens a file.
    let isBusy = DispatchSemaphore(value: 0), isOpen = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      scheduler.state.withLock { _ in
        isBusy.signal()
        isOpen.wait()
      }
    }
    isBusy.wait()
    let hasReturned = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      engine.resumePlayers()
      hasReturned.signal()
    }
    #expect(hasReturned.wait(timeout: .now() + 30) == .success)
    #expect(!scheduler.source.isPlayRequested && scheduler.isPlayRequested)
    isOpen.signal()
    #expect(soon { scheduler.source.isPlayRequested })
  }

  //   a ──► b, from 1 s on: each at the integral's positions, counted from its own beginning
  @Test(arguments: [64, 1000], [false, true])
  func `consecutive items follow a lane, each from its first frame on`(block: Int, waits: Bool) throws {
    let rig = try Rig(block: block), player = try PlayerNode(rig.engine, channels: 1)
    try rig.engine.connect(player.node, rig.output)
    if !waits { try player.node.automate("varispeed", with: Self.lane()) }
    let log = EventLog()
    for count in [20_000, 60_000] {
      try player.schedule(.buffer(AudioBuffer([Array(clicks.samples[..<count])])), onEvent: log.add)
    }
    // The timeline advances meanwhile, so sound that was read for its beginning is read again.
    var heard = try rig.render(seconds: 1)
    if waits { try player.node.automate("varispeed", with: Self.lane()) }
    let start = Double(heard.count) / Self.rate
    try player.play()
    heard += try rig.render(seconds: 8)
    // The first item begins at 1 s and lasts 2.5 s of the file; the second follows at once.
    let begun = log.frames(.began).map { Double($0) / Self.rate }
    try #require(begun.count == 2 && abs(begun[0] - start) < 1e-9)
    #expect(abs(position(begun[1]) - position(begun[0]) - 2.5) < 5 / Self.rate)
    for (item, end) in [(0, begun[1]), (1, start + 7)] {
      let times = clicks.frames(in: heard).map { $0 / Self.rate }
        .filter { begun[item] + 0.05 < $0 && $0 < end - 0.05 }
      let errors = times.map { time in
        let there = (position(time) - position(begun[item])) * 10
        return abs(there - there.rounded()) / 10 * Self.rate
      }
      #expect((errors.max() ?? .infinity) < 5 && times.count > 20, "\(item): \(errors)")
    }
  }
}
