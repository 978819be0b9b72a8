// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import SwiftletStretch
import Testing

@testable import SwiftletFiles
@testable import SwiftletGraph
@testable import SwiftletPlayback

/// The audio thread's part of a player with a schedule, block by block.
struct PlayerSourceTests {
  private let prefetch = PrefetchThread()

  /// Hands a sound over as the next clip.
  private func add(
    _ sound: [Float], to player: PlayerSource, as number: Int = 1, isOffline: Bool = true,
    _ change: (inout Clip) -> Void = { _ in }
  ) throws {
    let kept = try #require(KeptSound([sound], from: 48_000, to: 48_000))
    let source = try prefetch.makeSource(
      try ClipSound.memory(kept).open(sampleRate: 48_000, quality: .best), ClipLayout(part: 0..<sound.count),
      channelCount: 1, from: 0, capacity: 1 << 16, isOffline: isOffline, Stretch())
    var clip = Clip(number: number, item: number, length: sound.count)
    change(&clip)
    #expect(player.hand(over: clip, source))
  }

  @Test(arguments: [1, 64, 1000])
  func `a clip that continues another skips the frames already played`(block: Int) throws {
    let player = PlayerSource(channelCount: 1, sampleRate: 48_000), backend = BlockBackend(player, outputs: 1)
    let sound = (0..<4000).map { Float($0 + 1) / 8192 }
    try add(sound, to: player)
    player.play()
    var heard: [Float] = []
    func run(to end: Int) {
      while heard.count < end {
        heard += backend.run(frame: Int64(heard.count), count: min(block, end - heard.count))[0]
      }
    }
    run(to: 500)
    // It was prepared when the clip had played 400 frames.
    try add(Array(sound[400...]), to: player, as: 2) { clip in
      (clip.item, clip.entrance, clip.since) = (1, .replaces, 400)
    }
    run(to: 3000)
    #expect(zip(heard, sound).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(heard[760...].elementsEqual(sound[760..<3000]))
  }

  @Test(arguments: [1, 64, 1000], [(120.0, 3.0), (97.3, 6.25)])
  func `a clip begins on its beat`(block: Int, timing: (tempo: Double, beat: Double)) throws {
    let player = PlayerSource(channelCount: 1, sampleRate: 48_000), backend = BlockBackend(player, outputs: 1)
    let beats = { (frame: Int) in Double(frame) * timing.tempo / (60 * 48_000) }
    try add([0.5], to: player) { $0.start = .beat(timing.beat) }
    player.play()
    var heard: [Float] = []
    while heard.count < 200_000 {
      let count = min(block, 200_000 - heard.count), now = beats(heard.count)
      backend.transport = Transport(
        isRolling: true, position: Int64(heard.count), tempo: timing.tempo, bar: 1 + Int32(now / 4),
        beat: now.truncatingRemainder(dividingBy: 4))
      heard += backend.run(frame: Int64(heard.count), count: count)[0]
    }
    let frame = try #require(heard.firstIndex(of: 0.5))
    #expect(frame == Int((timing.beat * 60 * 48_000 / timing.tempo - 1e-6).rounded(.up)))
    #expect(player.hasTempo && heard.count { $0 != 0 } == 1)
  }

  @Test func `a past beat is due at once, and no beat comes while the transport is stopped`() throws {
    let player = PlayerSource(channelCount: 1, sampleRate: 48_000), backend = BlockBackend(player, outputs: 1)
    try add([0.5], to: player) { $0.start = .beat(1) }
    player.play()
    backend.transport = Transport(tempo: 120, beat: 2)
    #expect(backend.run(frame: 0, count: 1000)[0].allSatisfy { $0 == 0 })
    backend.transport.isRolling = true
    #expect(backend.run(frame: 1000, count: 10)[0][0] == 0.5)
  }

  @Test func `a transport with invalid values does no harm`() throws {
    for start in [0, 4, 1e300] {
      for tempo in [Double.nan, .infinity, .leastNonzeroMagnitude, 1e-300, 1e-15, -1, 1e300] {
        // The clip may begin, and is then over.
        let player = PlayerSource(channelCount: 1, sampleRate: 48_000),
          backend = BlockBackend(player, outputs: 1)
        try add([0.5], to: player) { $0.start = .beat(start) }
        player.play()
        for beat in [Double.nan, .infinity, 1e300, 3, 0, -.infinity] {
          backend.transport = Transport(isRolling: true, position: .max, tempo: tempo, bar: .min, beat: beat)
          backend.run(frame: 0, count: 64)
          backend.transport.bar = 1
          backend.run(frame: 0, count: 64)
        }
        backend.transport = Transport(isRolling: true, tempo: 120, beat: 8)
        backend.run(frame: 0, count: 64)
        let begun = player.collect().count { if case .began = $0.note.kind { true } else { false } }
        #expect(begun == 1 || start == 1e300, "\(start) \(tempo)")
      }
    }
  }

  @Test func `an underrun is silent and counted, and playback stays in time`() {
    let player = PlayerSource(channelCount: 1, sampleRate: 48_000), backend = BlockBackend(player, outputs: 1)
    let source = StreamSource(channelCount: 1, sampleRate: 48_000, length: nil, capacity: 256)
    func put(_ numbers: Range<Int>) {
      let samples = source.ring.writableSamples(of: 0)
      for (index, number) in numbers.enumerated() { samples[index] = Float(number) }
      source.ring.commit(numbers.count)
    }
    put(0..<100)
    #expect(player.hand(over: Clip(number: 1, item: 1, length: .max), source))
    player.play()
    #expect(backend.run(frame: 0, count: 64)[0] == (0..<64).map { Float($0) })
    #expect(backend.run(frame: 64, count: 64)[0].suffix(28) == [Float](repeating: 0, count: 28)[...])
    #expect(player.underruns == (1, 28))
    put(100..<256)
    let after = backend.run(frame: 128, count: 64)[0]
    // The prefetch thread, which looks for the cause, detects it too.
    #expect(source.underruns == (1, 28))
    for frame in 0..<64 {
      let wanted = Float(128 + frame) * Float(frame + 1) / 240
      #expect(abs(after[frame] - wanted) < 1e-3)
    }
  }

