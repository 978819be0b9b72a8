// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletTesting
import Testing

@testable import Swiftlet

/// Edits of playing compositions, compared with each version by itself. At 8 kHz a fade of 5 ms has 40 frames.
struct CompositionEditTests {
  private static let fade = 40

  private static func span(_ from: Double, _ to: Double) -> Range<MediaTime> {
    MediaTime.milliseconds(Int(from * 1000))..<MediaTime.milliseconds(Int(to * 1000))
  }

  /// Three seconds of a sine on one track, and another sine on a second track from 0.5 s on.
  private func makeComposition(_ rig: PlayerRig) throws -> Composition {
    let low = AssetReference(try rig.file("low.wav", [sine(40_000, 100, rate: 8000)]))
    let high = AssetReference(try rig.file("high.wav", [sine(40_000, 150, rate: 8000)]))
    var composition = Composition()
    for track: TrackID in ["low", "high"] { try composition.add(track) }
    try composition.insert(Self.span(0, 3), of: low, in: "low")
    try composition.insert(Self.span(0, 2), of: high, at: .milliseconds(500), in: "high")
    return composition
  }

  /// A player that follows the transport, in its own engine.
  private func following() throws -> (engine: AudioEngine, player: PlayerNode, output: AudioNode) {
    let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    let output = try engine.attach(.playback(channels: 1))
    let player = try PlayerNode(engine, channels: 1, followsTransport: true)
    try engine.connect(player, output)
    try engine.setTransportRole(.follow)
    return (engine, player, output)
  }

  /// Returns the sound of a version, rendered by itself.
  private func whole(_ item: CompositionItem) throws -> [Float] {
    let rig = try PlayerRig()
    try rig.player.schedule(.composition(item.composition, mix: item.mix))
    try rig.player.play()
    return try rig.render(Int(item.composition.duration.frames(at: 8000)), block: 1000)
  }

  /// Returns a linear crossfade from one version to another.
  private func crossing(_ old: ArraySlice<Float>, _ new: ArraySlice<Float>) -> [Float] {
    zip(old, new).enumerated().map { index, pair in
      let part = index < Self.fade ? Float(index + 1) / Float(Self.fade) : 1
      return pair.0 * (1 - part) + pair.1 * part
    }
  }

