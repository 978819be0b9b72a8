// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletTesting
import Testing

@testable import Swiftlet

/// Every command in every state of a player, for every kind of item, compared with a slow model of one item.
struct PlayerCommandTests {
  /// The player's state before the command.
  enum Start: CaseIterable { case empty, scheduled, playing, paused, stopped, ended, sought, cleared }

  enum Command: CaseIterable { case play, playLater, pause, stop, seek, seekPastEnd, clear, scheduleMore }

  enum Kind: CaseIterable { case file, part, loop, buffer, composition }

  /// The frames of one item, and the behaviour of a player.
  private struct Model {
    let sound: [Float]
    /// The next frame of the item, or nil if nothing is scheduled.
    var place: Int?
    var plays = false, delay = 0

    init(_ sound: [Float]) { self.sound = sound }

    mutating func schedule() { if place == nil { place = 0 } }

    mutating func render(_ count: Int) -> [Float] {
      (0..<count).map { _ in
        guard plays else { return 0 }
        if delay > 0 {
          delay -= 1
          return 0
        }
        guard let here = place else { return 0 }
        guard here < sound.count else {
          place = nil
          return 0
        }
        place = here + 1 == sound.count ? nil : here + 1
        return sound[here]
      }
    }
  }

  private static let rate = 8000
  private static let ramp = (0..<4000).map { Float($0 + 1) / 8192 }

  private func schedule(_ kind: Kind, _ rig: PlayerRig) throws {
    let path = try rig.file("\(UUID().uuidString).wav", [Self.ramp])
    switch kind {
    case .file: try rig.player.schedule(.file(path))
    case .part: try rig.player.schedule(.file(path, part: .frames(500..<3500)))
    case .loop: try rig.player.schedule(.file(path, part: .frames(0..<1500), loop: .times(2)))
    case .buffer: try rig.player.schedule(.buffer(AudioBuffer([Self.ramp])))
    case .composition:
      var song = Composition()
      try song.add("ramp")
      try song.insert(.zero..<(.milliseconds(500)), of: AssetReference(path), in: "ramp")
      try rig.player.schedule(.composition(song))
    }
  }

  private func sound(_ kind: Kind) -> [Float] {
    switch kind {
    case .file, .buffer, .composition: Self.ramp
    case .part: Array(Self.ramp[500..<3500])
    case .loop: Array(Self.ramp[..<1500]) + Array(Self.ramp[..<1500])
    }
  }

  /// Brings player and model into a state.
  private func enter(_ start: Start, _ kind: Kind, _ rig: PlayerRig, _ model: inout Model) throws {
    guard start != .empty else { return }
    try schedule(kind, rig)
    model.schedule()
    guard start != .scheduled else { return }
    if start == .sought {
      try rig.player.seek(to: 700)
      model.place = 700
      return
    }
    try rig.player.play()
    model.plays = true
    let count = start == .ended ? model.sound.count + 200 : 900
    #expect(try rig.render(count) == model.render(count))
    switch start {
    case .paused: rig.player.pause()
    case .stopped: rig.player.stop()
    case .cleared: rig.player.clear()
    case .empty, .scheduled, .playing, .ended, .sought: return
    }
    model.plays = false
    if start == .cleared { model.place = nil }
    _ = try rig.render(200)
    // The sound advanced during the fade.
    if let place = model.place { model.place = place + 40 }
  }

  /// Gives a command to both. Returns the number of frames in which a fade hides the sound.
  private func give(_ command: Command, _ kind: Kind, _ rig: PlayerRig, _ model: inout Model) throws -> Int {
    let wasHeard = model.plays && model.place != nil
    switch command {
    case .play:
      try rig.player.play()
      model.plays = true
      // It resumes with a fade if it begins within the sound.
      return wasHeard ? 0 : 40
    case .playLater:
      try rig.player.play(at: rig.engine.now + .milliseconds(50))
      if !model.plays { model.delay = 400 }
      model.plays = true
      return wasHeard ? 0 : 440
    case .pause, .stop:
      if command == .pause { rig.player.pause() } else { rig.player.stop() }
      model.plays = false
      return 40
    case .seek, .seekPastEnd:
      let frame = command == .seek ? 1234 : 1_000_000
      guard model.place != nil else {
        #expect(throws: EngineError.self) { try rig.player.seek(to: frame) }
        return 0
      }
      try rig.player.seek(to: frame)
      model.place = min(frame, model.sound.count)
      return 40
    case .clear:
      rig.player.clear()
      (model.place, model.plays) = (nil, false)
      return 40
    case .scheduleMore:
      guard model.place == nil else { return 0 }
      try schedule(kind, rig)
      model.schedule()
      return 0
    }
  }

  @Test(arguments: Kind.allCases, Start.allCases)
  func `every command does what the model does`(kind: Kind, start: Start) throws {
    for command in Command.allCases {
      let rig = try PlayerRig()
      var model = Model(sound(kind))
      try enter(start, kind, rig, &model)
      let fade = try give(command, kind, rig, &model), place = "\(command) while \(start), \(kind)"
      let heard = try rig.render(600), expected = model.render(600)
      #expect(heard[fade...] == expected[fade...], "\(place)")
      #expect(heard.allSatisfy { abs($0) <= 1 }, "\(place)")
      #expect(rig.player.isPlaying == (model.plays && model.place != nil), "\(place)")
      let length = MediaTime(frames: Int64(model.sound.count), at: 8000)
      // An item that was paused and moved to its end has ended.
      let isThere = model.place.map { $0 < model.sound.count } ?? false
      #expect(rig.player.duration == length || !isThere, "\(place)")
      #expect(rig.player.duration == nil || model.place != nil, "\(place)")
      // The player remains usable: it can be cleared, filled and played from the beginning.
      rig.player.clear()
      _ = try rig.render(200)
      try schedule(kind, rig)
      try rig.player.play()
      #expect(try rig.render(500) == Array(model.sound[..<500]), "again, \(place)")
      #expect(rig.player.duration == MediaTime(frames: Int64(model.sound.count), at: 8000), "\(place)")
      #expect(rig.player.currentTime == MediaTime(frames: 500, at: 8000), "\(place)")
    }
  }
}
