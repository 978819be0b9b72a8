// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import Testing

@testable import Swiftlet

@Suite struct SessionDemandTests {
  /// Returns the message of a session of a process that has been running since `since`.
  private static func message(
    _ session: AudioSession, _ name: String, process: Int32, since: UInt64? = 1
  ) -> SessionMessage {
    SessionMessage(session, name: name, process: process, since: since)
  }

  /// Returns the demand of `other` on `session`, each running since its own time.
  private static func demand(
    on session: AudioSession, running own: UInt64? = 5, from other: AudioSession, since: UInt64? = 9
  ) -> SessionDemand {
    SessionDemand(
      on: session, saying: message(session, "own", process: 1, since: own),
      from: [message(other, "other", process: 2, since: since)])
  }

  private static let music = AudioSession(.playback)
  private static let prompt = AudioSession(.playback, options: [.duckOthers], duckLevel: -18)
  private static let solo = AudioSession(.playback, options: [.exclusive])
  private static let book = AudioSession(.playback, mode: .spokenAudio)
  private static let announcement = AudioSession(.playback, options: [.interruptSpokenAudio])

  @Test func `a ducking session lowers others while it runs, whichever began first`() {
    #expect(Self.demand(on: Self.music, from: Self.prompt).duckLevel == -18)
    #expect(Self.demand(on: Self.music, from: Self.prompt, since: 3).duckLevel == -18)
    #expect(Self.demand(on: Self.music, from: Self.prompt, since: nil) == SessionDemand())
    #expect(Self.demand(on: Self.music, from: Self.music) == SessionDemand())
  }

  @Test func `an exclusive session pauses the sessions that ran before it`() {
    #expect(Self.demand(on: Self.music, from: Self.solo).pausedBy == "other")
    #expect(Self.demand(on: Self.music, from: Self.solo, since: 3).pausedBy == nil)
    #expect(Self.demand(on: Self.music, from: AudioSession(.soloAmbient)).pausedBy == "other")
    // A session that does not run has nothing to pause.
    #expect(Self.demand(on: Self.music, running: nil, from: Self.solo).pausedBy == nil)
  }

  @Test func `speech is paused instead of ducked`() {
    #expect(Self.demand(on: Self.book, from: Self.prompt).pausedBy == "other")
    #expect(Self.demand(on: Self.book, from: Self.announcement).pausedBy == "other")
    #expect(Self.demand(on: Self.book, from: Self.prompt).pausesAsSpeech)
    #expect(Self.demand(on: Self.book, from: Self.announcement).pausesAsSpeech)
    // An exclusive session pauses all others.
    #expect(Self.demand(on: Self.book, from: Self.solo).pausedBy == "other")
    #expect(!Self.demand(on: Self.book, from: Self.solo).pausesAsSpeech)
    #expect(Self.demand(on: Self.music, from: Self.announcement) == SessionDemand())
  }

  @Test func `a voice prompt ducks music and pauses speech, with a single mode`() {
    let prompt = AudioSession(.playback, mode: .voicePrompt, duckLevel: -18)
    #expect(Self.demand(on: Self.music, from: prompt).duckLevel == -18)
    #expect(Self.demand(on: Self.music, from: prompt).pausedBy == nil)
    #expect(Self.demand(on: Self.book, from: prompt).pausedBy == "other")
    let long = AudioSession(.playback, options: [.duckOthers, .interruptSpokenAudio], duckLevel: -18)
    #expect(Self.message(prompt, "own", process: 1) == Self.message(long, "own", process: 1))
  }