  private func largestStep(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  private static let edits: [@Sendable (inout Composition, inout AudioMix) throws -> Void] = [
    { _, mix in try mix["low"].setVolume(0.25, at: .zero) },
    { composition, _ in try composition.setEnabled(false, of: "low") },
    { composition, _ in try composition.insertEmpty(span(0.1, 0.4), in: "high") },
    { composition, _ in try composition.remove(span(0.2, 0.7)) },
    { _, mix in try mix.master.setVolumeRamp(from: 1, to: 0, in: span(0.2, 2)) },
    { composition, _ in try composition.remove("high") },
  ]

  @Test(arguments: edits.indices)
  func `an edit and its undo crossfade on their frames, without a click`(index: Int) throws {
    let rig = try PlayerRig()
    let show = try rig.player.schedule(.composition(try makeComposition(rig)), onEvent: rig.log.add)
    let before = try whole(show)
    try rig.player.play()
    #expect(try rig.render(6000) == Array(before[..<6000]))
    try show.edit(Self.edits[index])
    let after = try whole(show)
    #expect(before != after)
    var heard = try rig.render(1000)
    var expected = crossing(before[6000..<7000], after[6000..<7000])
    #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(heard[Self.fade...] == after[6040..<7000])
    // A sine of 150 Hz at a level of 0.5 steps by 0.059 at most, one of 100 Hz by 0.039; the fade by 1/40 of 2 × 1.
    #expect(largestStep(Array(before[5999..<6000]) + heard) <= 0.059 + 0.04 + 2.0 / 40)
    #expect(try show.undo())
    heard = try rig.render(1000)
    expected = crossing(after[7000..<8000], before[7000..<8000])
    #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(heard[Self.fade...] == before[7040..<8000])
    #expect(try !show.undo())
    #expect(try show.redo())
    #expect(try whole(show) == after)
    // It remains one item.
    #expect(rig.player.currentItem == show.item && rig.log.frames(.began) == [0])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `random edits, undos, seeks and pauses play what a slow model computes`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rig = try PlayerRig()
    let show = try rig.player.schedule(.composition(try makeComposition(rig)), onEvent: rig.log.add)
    try rig.player.play()
    var position = 0, isPlaying = true
    for _ in 0..<60 {
      switch generator.below(6) {
      case 0:
        let from = Double(generator.below(10)) / 10
        try show.edit { composition, _ in try composition.insertEmpty(Self.span(from, from + 0.1)) }
      case 1:
        let volume = Float(generator.below(10)) / 10
        try show.edit { _, mix in
          var low = TrackMix()
          try low.setVolume(volume, at: .milliseconds(generator.below(2000)))
          mix["low"] = low
        }
      case 2: try show.undo()
      case 3: try show.redo()
      case 4:
        position = generator.below(12_000)
        try rig.player.seek(to: position)
      default:
        isPlaying.toggle()
        if isPlaying {
          try rig.player.play()
        } else {
          rig.player.pause()
        }
      }
      let heard = try rig.render(200, block: 1 + generator.below(100))
      guard isPlaying else {
        #expect(heard[Self.fade...].allSatisfy { $0 == 0 })
        position = rig.player.position
        continue
      }
      let expected = try whole(show)[position..<position + 200]
      #expect(
        Array(heard[Self.fade...]) == Array(expected.dropFirst(Self.fade)), "seed \(seed) at \(position)")
      position += 200
      guard position > 18_000 else { continue }
      position = 0
      try rig.player.seek(to: 0)
    }
    #expect(rig.log.frames(.began).count == 1)
  }

  @Test func `an edit of a waiting item is heard from its first frame`() throws {
    let rig = try PlayerRig()
    try rig.player.schedule(.buffer(AudioBuffer([staircase(500)])))
    let show = try rig.player.schedule(.composition(try makeComposition(rig)))
    try show.edit { _, mix in try mix["low"].setVolume(0.25, at: .zero) }
    try rig.player.play()
    _ = try rig.render(100)
    try show.edit { composition, _ in try composition.remove(Self.span(0, 0.3)) }
    let model = try whole(show)
    #expect(try rig.render(1400)[400...] == model[..<1000])
    #expect(rig.player.length(of: show.item) == model.count)
  }

  @Test func `an edit keeps the loop's current pass, and the end follows the new length`() throws {
    let rig = try PlayerRig()
    let show = try rig.player.schedule(
      .composition(try makeComposition(rig), loop: .times(3)), onEvent: rig.log.add)
    try rig.player.play()
    _ = try rig.render(24_000 + 8000)
    #expect(rig.log.all.last?.kind == .looped(1))
    try show.edit { composition, _ in try composition.remove(Self.span(2, 3)) }
    let model = try whole(show)
    #expect(model.count == 16_000 && rig.player.length(of: show.item) == 48_000)
    let heard = try rig.render(8000 + 16_000 + 100, block: 100)
    let expected: [Float] = Array(model[8000...]) + model + silence(100)
    #expect(heard[Self.fade...] == expected[Self.fade...])
    #expect(rig.log.frames(.looped(2)) == [40_000])
    #expect(rig.log.frames(.rendered(.finished)) == [56_000])
  }

  @Test func `an edit that leaves nothing after the play position ends the item`() throws {
    let rig = try PlayerRig()
    let show = try rig.player.schedule(.composition(try makeComposition(rig)), onEvent: rig.log.add)
    try rig.player.play()
    _ = try rig.render(20_000)
    try show.edit { composition, _ in try composition.remove(Self.span(1, 3)) }
    #expect(try rig.render(1000)[Self.fade...].allSatisfy { $0 == 0 })
    #expect(rig.log.all.map(\.kind).contains(.rendered(.finished)) && !rig.player.isPlaying)
    #expect(throws: EngineError.self) { try show.edit { _, _ in } }
    #expect(throws: EngineError.self) { try show.undo() }
  }

