// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import Testing

@testable import Swiftlet

@Suite struct SessionDemandTests {
  /// What a session of a process says that has been running since then.
  private static func message(
    _ session: AudioSession, _ name: String, process: Int32, since: UInt64? = 1
  ) -> SessionMessage {
    SessionMessage(session, name: name, process: process, since: since)
  }

  /// What `other` asks of `session`; each has been running since then.
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

  @Test func `who ducks is obeyed while it runs, whoever was first`() {
    #expect(Self.demand(on: Self.music, from: Self.prompt).duckLevel == -18)
    #expect(Self.demand(on: Self.music, from: Self.prompt, since: 3).duckLevel == -18)
    #expect(Self.demand(on: Self.music, from: Self.prompt, since: nil) == SessionDemand())
    #expect(Self.demand(on: Self.music, from: Self.music) == SessionDemand())
  }

  @Test func `who wants to be alone is obeyed by those that ran before`() {
    #expect(Self.demand(on: Self.music, from: Self.solo).pausedBy == "other")
    #expect(Self.demand(on: Self.music, from: Self.solo, since: 3).pausedBy == nil)
    #expect(Self.demand(on: Self.music, from: AudioSession(.soloAmbient)).pausedBy == "other")
    // Who does not run has nothing to pause.
    #expect(Self.demand(on: Self.music, running: nil, from: Self.solo).pausedBy == nil)
  }

  @Test func `what is spoken pauses rather than be turned down`() {
    #expect(Self.demand(on: Self.book, from: Self.prompt).pausedBy == "other")
    #expect(Self.demand(on: Self.book, from: Self.announcement).pausedBy == "other")
    #expect(Self.demand(on: Self.book, from: Self.prompt).pausesAsSpeech)
    #expect(Self.demand(on: Self.book, from: Self.announcement).pausesAsSpeech)
    // Who wants to be heard alone has all pause, whatever they are.
    #expect(Self.demand(on: Self.book, from: Self.solo).pausedBy == "other")
    #expect(!Self.demand(on: Self.book, from: Self.solo).pausesAsSpeech)
    #expect(Self.demand(on: Self.music, from: Self.announcement) == SessionDemand())
  }

  @Test func `a voice prompt ducks music and pauses speech, and says so in one word`() {
    let prompt = AudioSession(.playback, mode: .voicePrompt, duckLevel: -18)
    #expect(Self.demand(on: Self.music, from: prompt).duckLevel == -18)
    #expect(Self.demand(on: Self.music, from: prompt).pausedBy == nil)
    #expect(Self.demand(on: Self.book, from: prompt).pausedBy == "other")
    let long = AudioSession(.playback, options: [.duckOthers, .interruptSpokenAudio], duckLevel: -18)
    #expect(Self.message(prompt, "own", process: 1) == Self.message(long, "own", process: 1))
  }

  @Test func `to mix asks for nothing, and what asks for more contradicts it`() {
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

  @Test func `what is in the background makes room for all that is not`() {
    #expect(Self.demand(on: AudioSession(.ambient), from: Self.music).duckLevel == -12)
    #expect(Self.demand(on: AudioSession(.ambient), from: AudioSession(.ambient)) == SessionDemand())
  }

  @Test func `engines of one program leave each other alone`() {
    let own = Self.message(Self.music, "own", process: 7, since: 5)
    let other = Self.message(Self.solo, "other", process: 7, since: 9)
    #expect(SessionDemand(on: Self.music, saying: own, from: [other]) == SessionDemand())
  }

  @Test func `of any that want to be alone exactly one plays, and of two that duck one is loud`() {
    var dice = Dice(seed: 20)
    for _ in 0..<500 {
      let count = Int.random(in: 2...6, using: &dice)
      for session in [Self.solo, Self.prompt] {
        let all = (1...count).map {
          // Two may have begun in one instant.
          Self.message(session, "\($0)", process: Int32($0), since: UInt64.random(in: 1...4, using: &dice))
        }
        let demands = all.map { own in
          SessionDemand(on: session, saying: own, from: all.filter { $0 != own })
        }
        let free = demands.count { $0 == SessionDemand() }
        #expect(free == 1, "\(all.map(\.since))")
      }
    }
  }

  @Test func `a message survives the way, and nothing else is taken for one`() throws {
    let message = Self.message(
      AudioSession(.ambient, options: [.exclusive, .duckOthers], duckLevel: -7.5), "vocal ü", process: 3)
    let bytes = try #require(message.bytes)
    #expect(bytes.count <= SessionMessage.mostBytes)
    #expect(SessionMessage(bytes) == message)
    // Any single byte that is lost or another makes no message, or one that is sound.
    var dice = Dice(seed: 21)
    for _ in 0..<2000 {
      var broken = bytes
      let place = Int.random(in: broken.indices, using: &dice)
      if Bool.random(using: &dice) {
        broken.remove(at: place)
      } else {
        broken[place] = UInt8.random(in: 0...255, using: &dice)
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

  @Test func `a level that cannot be is the nearest that can`() {
    var session = AudioSession(.playback, options: [.duckOthers])
    for (asked, used) in [(Double.nan, -12.0), (-500, -60), (3, 0), (-.infinity, -60), (-20, -20)] {
      session.duckLevel = asked
      #expect(session.duckLevel == used && AudioSession(duckLevel: asked).duckLevel == used)
      #expect(Self.message(session, "own", process: 1).bytes != nil)
    }
  }
}
