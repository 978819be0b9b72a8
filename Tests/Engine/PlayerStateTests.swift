// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import SwiftletTimeline
import Testing

@testable import Swiftlet

/// Compares players of every kind, in every state and under every command, with a simple model.
struct PlayerStateTests {
  /// A state of a player, and the commands that lead to it, each with the number of frames after it.
  enum Condition: CaseIterable {
    case neverPlayed, sought, waiting, playing, looping, paused, stopped, ended, emptied, cleared, refilled,
      detached

    var steps: [(command: PlayerCommand, frames: Int)] {
      switch self {
      case .neverPlayed: []
      case .sought: [(.seek, 0)]
      case .waiting: [(.playLater, 100)]
      case .playing: [(.play, 100)]
      case .looping: [(.loopForever, 0), (.play, 1000)]
      case .paused: [(.play, 100), (.pause, 100)]
      case .stopped: [(.play, 100), (.stop, 100)]
      case .ended: [(.play, 500)]
      case .emptied: [(.clear, 0)]
      case .cleared: [(.play, 100), (.clear, 100)]
      case .refilled: [(.play, 100), (.clear, 100), (.schedule, 0), (.play, 0)]
      case .detached: [(.play, 100), (.detach, 100)]
      }
    }
  }

  /// Gives several commands to each of many players of one kind and state, on one engine.
  ///
  /// - Parameters:
  ///   - stories: the commands for each player, in order.
  ///   - gap: the number of frames after each command.
  private func play(
    _ kind: PlayerItemKind, _ condition: Condition, _ sequences: [[PlayerCommand]], gap: Int, block: Int
  ) throws {
    let files = try PlayerFiles(), engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    let subjects = try sequences.map { _ in try PlayerSubject(kind, files, on: engine) }
    func check(_ subject: PlayerSubject, _ moment: String) {
      guard let difference = subject.difference else { return }
      Issue.record("\(kind), \(condition), \(subject.commands) \(moment): \(difference)")
    }
    func render(_ count: Int) throws {
      guard count > 0 else { return }
      var left = count
      while left > 0 {
        let heard = try engine.render(min(block, left))
        for subject in subjects { subject.record(heard, min(block, left)) }
        left -= block
      }
      for subject in subjects { check(subject, "rendered") }
    }
    func take(_ command: PlayerCommand, _ subject: PlayerSubject) throws {
      if try !subject.take(command) {
        Issue.record("\(kind), \(condition), \(subject.commands): a wrong error")
      }
      check(subject, "asked")
    }
    for step in condition.steps where PlayerSubject.has(step.command, kind) {
      for subject in subjects { try take(step.command, subject) }
      try render(step.frames)
    }
    for index in 0..<(sequences.map(\.count).max() ?? 0) {
      for (commands, subject) in zip(sequences, subjects) where index < commands.count {
        try take(commands[index], subject)
      }
      try render(gap)
    }
    try render(1200)
    for subject in subjects {
      guard let difference = subject.firstDifference else { continue }
      Issue.record("\(kind), \(condition), \(subject.commands), gap \(gap): \(difference)")
    }
  }

  @Test(arguments: PlayerItemKind.allCases, Condition.allCases)
  func `two commands in a row match the model`(kind: PlayerItemKind, condition: Condition) throws {
    let commands = PlayerCommand.allCases.filter { PlayerSubject.has($0, kind) }
    for first in commands {
      let sequences = commands.map { [first, $0] }
      for (gap, block) in [(0, 64), (100, 64), (100, 25), (10, 1000)] {
        try play(kind, condition, sequences, gap: gap, block: block)
      }
    }
  }

  @Test(arguments: PlayerItemKind.allCases, Condition.allCases)
  func `three random commands match the model`(kind: PlayerItemKind, condition: Condition) throws {
    var generator = SeededGenerator(seed: 14)
    let commands = PlayerCommand.allCases.filter { PlayerSubject.has($0, kind) }
    for (gap, block) in [(0, 100), (60, 64)] {
      let sequences = (0..<40).map { _ in (0..<3).map { _ in commands[generator.below(commands.count)] } }
      try play(kind, condition, sequences, gap: gap, block: block)
    }
  }
}