  @Test func `a refused edit changes nothing`() throws {
    let rig = try PlayerRig()
    let show = try rig.player.schedule(
      .composition(try makeComposition(rig), part: .times(Self.span(0, 2)), loop: .forever))
    let (composition, before) = (show.composition, try whole(show))
    struct Fault: Error {}
    func refused(
      _ expected: String, _ body: (inout Composition, inout AudioMix) throws -> Void
    ) {
      do {
        try show.edit(body)
        Issue.record("no error, expected \(expected)")
      } catch {
        #expect("\(error)".contains(expected), "\(error)")
      }
      #expect(show.composition == composition && show.mix == AudioMix())
    }
    refused("Fault") { composition, _ in
      try composition.remove("low")
      throw Fault()
    }
    refused("nothing.wav") { composition, _ in
      try composition.insert(Self.span(0, 1), of: AssetReference("nothing.wav"), in: "low")
    }
    refused("the part ends at") { composition, _ in try composition.remove(Self.span(1, 3)) }
    refused("no sound") { composition, _ in
      for track in composition.tracks { try composition.remove(track.id) }
    }
    try rig.player.play()
    #expect(try rig.render(2000) == Array(before[..<2000]))
    do {
      try show.edit { composition, _ in
        try composition.setVolume(0.5, of: "low")
        try show.edit { composition, _ in try composition.setVolume(0.25, of: "high") }
      }
      Issue.record("two edits at once")
    } catch {
      #expect("\(error)".contains("another edit"))
    }
    #expect(show.composition.track("low")?.volume == 1 && show.composition.track("high")?.volume == 0.25)
  }

  //  song at 0.5 s of the transport ──► desk
  @Test func `an edit applies at the transport's position on a player that follows it`() throws {
    let (engine, player, output) = try following(), rig = try PlayerRig()
    let show = try player.schedule(.composition(try makeComposition(rig)), at: .frame(4000))
    func render(_ count: Int) throws -> [Float] {
      var heard: [Float] = []
      while heard.count < count { heard += try #require(engine.render(100)[output])[0] }
      return heard
    }
    try player.play()
    let before = silence(4000) + (try whole(show))
    #expect(try render(6000) == Array(before[..<6000]))
    try engine.stopTransport()
    _ = try render(1000)
    try engine.locateTransport(to: .seconds(2))
    try engine.startTransport()
    #expect(try render(1000)[100...] == before[16_100..<17_000])
    try show.edit { _, mix in try mix["low"].setVolume(0.25, at: .zero) }
    let after = silence(4000) + (try whole(show))
    let heard = try render(2000)
    #expect(heard[Self.fade...] == after[17_040..<19_000])
    #expect(
      zip(heard, crossing(before[17_000..<19_000], after[17_000..<19_000])).allSatisfy { abs($0 - $1) < 0.03 }
    )
    try show.undo()
    #expect(try render(1000)[Self.fade...] == before[19_040..<20_000])
  }

  //  song until 2 s, then a constant ──► desk
  @Test func `an interrupted item stays interrupted when an edit shortens it and is undone`() throws {
    let (engine, player, output) = try following(), rig = try PlayerRig()
    let show = try player.schedule(.composition(try makeComposition(rig)), at: .frame(0))
    let constant = AudioBuffer([[Float](repeating: 0.25, count: 8000)])
    try player.schedule(.buffer(constant), at: .frame(16_000), entrance: .interrupts)
    try show.edit { composition, _ in try composition.remove(Self.span(1, 3)) }
    try show.undo()
    try player.play()
    var heard: [Float] = []
    while heard.count < 24_000 { heard += try #require(engine.render(100)[output])[0] }
    #expect(heard[..<16_000] == (try whole(show))[..<16_000])
    #expect(heard[16_040..<23_000].allSatisfy { $0 == 0.25 })
  }
}
