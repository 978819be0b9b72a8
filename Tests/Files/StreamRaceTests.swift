// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import SwiftletTesting
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletPlayback

/// Sources and their parts, used by an audio thread, a prefetch thread and commanding threads at once.
///
/// They run one after the other, with threads that yield: each uses all processors, and other tests run beside them.
@Suite(.serialized) struct StreamRaceTests {
  private struct Numbers: BitwiseCopyable {
    var first = 0, second: Int? = nil, third = 0.0, fourth: (Int, Int64)? = (0, 0)

    init(_ number: Int) {
      (first, second, third, fourth) = (number, number, Double(number), (number, Int64(number)))
    }

    var isWhole: Bool {
      second == first && third == Double(first) && fourth?.0 == first && fourth?.1 == Int64(first)
    }
  }

  /// Runs closures on several threads, and waits for all of them.
  private func together(_ bodies: [@Sendable () -> Void]) {
    DispatchQueue.concurrentPerform(iterations: bodies.count) { bodies[$0]() }
  }

  @Test func `a published value is read whole, and never followed by an older one`() {
    final class Box: Sendable { let value = LatestValue(Numbers(0)) }
    let box = Box(), isOver = Atomic(false), isWhole = Mutex(true)
    let read: @Sendable () -> Void = {
      var last = Numbers(0), seen = 0
      while !isOver.load(ordering: .acquiring) {
        let version = box.value.version()
        if seen & 1 == 0 { last = box.value.latest() } else { box.value.read(into: &last) }
        let (isRight, before) = (last.isWhole, last.first)
        if !isRight || (seen & 1 == 0 && before < version) { isWhole.withLock { $0 = false } }
        seen += 1
      }
    }
    let write: @Sendable () -> Void = {
      for number in 1...1_000_000 { box.value.publish(Numbers(number)) }
      isOver.store(true, ordering: .releasing)
    }
    together([write, read, read])
    #expect(isWhole.withLock { $0 } && box.value.version() == 1_000_000)
    #expect(box.value.latest().first == 1_000_000)
  }

  /// Two threads play and fill sixteen frames at a time until `body` returns.
  private func withThreads(_ player: StreamPlayer, _ length: Int, _ body: () throws -> Void) rethrows {
    let isOver = Atomic(false)
    let prefetch = Thread {
      while !isOver.load(ordering: .acquiring) {
        guard let seek = player.stream.beginSeek() else {
          sched_yield()
          continue
        }
        player.stream.ring.commit(max(length - seek.frame, 0))
        player.stream.markEnd()
        player.stream.endSeek(from: seek)
      }
    }
    player.stream.ring.commit(length)
    player.stream.markEnd()
    prefetch.start()
    defer {
      isOver.store(true, ordering: .releasing)
      while !prefetch.isFinished { usleep(1000) }
    }
    try withAudioThread(playing: player.source, body)
  }

  @Test func `of concurrent commands up to the end of a stream, the last takes effect`() throws {
    let length = 640
    let player = StreamPlayer(
      StreamSource(channelCount: 1, sampleRate: 48_000, length: length, capacity: 1024))
    try withThreads(player, length) {
      for round in rounds(300) {
        let order: @Sendable (Int) -> Void = { seed in
          var generator = SeededGenerator(seed: UInt64(seed))
          for _ in 0..<40 {
            switch generator.below(6) {
            case 0: player.play()
            case 1: player.play(at: Int64(generator.below(1_000_000)))
            case 2: player.pause()
            case 3: player.stream.seek(to: generator.below(length + 20))
            case 4:
              player.pause()
              player.stream.seek(to: 0)
            default: player.stream.restart()
            }
          }
        }
        together([{ order(2 * round) }, { order(2 * round + 1) }])
        if round & 1 == 0 {
          // It returns to its position, and ends.
          player.stream.seek(to: length - 100)
          player.play()
          try #require(
            comesTrue { player.stream.hasEnded && !player.isPlaying && !player.stream.isSeekPending })
          #expect(player.stream.position == length)
        } else {
          player.pause()
          player.stream.seek(to: 0)
          try #require(comesTrue { !player.stream.isRead && !player.stream.isSeekPending })
          #expect(player.stream.position == 0 && !player.stream.hasEnded && !player.isPlaying)
        }
      }
    }
  }

  @Test func `a pause just before the end takes effect or the stream ends, and playing resumes`() throws {
    let length = 480
    let player = StreamPlayer(
      StreamSource(channelCount: 1, sampleRate: 48_000, length: length, capacity: 512))
    try withThreads(player, length) {
      for round in rounds(2000) {
        player.play()
        try #require(comesTrue { player.stream.position > round % length })
        player.pause()
        try #require(comesTrue { !player.stream.isRead && !player.stream.isSeekPending })
        player.play()
        try #require(comesTrue { player.stream.hasEnded && !player.isPlaying })
      }
    }
  }

  @Test func `of concurrent commands to a player the last takes effect, and no clip is lost`() throws {
    let player = PlayerSource(channelCount: 1, sampleRate: 48_000)
    try withAudioThread(playing: player) {
      for round in rounds(300) {
        let order: @Sendable (Int) -> Void = { seed in
          var generator = SeededGenerator(seed: UInt64(seed))
          for _ in 0..<40 {
            switch generator.below(5) {
            case 0, 1: player.play()
            case 2: player.play(at: Int64(generator.below(1_000_000)))
            case 3: player.pause()
            default: player.stop()
            }
          }
        }
        together([{ order(2 * round) }, { order(2 * round + 1) }])
        let sound = StreamSource(channelCount: 1, sampleRate: 48_000, length: 64, capacity: 64)
        sound.ring.commit(64)
        sound.markEnd()
        #expect(player.hand(over: Clip(number: round + 1, item: round + 1, length: 64), sound))
        let isStopped = round & 1 == 1
        if isStopped { player.stop() } else { player.play() }
        var ends: [ClipEnd] = []
        try #require(
          comesTrue {
            for (note, _) in player.collect() {
              if case .ended(let end) = note.kind, note.clip == round + 1 { ends.append(end) }
            }
            return !ends.isEmpty && (!isStopped || player.ownTimeOffset == nil)
          })
        // The clip may have played before the stop takes effect.
        #expect(ends == [.finished] || isStopped && ends == [.stopped], "\(round): \(ends)")
        #expect(player.isPlayRequested != isStopped)
        #expect(!isStopped || player.ownTime == 0)
      }
    }
  }
}