/// Players that follow the transport, under every pair of commands. At the end each plays at the transport's position
/// or is silent.
struct FollowingStateTests {
  enum Step: Equatable {
    case player(PlayerCommand)
    case stopTransport, startTransport, locate
  }

  private static let steps: [Step] =
    [PlayerCommand.play, .playLater, .pause, .stop, .seek, .clear, .loopOnce, .loopForever, .detach]
    .map(Step.player) + [.stopTransport, .startTransport, .locate]

  /// A simple model of a player that follows the transport.
  private struct Model {
    let isMIDI: Bool
    var isAttached = true, plays = true, rolls = true, isEmpty = false, loops = true

    /// Applies a step. Returns false if the player must refuse it.
    mutating func take(_ step: Step, at position: Int) -> Bool {
      switch step {
      case .stopTransport: rolls = false
      case .startTransport: rolls = true
      case .locate: break
      case .player(.pause), .player(.stop): plays = false
      case .player(.detach): (isAttached, plays) = (false, false)
      case .player(.clear): (isEmpty, plays) = (true, false)
      case .player(.play):
        guard isAttached else { return false }
        plays = true
      case .player(.loopOnce), .player(.loopForever):
        guard isAttached, !isEmpty else { return false }
        // There is no item at or after the transport's position.
        guard isMIDI || loops || position < PlayerModel.length else { return false }
        loops = step == .player(.loopForever)
      case .player: return false
      }
      return true
    }

    func isPlaying(at position: Int) -> Bool {
      isAttached && plays && rolls && !isEmpty && (loops || position < PlayerModel.length)
    }
  }

  @Test(arguments: PlayerItemKind.allCases, [64, 200])
  func `a follower is at the transport's position after any two commands`(
    kind: PlayerItemKind, block: Int
  ) throws {
    let files = try PlayerFiles()
    let steps = Self.steps.filter { step in
      if case .player(let command) = step { PlayerSubject.has(command, kind) } else { true }
    }
    for first in steps {
      for second in steps { try follow([first, second], kind, files, block: block) }
    }
  }

  private func follow(
    _ steps: [Step], _ kind: PlayerItemKind, _ files: PlayerFiles, block: Int
  ) throws {
    let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    try engine.setTransportRole(.follow)
    let subject = try PlayerSubject(kind, files, on: engine, follows: true)
    var model = Model(isMIDI: kind == .midi)
    try subject.perform(.loopForever)
    try subject.perform(.play)
    func render(_ count: Int) throws {
      for _ in 0..<count { subject.record(try engine.render(block), block) }
    }
    try render(4)
    for step in steps {
      let position = Int(engine.transport.position)
      var isTaken = true
      do throws(EngineError) {
        switch step {
        case .player(let command): try subject.perform(command)
        case .stopTransport: try engine.stopTransport()
        case .startTransport: try engine.startTransport()
        case .locate: try engine.locateTransport(to: MediaTime(frames: 37, at: 8000))
        }
      } catch {
        switch error {
        case .notAttached, .schedule(_, .followsTransport), .schedule(_, .nothingScheduled): isTaken = false
        default: throw error
        }
      }
      #expect(isTaken == model.take(step, at: position), "\(kind), \(steps), block \(block): \(step)")
      try render(12)
    }
    try render(20)
    let position = Int(engine.transport.position), isPlaying = model.isPlaying(at: position)
    #expect(subject.player.isPlaying == isPlaying, "\(kind), \(steps), block \(block)")
    let difference = subject.difference(before: position, isPlaying: isPlaying, in: block)
    #expect(difference == nil, "\(kind), \(steps), block \(block)")
  }
}
