// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Foundation
import SwiftletFiles
import SwiftletGraph
import SwiftletSignal
import SwiftletTimeline

@testable import Swiftlet

/// The kinds of items that players play.
enum PlayerItemKind: CaseIterable {
  case file, part, buffer, midi, composition
}

/// The files for the tests of player states. An item has ``PlayerModel/length`` frames at 8 kHz, each with a different
/// value. The MIDI file has a note every 10 frames, each with a different key.
final class PlayerFiles: Sendable {
  static let sound = staircase(PlayerModel.length, from: 1)
  static let noteGap = 10
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (path, sound) in [(file, Self.sound), (longFile, silence(300) + Self.sound + silence(300))] {
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: 8000, channelCount: 1)
      try writer.write([sound])
      try writer.close()
    }
    // 4000 ticks per quarter note at 120 quarter notes per minute: one tick is one frame.
    var events: [UInt8] = []
    for key in 0..<UInt8(PlayerModel.length / Self.noteGap) {
      events += [key == 0 ? 0 : 5, 0x90, key, 64] + [5, 0x80, key, 0]
    }
    events += [5, 0xFF, 0x2F, 0]
    let size = [UInt8(events.count >> 8), UInt8(events.count & 255)]
    let bytes =
      Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0x0F, 0xA0] + Array("MTrk".utf8) + [0, 0] + size
    try Data(bytes + events).write(to: URL(filePath: score))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var file: String { folder + "/file.wav" }
  var longFile: String { folder + "/long.wav" }
  var score: String { folder + "/score.mid" }

  /// The level of the composition's track.
  static let level: Float = 0.5
  /// A composition with the sound on one track, and the mix with the track's level.
  var composition: Composition {
    get throws(CompositionError) {
      var composition = Composition()
      try composition.add("voice")
      try composition.insert(
        .zero..<MediaTime(frames: Int64(PlayerModel.length), at: 8000), of: AssetReference(file), in: "voice")
      return composition
    }
  }
  var mix: AudioMix {
    get throws(AutomationError) {
      var mix = AudioMix()
      try mix["voice"].setVolume(Self.level, at: .zero)
      return mix
    }
  }
}

/// Stores the keys of started notes by frame, and the held keys.
private final class NoteRecorder: Processor, @unchecked Sendable {
  private(set) var begun: [Int: Int] = [:], held: Set<Int> = []

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    var next = block.input().events?.first
    while let event = next {
      let key = Int(event[1])
      switch event[0] & 0xF0 {
      case 0x90:
        begun[Int(event.header.frame)] = key
        held.insert(key)
      case 0x80: held.remove(key)
      default: break
      }
      next = block.input().events?.next(after: event)
    }
  }
}

/// A player with an item, driven through the public API, and its model.
final class PlayerSubject {
  let kind: PlayerItemKind
  let player: any Player
  var model: PlayerModel
  /// The commands so far.
  private(set) var commands: [PlayerCommand] = []
  private let composition: Composition, mix: AudioMix
  private let files: PlayerFiles, engine: AudioEngine, output: AudioNode
  private let noteRecorder = NoteRecorder()
  private var heard: [Float] = []

  init(
    _ kind: PlayerItemKind, _ files: PlayerFiles, on engine: AudioEngine, follows: Bool = false
  ) throws {
    (self.kind, self.files, self.engine) = (kind, files, engine)
    (composition, mix) = (try files.composition, try files.mix)
    model = PlayerModel(isMIDI: kind == .midi)
    if kind == .midi {
      player = try engine.attachMIDIPlayer(files.score)
      output = try engine.add(
        NewNode("catcher", .processor, [.events], [], .closure(noteRecorder)), isNamed: false)
    } else {
      player = try engine.attachPlayer(channels: 1, followsTransport: follows)
      output = try engine.attach(.playback(channels: 1))
      try schedule()
    }
    try engine.connect(player, output)
  }

  /// Whether players of a kind have a command.
  static func has(_ command: PlayerCommand, _ kind: PlayerItemKind) -> Bool {
    kind != .midi || command != .schedule && command != .clear
  }

  private func schedule() throws(EngineError) {
    guard let player = player as? PlayerNode else { return }
    switch kind {
    case .file: try player.schedule(.file(files.file))
    case .part: try player.schedule(.file(files.longFile, part: .frames(300..<300 + PlayerModel.length)))
    case .buffer: try player.schedule(.buffer(AudioBuffer([PlayerFiles.sound])))
    case .composition: try player.schedule(.composition(composition, mix: mix))
    case .midi: break
    }
  }

