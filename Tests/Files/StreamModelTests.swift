// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTesting
import Testing

@testable import SwiftletGraph
@testable import SwiftletPlayback

/// A simple model of a player of one stream: frame n of the file is the number n + 1, and a fade has 240 frames.
private struct StreamModel {
  enum Goal { case frame(Int), timeline(Int), here }
  enum Sound { case silent, playing, fading }

  let length: Int
  var plays = false, number = 0, start: Int64?, follows = false
  var goal: Goal?
  var sound = Sound.silent
  /// The command that it follows, and the one that ended with the stream.
  var order = 0, fulfilled: Int?
  var position = 0, hasEnded = false
  /// Whether frame n of the file belongs to frame n of the timeline.
  var isOnTimeline = true
  /// The transport's offset while it was elsewhere.
  var deviation: Int64?
  var nextFrame: Int64 = 0
  private var fade: (from: Float, to: Float, passed: Int) = (1, 1, 240)

  init(length: Int) { self.length = length }

  var isPlaying: Bool { plays && fulfilled != number }

  private var gain: Float {
    fade.passed < 240 ? fade.from + (fade.to - fade.from) * Float(fade.passed) / 240 : fade.to
  }

  private mutating func glide(to value: Float) { fade = (gain, value, 0) }

  mutating func play(at frame: Int64?) {
    switch goal {
    case nil, .here: if hasEnded { goal = .frame(0) }
    case .frame, .timeline: break
    }
    (plays, number, start) = (true, number + 1, frame)
  }

  mutating func pause() { (plays, number) = (false, number + 1) }

  mutating func join(at frame: Int64) {
    guard let offset = deviation else { return }
    (goal, start, deviation) = (.timeline(max(Int(frame + offset), 0)), frame, nil)
  }

  mutating func isReady(at frame: Int) -> Bool {
    if goal != nil { return false }
    if isOnTimeline, position == frame, !hasEnded { return true }
    if hasEnded, plays { play(at: nil) }
    goal = .timeline(frame)
    return false
  }

  /// Moves to its goal if it is silent.
  mutating func fill() {
    guard let goal, sound == .silent else { return }
    self.goal = nil
    switch goal {
    case .frame(let frame): (position, isOnTimeline, hasEnded) = (frame, false, false)
    case .timeline(let frame): (position, isOnTimeline, hasEnded) = (frame, true, false)
    case .here: break
    }
  }

  mutating func run(_ frame: Int64, _ count: Int, _ transport: Transport) -> [Float] {
    var heard = [Float](repeating: 0, count: count)
    var isHeld = goal != nil, hasJumped = false
    if follows {
      let expected = nextFrame
      nextFrame = frame + Int64(count)
      if !transport.isRolling || deviation != nil {
        isHeld = true
      } else if sound == .playing, isOnTimeline, expected != frame {
        let missed = Int(transport.position) - position
        hasJumped = missed > 0 && missed < length - position
        if hasJumped {
          position += missed
        } else if missed != 0 {
          (deviation, isHeld) = (transport.position - frame, true)
        }
      }
    }
    let wanted = isPlaying && !isHeld
    let delay = max(start ?? frame, frame) - frame, isDue = wanted && delay < count
    if sound == .playing {
      if isDue { order = number }
      if !wanted {
        sound = .fading
        glide(to: 0)
      } else if hasJumped {
        fade = (0, 1, 0)
      }
    } else if sound == .silent, wanted, hasEnded {
      goal = .frame(0)
    }
    let startOffset = isDue && sound != .playing ? Int(delay) : 0
    play(0..<startOffset, &heard)
    if isDue { begin(after: Int64(startOffset), frame, transport) }
    play(startOffset..<count, &heard)
    return heard
  }

  /// Begins, or reverses during a fade.
  private mutating func begin(after delay: Int64, _ frame: Int64, _ transport: Transport) {
    switch sound {
    case .playing: return
    case .fading: glide(to: 1)
    case .silent:
      if hasEnded { return }
      if follows, !isOnTimeline || transport.position + delay != position {
        deviation = transport.position - frame
        return
      }
      fade = position > 0 ? (0, 1, 0) : (1, 1, 240)
    }
    (sound, order) = (.playing, number)
  }

