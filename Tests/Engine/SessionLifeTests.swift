// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import Swiftlet

/// The engine's periodic check of its session, which acts only on a change.
@Suite struct SessionLifeTests {
  @Test func `without a change nothing is due`() {
    var life = SessionLife(AudioSession())
    #expect(life.isDue(isRunning: false), "nothing has been said yet")
    life.noteEvaluation(isRunning: false)
    #expect(!life.isDue(isRunning: false) && life.since == nil)
    #expect(life.isDue(isRunning: true))
    life.noteEvaluation(isRunning: true)
    let since = life.since
    #expect(since != nil && !life.isDue(isRunning: true) && life.isDue(isRunning: false))
    life.session.options = [.duckOthers]
    #expect(life.isDue(isRunning: true))
    life.noteEvaluation(isRunning: true)
    #expect(life.since == since, "it has been running all the while")
    life.update([SessionMessage(AudioSession(), name: "other", process: 2, since: 1)])
    #expect(life.isDue(isRunning: true))
    life.noteEvaluation(isRunning: true)
    #expect(!life.isDue(isRunning: true))
  }

  @Test func `a session that joins late is due to send its message again`() throws {
    let folder = "/tmp/swiftlet-life-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var life = SessionLife(AudioSession())
    life.noteEvaluation(isRunning: true)
    let message = SessionMessage(life.session, name: "own", process: 1, since: life.since)
    life.sentMessage = message
    let bus = try #require(SessionBus(server: "studio", folder: folder, message) {})
    defer { bus.close() }
    life.join(bus)
    #expect(life.sentMessage == nil && life.isDue(isRunning: true))
  }

  @Test func `received messages are the bus's current ones, however late the notification`() throws {
    let folder = "/tmp/swiftlet-life-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func message(_ name: String, since: UInt64? = nil) -> SessionMessage {
      SessionMessage(AudioSession(), name: name, process: 1, since: since)
    }
    let own = try #require(SessionBus(server: "studio", folder: folder, message("own")) {})
    let other = try #require(SessionBus(server: "studio", folder: folder, message("other")) {})
    defer {
      own.close()
      other.close()
    }
    var life = SessionLife(AudioSession())
    life.update()
    #expect(life.others.isEmpty, "it has no seat yet")
    life.join(own)
    #expect(soon { own.others == [message("other")] })
    life.update()
    #expect(life.others == [message("other")])
    let changed = message("other", since: 7)
    other.publish(changed)
    #expect(soon { own.others == [changed] })
    // A late notification of the first message delivers the current one.
    life.update()
    #expect(life.others == [changed])
  }

  @Test func `a running session of another program is other audio`() throws {
    let engine = try AudioEngine(.offline())
    try engine.setSession(AudioSession())
    func receives(process: Int32, since: UInt64?) -> Bool {
      let message = SessionMessage(AudioSession(), name: "other", process: process, since: since)
      engine.core.withLock { $0.life?.update([message]) }
      return engine.isOtherAudioPlaying
    }
    #expect(
      receives(process: 1, since: 7) && !receives(process: 1, since: nil)
        && !receives(process: getpid(), since: 7))
  }

  @Test func `paused speech is not ducked as well`() throws {
    let engine = try AudioEngine(.offline())
    try engine.setSession(AudioSession(.playback, mode: .spokenAudio))
    var demand = SessionDemand()
    (demand.pausedBy, demand.pausesAsSpeech, demand.duckLevel) = ("news", true, -12)
    let reason = Interruption.Reason.duckingPeer("news")
    func interruptions(_ demand: SessionDemand) -> [Interruption?] {
      engine.core.withLock { $0.apply(demand) }.map {
        if case .interruption(let one) = $0 { one } else { nil }
      }
    }
    #expect(interruptions(demand) == [.began(reason)])
    #expect(interruptions(SessionDemand()) == [.ended(reason, shouldResume: false)])
    // Ducking, then pausing, then neither are reported in this order.
    var quiet = SessionDemand()
    quiet.duckLevel = -12
    #expect(interruptions(quiet) == [nil])
    quiet.pausedBy = "solo"
    #expect(interruptions(quiet) == [.began(.peer("solo"))])
    #expect(interruptions(SessionDemand()) == [.ended(.peer("solo"), shouldResume: false), nil])
  }

  @Test func `headphones unplugged during an interruption keep the player paused after it`() throws {
    let rig = try PlayerRig(), name = rig.player.node.name, engine = rig.engine
    try engine.setSession(AudioSession())
    try rig.player.schedule(.buffer(AudioBuffer([staircase(20_000)])))
    try rig.player.play()
    _ = try rig.render(100)
    var demand = SessionDemand(), before = Route()
    demand.pausedBy = "solo"
    before.outputs = [.init("desk", channel: 0, .init("headphones:left"))]
    let loss = RouteChange(.oldDeviceUnavailable, from: before, to: Route())
    func apply(_ demand: SessionDemand) { _ = engine.core.withLock { $0.apply(demand) } }
    func lose() -> [String] {
      engine.core.withLock { $0.events(from: [.route(loss)]) }.flatMap {
        if case .routeChange(_, let paused) = $0 { paused } else { [] as [String] }
      }
    }
    // Without a loss the player resumes.
    apply(demand)
    #expect(!rig.player.isPlaying)
    apply(SessionDemand())
    #expect(rig.player.isPlaying && engine.pausedPlayers.isEmpty)
    apply(demand)
    #expect(lose() == [name])
    apply(SessionDemand())
    #expect(!rig.player.isPlaying && engine.pausedPlayers == [name])
    #expect(engine.resumePlayers() == [name] && rig.player.isPlaying)
    // A player that its user has paused meanwhile is not resumed, nor is one that opts out.
    apply(demand)
    rig.player.pause()
    #expect(lose() == [] && engine.pausedPlayers.isEmpty)
    apply(SessionDemand())
    try rig.player.play()
    engine.pausesOnRouteLoss = false
    apply(demand)
    #expect(lose() == [])
    apply(SessionDemand())
    #expect(rig.player.isPlaying)
  }

  @Test func `a period is rounded to the nearest that JACK accepts`() {
    let asked = [Int.min, 0, 1, 16, 23, 24, 48, 100, 500, 1000, 6144, 8192, 9000, Int.max]
    #expect(
      asked.map(AudioEngine.possiblePeriod)
        == [16, 16, 16, 16, 16, 32, 64, 128, 512, 1024, 8192, 8192, 8192, 8192])
  }

  @Test func `an offline engine has no JACK values`() throws {
    let engine = try AudioEngine(.offline())
    #expect(engine.period == nil && engine.periodDuration == nil && !engine.isOtherAudioPlaying)
    #expect(engine.inputLatency == .zero && engine.outputLatency == .zero)
    #expect(engine.machineChannels == (0, 0))
    do {
      try engine.setPreferredPeriod(256)
      Issue.record("there is no studio to take it")
    } catch {
      guard case .liveOnly = error else { throw error }
    }
  }
}