  /// Gives a command to the player and to the model. Returns false if their errors differ.
  func take(_ command: PlayerCommand) throws -> Bool {
    commands.append(command)
    let expected = model.take(command)
    do throws(EngineError) {
      try perform(command)
      return expected == nil
    } catch {
      switch error {
      case .notAttached: return expected == .notAttached
      case .schedule(_, .nothingScheduled): return expected == .nothingScheduled
      default: throw error
      }
    }
  }

  func perform(_ command: PlayerCommand) throws(EngineError) {
    let rate = engine.sampleRate
    switch command {
    case .play: try player.play()
    case .playLater:
      try player.play(
        at: AudioTime(frame: engine.now.frame + Int64(PlayerCommand.delay), sampleRate: rate))
    case .pause: player.pause()
    case .stop: player.stop()
    case .seek: try player.seek(to: MediaTime(frames: Int64(PlayerCommand.target), at: rate))
    case .seekPastEnd: try player.seek(to: MediaTime(frames: Int64(PlayerCommand.farTarget), at: rate))
    case .schedule: try schedule()
    case .clear: (player as? PlayerNode)?.clear()
    case .loopForever: try player.loop(.forever)
    case .loopOnce: try player.loop(.once)
    case .loopTwice: try player.loop(.times(2))
    case .detach: try engine.detach(player)
    }
  }

  /// Stores the output of a rendered block, and advances the model.
  func record(_ block: [AudioNode: AudioBuffer], _ count: Int) {
    heard += block[output].map { $0[0] } ?? silence(count)
    model.run(count)
  }

  /// The current difference between the player's state and the model; nil if there is none.
  var difference: String? {
    let position = player.currentTime.frames(at: engine.sampleRate)
    if position != model.position { return "position \(position), not \(model.position)" }
    if player.isPlaying != model.isPlaying { return "isPlaying \(player.isPlaying)" }
    let duration = player.duration.map { Int($0.frames(at: engine.sampleRate)) }
    if duration != model.duration { return "duration \(String(describing: duration))" }
    return nil
  }

  /// The first difference between the output and the model; nil if there is none.
  var firstDifference: String? {
    if kind == .midi { return firstNoteDifference }
    for (frame, soundFrame) in model.heard.enumerated() where !model.isFading[frame] {
      let expected = soundFrame.map { PlayerFiles.sound[$0] * level } ?? 0
      if abs(heard[frame] - expected) > 1e-7 {
        return "frame \(frame) is \(heard[frame] / level * 1_048_576), not \(soundFrame.map { $0 + 1 } ?? 0)"
      }
    }
    return nil
  }

  private var level: Float { kind == .composition ? PlayerFiles.level : 1 }

  private var firstNoteDifference: String? {
    for (frame, soundFrame) in model.heard.enumerated() where !model.isFading[frame] {
      let key = soundFrame.flatMap { $0 % PlayerFiles.noteGap == 0 ? $0 / PlayerFiles.noteGap : nil }
      if noteRecorder.begun[frame] != key {
        return
          "key \(String(describing: noteRecorder.begun[frame])) on \(frame), not \(String(describing: key))"
      }
    }
    return model.isStill && !noteRecorder.held.isEmpty ? "held keys \(noteRecorder.held)" : nil
  }

  /// The difference between the last `count` frames and the item's frames before `position` of the transport; nil if
  /// there is none.
  func difference(before position: Int, isPlaying: Bool, in count: Int) -> String? {
    for back in 1...count {
      let frame = heard.count - back
      let soundFrame = isPlaying ? (position - back + 100 * PlayerModel.length) % PlayerModel.length : nil
      if kind == .midi {
        let key = soundFrame.flatMap { $0 % PlayerFiles.noteGap == 0 ? $0 / PlayerFiles.noteGap : nil }
        if noteRecorder.begun[frame] != key {
          return "key \(String(describing: noteRecorder.begun[frame])) on \(frame)"
        }
      } else {
        let expected = soundFrame.map { PlayerFiles.sound[$0] * level } ?? 0
        if abs(heard[frame] - expected) > 1e-7 {
          return "frame \(frame): \(heard[frame] / level * 1_048_576)"
        }
      }
    }
    return isPlaying || noteRecorder.held.isEmpty ? nil : "held keys \(noteRecorder.held)"
  }
}