  @Test func `mixing demands nothing, and options that demand more contradict it`() {
    let mixing = AudioSession(.playback, options: [.mixWithOthers])
    #expect(Self.message(mixing, "own", process: 1) == Self.message(Self.music, "own", process: 1))
    #expect(mixing.contradiction == nil)
    #expect(AudioSession(.playback, options: [.mixWithOthers, .duckOthers]).contradiction == nil)
    #expect(
      AudioSession(options: [.mixWithOthers, .exclusive]).contradiction == .mixesAlone(.exclusive))
    let solo = AudioSession(.soloAmbient, options: [.mixWithOthers])
    #expect(solo.contradiction == .mixesInCategory(.soloAmbient))
    #expect(
      solo.contradiction?.description
        == "'mix-with-others' contradicts the category 'solo-ambient', in which others pause; leave it out, or "
        + "choose 'ambient' or 'playback'")
    let engine = try? AudioEngine(.offline())
    #expect(throws: EngineError.self) { try engine?.setSession(solo) }
    #expect(engine?.session == nil)
  }

  @Test func `ambient sessions are ducked by all others`() {
    #expect(Self.demand(on: AudioSession(.ambient), from: Self.music).duckLevel == -12)
    #expect(Self.demand(on: AudioSession(.ambient), from: AudioSession(.ambient)) == SessionDemand())
  }

  @Test func `engines of one program do not affect each other`() {
    let own = Self.message(Self.music, "own", process: 7, since: 5)
    let other = Self.message(Self.solo, "other", process: 7, since: 9)
    #expect(SessionDemand(on: Self.music, saying: own, from: [other]) == SessionDemand())
  }

  @Test func `of several exclusive sessions one plays, and of two ducking sessions one stays loud`() {
    var generator = SeededGenerator(seed: 20)
    for _ in 0..<500 {
      let count = Int.random(in: 2...6, using: &generator)
      for session in [Self.solo, Self.prompt] {
        let all = (1...count).map {
          // Two may have begun at the same time.
          Self.message(
            session, "\($0)", process: Int32($0), since: UInt64.random(in: 1...4, using: &generator))
        }
        let demands = all.map { own in
          SessionDemand(on: session, saying: own, from: all.filter { $0 != own })
        }
        let free = demands.count { $0 == SessionDemand() }
        #expect(free == 1, "\(all.map(\.since))")
      }
    }
  }

  @Test func `a message survives encoding, and other bytes are rejected`() throws {
    let message = Self.message(
      AudioSession(.ambient, options: [.exclusive, .duckOthers], duckLevel: -7.5), "vocal ü", process: 3)
    let bytes = try #require(message.bytes)
    #expect(bytes.count <= SessionMessage.mostBytes)
    #expect(SessionMessage(bytes) == message)
    // Any single lost or changed byte yields no message or a valid one.
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<2000 {
      var broken = bytes
      let index = Int.random(in: broken.indices, using: &generator)
      if Bool.random(using: &generator) {
        broken.remove(at: index)
      } else {
        broken[index] = UInt8.random(in: 0...255, using: &generator)
      }
      guard let read = SessionMessage(broken) else { continue }
      #expect(AudioSession.duckLevels ~= read.duckLevel && read.process > 0 && !read.name.isEmpty)
    }
    #expect(SessionMessage([]) == nil)
    #expect(SessionMessage([UInt8](repeating: UInt8(ascii: "["), count: 1024)) == nil)
    #expect(SessionMessage([UInt8](repeating: 32, count: 4096) + bytes) == nil)
    var long = message
    long.name = String(repeating: "x", count: 2000)
    #expect(long.bytes == nil)
    long.name = "a\u{1B}[2J"
    #expect(long.bytes.flatMap { SessionMessage($0) } == nil)
    long.name = "later"
    long.language = 2
    #expect(long.bytes.flatMap { SessionMessage($0) } == nil)
  }

  @Test func `an invalid duck level is clamped to the nearest valid one`() {
    var session = AudioSession(.playback, options: [.duckOthers])
    for (asked, used) in [(Double.nan, -12.0), (-500, -60), (3, 0), (-.infinity, -60), (-20, -20)] {
      session.duckLevel = asked
      #expect(session.duckLevel == used && AudioSession(duckLevel: asked).duckLevel == used)
      #expect(Self.message(session, "own", process: 1).bytes != nil)
    }
  }
}