  private mutating func play(_ frames: Range<Int>, _ heard: inout [Float]) {
    guard sound != .silent else { return }
    for index in frames where position < length && (sound != .fading || fade.passed < 240) {
      fade.passed = min(fade.passed + 1, 240)
      heard[index] = Float(position + 1) * gain
      position += 1
    }
    if position >= length {
      if case .here = goal { sound = .playing }
      (fulfilled, hasEnded) = (sound == .playing ? order : nil, true)
      sound = .silent
    } else if sound == .fading, fade.passed == 240 {
      sound = .silent
    }
  }
}

struct StreamModelTests {
  private let length = 3000

  private func put(_ frames: Range<Int>, in player: StreamPlayer) {
    var next = frames.lowerBound
    while next < frames.upperBound {
      let samples = player.stream.ring.writableSamples(of: 0),
        count = min(player.stream.ring.writableRun, frames.upperBound - next)
      for index in 0..<count { samples[index] = Float(next + index + 1) }
      player.stream.ring.commit(count)
      next += count
    }
    player.stream.markEnd()
  }

  @Test(arguments: 0..<40) func `a player behaves as a simple model under random commands`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed)), model = StreamModel(length: length)
    let player = StreamPlayer(
      StreamSource(channelCount: 1, sampleRate: 48_000, length: length, capacity: 4096))
    let backend = BlockBackend(player.source, outputs: 1)
    put(0..<length, in: player)
    var frame: Int64 = 0, log: [String] = [], sounding = 0
    for _ in 0..<1500 {
      let command = sendCommand(player, &model, backend, at: frame, &generator)
      if generator.below(3) > 0 {
        model.fill()
        if let seek = player.stream.beginSeek() {
          put(min(seek.frame, length)..<length, in: player)
          player.stream.endSeek(from: seek)
        }
      }
      let count = 1 + generator.below(generator.below(3) == 0 ? 700 : 64)
      log.append(
        "\(frame)+\(count) \(backend.transport.isRolling ? backend.transport.position : -1): \(command)")
      let expected = model.run(frame, count, backend.transport),
        heard = backend.run(frame: frame, count: count)[0]
      let wrong = zip(heard, expected).map { abs($0 - $1) <= 1e-4 * max($1, 1) }.firstIndex(of: false)
      let isSame =
        player.isPlaying == model.isPlaying && player.stream.hasEnded == model.hasEnded
        && player.stream.position == model.position && player.stream.isSeekPending == (model.goal != nil)
      guard wrong == nil, isSame else {
        Issue.record(
          """
          frame \(wrong.map { "\($0): \(heard[$0]), not \(expected[$0])" } ?? "-"); playing \(player.isPlaying), ended \
          \(player.stream.hasEnded), at \(player.stream.position), sought \(player.stream.isSeekPending); the model: \(model)
          \(log.suffix(8).joined(separator: "\n"))
          """)
        return
      }
      sounding += heard.count { $0 != 0 }
      // Occasionally a cycle is skipped.
      let passed = Int64(count + (generator.below(30) == 0 ? generator.below(200) : 0))
      frame += passed
      if backend.transport.isRolling { backend.transport.position += passed }
    }
    #expect(sounding > 10_000 && player.stream.underruns.count == 0)
  }

  /// Gives both the same command.
  private func sendCommand(
    _ player: StreamPlayer, _ model: inout StreamModel, _ backend: BlockBackend, at frame: Int64,
    _ generator: inout SeededGenerator
  ) -> String {
    let near = frame + Int64(generator.below(1500)) - 100, position = generator.below(length + 200)
    switch generator.below(30) {
    case 0...3:
      player.play()
      model.play(at: nil)
      return "play"
    case 4, 5:
      player.play(at: near)
      model.play(at: near)
      return "play at \(near)"
    case 6, 7:
      player.pause()
      model.pause()
      return "pause"
    case 8, 9:
      player.stream.seek(to: position)
      model.goal = .frame(position)
      return "seek to \(position)"
    case 10:
      player.pause()
      player.stream.seek(to: 0)
      model.pause()
      model.goal = .frame(0)
      return "stop"
    case 11:
      model.follows.toggle()
      player.follow(model.follows)
      return "follow \(model.follows)"
    case 12...14:
      player.join(at: near)
      model.join(at: near)
      return "join at \(near)"
    case 15:
      player.stream.restart()
      if model.goal == nil { model.goal = .here }
      return "begin anew"
    case 16:
      let (one, other) = (player.isReady(at: position), model.isReady(at: position))
      #expect(one == other)
      return "ready at \(position)"
    case 17...19:
      backend.transport.isRolling.toggle()
      return "toggle the transport"
    case 20:
      backend.transport.position = Int64(position)
      return "locate to \(position)"
    default: return "-"
    }
  }
}
