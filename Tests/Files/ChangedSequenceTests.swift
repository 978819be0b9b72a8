// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import SwiftletStretch
import Testing

@testable import SwiftletFiles
@testable import SwiftletGraph
@testable import SwiftletPlayback

/// A sequence of clips that changes after it was read ahead, while the transport plays it block by block.
struct ChangedSequenceTests {
  private let prefetch = PrefetchThread()
  private let sequence = ClipSequence()

  private func placedClip(_ sound: [Float], _ number: Int, at start: Int) throws -> ClipSequence.PlacedClip {
    let kept = try #require(KeptSound([sound], from: 48_000, to: 48_000))
    return ClipSequence.PlacedClip(
      number, .memory(kept), ClipLayout(part: 0..<sound.count), start: start, nil)
  }

  /// Returns numbers that all differ, with inaudibly small steps between them.
  private func slope(_ count: Int, from first: Int) -> [Float] {
    (0..<count).map { Float(first + $0) / 1_048_576 }
  }

  //   bed ───────┬──────────────        an item laid ahead begins on its frame; one that comes late begins shortly
  //   word       └───┬───                after now, over 5 ms
  //   late         └─┴───────
  @Test(arguments: [64, 480])
  func `a change is read again from its frame, and nothing else changes`(block: Int) throws {
    let player = StreamPlayer(
      try prefetch.makeSource(
        sequence, channelCount: 1, sampleRate: 48_000, capacity: 1 << 16, isOffline: false, isReady: false))
    let backend = BlockBackend(player.source, outputs: 1)
    let bed = slope(100_000, from: 1), word = slope(2000, from: 200_000), late = slope(9000, from: 500_000)
    let first = try placedClip(bed, 1, at: 0)
    sequence.set([first], changedFrom: 0)
    player.follow(true)
    player.play()
    prefetch.fill(player.stream)
    #expect(player.isReady(at: 0) && player.stream.ring.readable > 20_000)
    var heard: [Float] = []
    func run(to end: Int) {
      while heard.count < end {
        backend.transport = Transport(isRolling: true, position: Int64(heard.count))
        heard += backend.run(frame: Int64(heard.count), count: block)[0]
        prefetch.fill(atLeast: 4 * block)
      }
    }
    run(to: 4000)
    let second = try placedClip(word, 2, at: heard.count + 6 * block + 960)
    sequence.set([first, second], changedFrom: second.start)
    prefetch.fill(player.stream)
    run(to: 12_000)
    let now = heard.count, third = try placedClip(late, 3, at: now - 100)
    sequence.set([first, second, third], changedFrom: third.start)
    prefetch.fill(player.stream)
    run(to: 30_000)
    #expect(player.stream.underruns.count == 0)
    func expected(_ frame: Int, withLate: Bool) -> Float {
      let spoken = word.indices.contains(frame - second.start) ? word[frame - second.start] : 0
      guard withLate, late.indices.contains(frame - third.start) else { return bed[frame] + spoken }
      return bed[frame] + spoken + late[frame - third.start]
    }
    let joined = try #require((now...).first { abs(heard[$0] - bed[$0]) > 1e-7 })
    for frame in 0..<joined { #expect(heard[frame] == expected(frame, withLate: false), "\(frame)") }
    for frame in (joined + 240)..<heard.count {
      #expect(heard[frame] == expected(frame, withLate: true), "\(frame)")
    }
    // It is ready within two blocks and 20 ms.
    #expect(joined - now <= 3 * block + 960, "\(joined - now)")
    let steps = (joined - 1..<joined + 240).map { abs(heard[$0 + 1] - heard[$0]) }
    #expect((steps.max() ?? 1) < 0.01, "\(steps.max() ?? 1)")
  }

  //   read ──────────┐     the later change is read again; the earlier change arrives meanwhile
  //   later      └───┤
  //   earlier  └─────┤
  @Test func `a change during the reading of another change is not lost`() throws {
    let reader = SequenceReader(sequence, channelCount: 1, sampleRate: 48_000, quality: .medium)
    let memory = ChannelMemory(channelCount: 1, frameCount: 1000)
    let bed = try placedClip(slope(5000, from: 1), 1, at: 0)
    sequence.set([bed], changedFrom: 0)
    #expect(reader.read(into: memory.channels, count: 1000) == 1000 && sequence.staleFrame == nil)
    let later = try placedClip(slope(100, from: 9000), 2, at: 500)
    sequence.set([bed, later], changedFrom: 500)
    #expect(sequence.staleFrame == 500 && sequence.takeStaleFrame() == 500 && sequence.staleFrame == nil)
    let earlier = try placedClip(slope(100, from: 8000), 3, at: 200)
    sequence.set([bed, later, earlier], changedFrom: 200)
    reader.seek(to: 500)
    #expect(reader.read(into: memory.channels, count: 500) == 500)
    #expect(sequence.takeStaleFrame() == 200 && sequence.takeStaleFrame() == nil)
  }
}
