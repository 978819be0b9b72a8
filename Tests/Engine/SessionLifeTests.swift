// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import Swiftlet

/// What an engine does each time that the house looks: nothing, unless something is other than before.
@Suite struct SessionLifeTests {
  @Test func `where nothing has changed there is nothing to be done`() {
    var life = SessionLife(AudioSession())
    #expect(life.isDue(isRunning: false), "nothing has been said yet")
    life.look(isRunning: false)
    #expect(!life.isDue(isRunning: false) && life.since == nil)
    #expect(life.isDue(isRunning: true))
    life.look(isRunning: true)
    let since = life.since
    #expect(since != nil && !life.isDue(isRunning: true) && life.isDue(isRunning: false))
    life.session.options = [.duckOthers]
    #expect(life.isDue(isRunning: true))
    life.look(isRunning: true)
    #expect(life.since == since, "it has been running all the while")
    life.hear([SessionMessage(AudioSession(), name: "other", process: 2, since: 1)])
    #expect(life.isDue(isRunning: true))
    life.look(isRunning: true)
    #expect(!life.isDue(isRunning: true))
  }

  @Test func `who joins late says what was said before`() throws {
    let folder = "/tmp/swiftlet-life-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var life = SessionLife(AudioSession())
    life.look(isRunning: true)
    let message = SessionMessage(life.session, name: "own", process: 1, since: life.since)
    life.said = message
    let bus = try #require(SessionBus(server: "studio", folder: folder, message) { _ in })
    defer { bus.close() }
    life.join(bus)
    #expect(life.said == nil && life.isDue(isRunning: true))
  }

  @Test func `another program's session that runs is other audio`() throws {
    let engine = try AudioEngine(.offline())
    try engine.setSession(AudioSession())
    func hear(process: Int32, since: UInt64?) -> Bool {
      let message = SessionMessage(AudioSession(), name: "other", process: process, since: since)
      engine.core.withLock { $0.life?.hear([message]) }
      return engine.isOtherAudioPlaying
    }
    #expect(hear(process: 1, since: 7) && !hear(process: 1, since: nil) && !hear(process: getpid(), since: 7))
  }

  @Test func `speech that pauses is not told to be turned down besides`() throws {
    let engine = try AudioEngine(.offline())
    try engine.setSession(AudioSession(.playback, mode: .spokenAudio))
    var demand = SessionDemand()
    (demand.pausedBy, demand.pausesAsSpeech, demand.duckLevel) = ("news", true, -12)
    let reason = Interruption.Reason.duckingPeer("news")
    func told(_ demand: SessionDemand) -> [Interruption?] {
      engine.core.withLock { $0.obey(demand) }.map {
        if case .interruption(let one) = $0 { one } else { nil }
      }
    }
    #expect(told(demand) == [.began(reason)])
    #expect(told(SessionDemand()) == [.ended(reason, shouldResume: false)])
    // What is turned down, then silenced, and then neither is told in that order.
    var quiet = SessionDemand()
    quiet.duckLevel = -12
    #expect(told(quiet) == [nil])
    quiet.pausedBy = "solo"
    #expect(told(quiet) == [.began(.peer("solo"))])
    #expect(told(SessionDemand()) == [.ended(.peer("solo"), shouldResume: false), nil])
  }

  @Test func `the nearest period that JACK has words for`() {
    let asked = [Int.min, 0, 1, 16, 23, 24, 48, 100, 500, 1000, 6144, 8192, 9000, Int.max]
    #expect(
      asked.map(AudioEngine.possiblePeriod)
        == [16, 16, 16, 16, 16, 32, 64, 128, 512, 1024, 8192, 8192, 8192, 8192])
  }

  @Test func `offline there is no studio to tell of`() throws {
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
