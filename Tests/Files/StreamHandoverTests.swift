// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletPlayback

/// A player's sources while the prefetch thread holds them; here the test is that thread. A fade has 240 frames.
struct StreamHandoverTests {
  private let player = PlayerSource(channelCount: 1, sampleRate: 48_000)
  private let backend: BlockBackend

  init() { backend = BlockBackend(player, outputs: 1) }

  private func put(_ numbers: Range<Int>, in source: StreamSource) {
    let samples = source.ring.writableSamples(of: 0)
    for (index, number) in numbers.enumerated() { samples[index] = Float(number) }
    source.ring.commit(numbers.count)
  }

  /// Returns a source whose frames are numbers, with a ring of 16,384 frames.
  private func source(_ numbers: Range<Int>) -> StreamSource {
    let source = StreamSource(channelCount: 1, sampleRate: 48_000, length: nil, capacity: 1 << 14)
    source.begin(at: numbers.lowerBound)
    put(numbers, in: source)
    return source
  }

  private func hand(
    _ source: StreamSource, _ number: Int, item: Int = 1, _ change: (inout Clip) -> Void = { _ in }
  ) {
    var clip = Clip(number: number, item: item, length: .max)
    change(&clip)
    #expect(player.hand(over: clip, source))
  }

  private func run(_ frame: Int64, _ count: Int = 480) -> [Float] {
    backend.run(frame: frame, count: count)[0]
  }

  private func numbers(_ range: Range<Int>) -> [Float] { range.map { Float($0) } }

  /// Returns the clips that have ended since the last call.
  private func ended() -> [Int] {
    player.collect().compactMap { note, _ in
      if case .ended = note.kind { note.clip } else { nil }
    }
  }

  @Test func `a paused player returns its source at once, and resumes at the seek position`() throws {
    let sound = source(0..<8000)
    hand(sound, 1)
    player.play()
    #expect(run(0) == numbers(0..<480))
    player.pause()
    #expect(run(480)[240...].allSatisfy { $0 == 0 })
    sound.seek(to: 100)
    _ = run(960)
    let seek = try #require(sound.beginSeek())
    put(100..<4000, in: sound)
    sound.endSeek(from: seek)
    player.play()
    // One fade, not two at once.
    let heard = run(1440)
    for frame in 0..<240 {
      #expect(abs(heard[frame] - Float(100 + frame) * Float(frame + 1) / 240) < 1e-3)
    }
    #expect(heard[240...] == numbers(340..<580)[...] && player.underruns.count == 0)
  }

  @Test func `a clip whose source is being emptied has not ended`() throws {
    let sound = source(0..<8000)
    sound.markEnd()
    hand(sound, 1)
    let next = source(0..<100)
    next.markEnd()
    hand(next, 2, item: 2)
    player.play()
    #expect(run(0) == numbers(0..<480))
    sound.seek(to: 100)
    _ = (run(480), run(960))
    let seek = try #require(sound.beginSeek())
    // A transient state: nothing in the ring, and the old end.
    sound.markEnd()
    #expect(run(1440).allSatisfy { $0 == 0 })
    #expect(ended().isEmpty)
    sound.handover.mark(end: nil)
    put(100..<4100, in: sound)
    sound.markEnd()
    sound.endSeek(from: seek)
    _ = run(1920)
    #expect(run(2400) == numbers(580..<1060))
    #expect(run(2880, 4000)[3040..<3140] == numbers(0..<100)[...] && ended() == [1, 2])
  }

  @Test func `a new part of a clip waits for its source`() throws {
    let part = source(0..<0)
    hand(source(0..<8000), 1)
    // It waits for the end of the first clip, which does not come, whatever happens to its parts.
    hand(source(0..<100), 9, item: 2)
    player.play()
    #expect(run(0) == numbers(0..<480))
    part.seek(to: 5000)
    hand(part, 10) { $0.entrance = .replaces }
    #expect(run(480) == numbers(480..<960) && ended().isEmpty)
    // A later part replaces the one that waits.
    let later = source(0..<0)
    later.seek(to: 6000)
    hand(later, 11) { $0.entrance = .replaces }
    #expect(run(960) == numbers(960..<1440) && ended() == [10])
    let seek = try #require(later.beginSeek())
    put(6000..<8000, in: later)
    later.endSeek(from: seek)
    let heard = run(1440)
    #expect(heard[240...] == numbers(6240..<6480)[...] && ended() == [1])
  }

  @Test func `a part that continues another skips the frames that have already played`() {
    hand(source(0..<8000), 1)
    player.play()
    #expect(run(0) == numbers(0..<480))
    hand(source(1100..<9000), 2) {
      $0.entrance = .replaces
      $0.since = 100
    }
    // The same frame is 1000 frames further on in this sound, so the test can distinguish both.
    let heard = run(480)
    for frame in 0..<240 {
      let part = Float(frame + 1) / 240
      #expect(abs(heard[frame] - Float(480 + frame) - 1000 * part) < 1e-2)
    }
    #expect(heard[240...] == numbers(1720..<1960)[...])
  }

  @Test func `a due clip without a source does not fragment the block`() throws {
    let next = source(0..<0)
    hand(source(0..<10), 1)
    player.play()
    #expect(run(0, 10) == numbers(0..<10))
    next.seek(to: 5)
    hand(next, 2, item: 2) { $0.entrance = .interrupts }
    // Each part of a block that lacks frames is counted.
    _ = run(10, 1000)
    #expect(player.underruns == (1, 1000))
    let seek = try #require(next.beginSeek())
    put(5..<2000, in: next)
    next.endSeek(from: seek)
    #expect(run(1010)[240...] == numbers(245..<485)[...])
  }

  @Test(arguments: [ClipStart.frame(.max), .playerTime(.max), .frame(.min), .playerTime(.min)])
  func `infinite start times wait, also at another speed`(start: ClipStart) {
    for entrance in [ClipEntrance.follows, .interruptsAtLoop] {
      let player = PlayerSource(channelCount: 1, sampleRate: 48_000),
        backend = BlockBackend(player, outputs: 1)
      let loop = StreamSource(channelCount: 1, sampleRate: 48_000, length: nil, speed: 4, varispeed: 4)
      put(0..<8000, in: loop)
      var clip = Clip(number: 1, item: 1, length: .max)
      clip.repetitions = ClipRepetitions(first: 1600, length: 100, count: .max)
      #expect(player.hand(over: clip, loop))
      var last = Clip(number: 2, item: 2, length: .max)
      (last.start, last.entrance) = (start, entrance)
      #expect(player.hand(over: last, source(0..<8000)))
      player.play()
      #expect(backend.run(frame: 0, count: 20)[0] == numbers(0..<20))
    }
  }
}