  @Test func `a clip read far ahead changes its speed while it plays, and continues`() throws {
    let player = PlayerSource(channelCount: 1, sampleRate: 48_000), backend = BlockBackend(player, outputs: 1)
    let tone = (0..<480_000).map { frame in
      let phase = 2 * Double.pi * 1000 * Double(frame) / 48_000
      return Float(0.5 * sin(phase))
    }
    try add(tone, to: player, isOffline: false)
    player.play()
    var frame: Int64 = 0
    func play(_ count: Int) -> [Float] {
      var heard: [Float] = []
      while heard.count < count {
        heard += backend.run(frame: frame, count: 480)[0]
        frame += 480
        prefetch.fill(atLeast: 4800)
      }
      return heard
    }
    _ = play(48_000)
    player.set(1, to: 0.5, over: 0)
    let heard = play(96_000)
    // The pitch is unchanged, the position advances at half speed, and the gap is a few blocks at most.
    let crossings = zip(heard[48_000...], heard[48_001...]).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 1000) <= 10, "\(crossings)")
    #expect(heard.count { $0 == 0 } < 3000)
    let source = try #require(player.source(of: 1))
    #expect(abs(source.position - 96_000) < 6000 && player.underruns.count == 0)
  }

  @Test func `a clip fully in the ring changes its speed while it plays`() throws {
    let player = PlayerSource(channelCount: 1, sampleRate: 48_000), backend = BlockBackend(player, outputs: 1)
    let tone = (0..<48_000).map { frame in
      let phase = 2 * Double.pi * 1000 * Double(frame) / 48_000
      return Float(0.5 * sin(phase))
    }
    try add(tone, to: player, isOffline: false)
    let source = try #require(player.source(of: 1))
    #expect(source.ring.capacity > 48_000)
    player.play()
    var heard: [Float] = []
    func play(_ count: Int) {
      for _ in 0..<(count / 480) {
        // Fills everything, as the running prefetch thread does.
        prefetch.fill(atLeast: 48_000)
        heard += backend.run(frame: Int64(heard.count), count: 480)[0]
      }
    }
    play(9600)
    #expect(source.isMarked)
    player.set(1, to: 0.5, over: 0)
    play(96_000)
    // Its remaining 38,400 frames last twice as long, after a few silent blocks.
    let end = (heard.lastIndex { abs($0) > 1e-3 } ?? 0) + 1
    #expect(abs(end - 86_400) < 1500, "\(end)")
    #expect(abs(source.position - 48_000) <= 1 && player.underruns.count == 0)
    #expect(player.collect().contains { $0.source != nil })
  }

  @Test func `no begin or end is lost, however long nothing collects the events`() throws {
    let player = PlayerSource(channelCount: 1, sampleRate: 48_000), backend = BlockBackend(player, outputs: 1)
    try add([Float](repeating: 0.5, count: 40_000), to: player, isOffline: false) { clip in
      clip.repetitions = ClipRepetitions(first: 10, length: 10, count: 3000)
    }
    player.play()
    // More loop passes than there is room to report; then another clip interrupts, and ends.
    for frame in 0..<2000 { _ = backend.run(frame: Int64(10 * frame), count: 10) }
    try add([0.25, 0.25], to: player, as: 2) { clip in
      (clip.entrance, clip.start) = (.interrupts, .frame(20_000))
    }
    for frame in 2000..<2100 { _ = backend.run(frame: Int64(10 * frame), count: 10) }
    var notes: [ClipReport] = []
    for frame in 2100..<2103 {
      notes += player.collect().map(\.note)
      _ = backend.run(frame: Int64(10 * frame), count: 10)
    }
    func found(_ clip: Int) -> (began: [Int64], ended: [(ClipEnd, Int64)], repetitions: [Int]) {
      var found: (began: [Int64], ended: [(ClipEnd, Int64)], repetitions: [Int]) = ([], [], [])
      for note in notes where note.clip == clip {
        switch note.kind {
        case .began: found.began.append(note.frame)
        case .ended(let end): found.ended.append((end, note.frame))
        case .repeated(let count): found.repetitions.append(count)
        }
      }
      return found
    }
    let (first, second) = (found(1), found(2))
    #expect(first.began == [0] && second.began == [20_000])
    #expect(first.ended.map(\.0) == [.interrupted] && second.ended.map(\.0) == [.finished])
    #expect(second.ended.map(\.1) == [20_002] && player.clipSources.count == 0)
    // Of the passes without room, the last is reported.
    #expect(first.repetitions.count > 1000 && first.repetitions.last == 2000, "\(first.repetitions.count)")
  }

  @Test func `clips handed over before a stop never play, and all sources are returned`() throws {
    let player = PlayerSource(channelCount: 1, sampleRate: 48_000), backend = BlockBackend(player, outputs: 1)
    player.play()
    for number in 1...20 { try add([0.5, 0.5], to: player, as: number) }
    player.stop()
    try add([0.25], to: player, as: 21)
    player.play()
    let heard = backend.run(frame: 0, count: 64)[0]
    #expect(heard == [0.25] + [Float](repeating: 0, count: 63))
    let notes = player.collect()
    #expect(notes.count { $0.source != nil } == 21 && player.clipSources.count == 0)
  }
}
