// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletTesting
import Testing

@testable import Swiftlet

/// Compositions as items of players, compared with their exports. At 8 kHz a fade of 5 ms has 40 frames.
struct CompositionItemTests {
  private static let rate = 8000
  private static let fade = 40

  /// A composition, its mix, and its export.
  private struct Show {
    let composition: Composition, mix: AudioMix
    let whole: [[Float]]

    init(_ composition: Composition, _ mix: AudioMix, channels: Int = 2) throws {
      (self.composition, self.mix) = (composition, mix)
      let engine = try AudioEngine(.offline(sampleRate: Double(rate), longestBlock: 1000))
      let output = try engine.attach(.playback(channels: channels))
      try engine.attach(composition, mix: mix, to: output)
      var whole = [[Float]](repeating: [], count: channels)
      let length = Int(composition.duration.frames(at: Double(rate)))
      while whole[0].count < length {
        let heard = try #require(try engine.render(min(1000, length - whole[0].count))[output])
        for channel in 0..<channels { whole[channel] += heard[channel] }
      }
      self.whole = whole
    }

    /// Returns frames of the first channel.
    subscript(range: Range<Int>) -> [Float] { Array(whole[0][range]) }
    var frameCount: Int { whole[0].count }
  }

  private static func span(_ from: Double, _ to: Double) -> Range<MediaTime> {
    MediaTime.milliseconds(Int(from * 1000))..<MediaTime.milliseconds(Int(to * 1000))
  }

  /// Three tracks, with one channel, two, and four at another rate, using all features of a mix.
  private func show(_ rig: PlayerRig, channels: Int = 2, seed: UInt64 = 1) throws -> Show {
    var random = SeededGenerator(seed: seed)
    func noise(_ count: Int) -> [Float] { (0..<count).map { _ in Float(random.below(2001) - 1000) / 4000 } }
    let span = Self.span
    let mono = AssetReference(try rig.file("mono-\(seed).wav", [noise(30_000)]))
    let stereo = AssetReference(try rig.file("stereo-\(seed).wav", [noise(30_000), noise(30_000)]))
    let other = AssetReference(
      try rig.file("other-\(seed).wav", [sine(40_000, 300, rate: 11_025), noise(40_000)], rate: 11_025))
    var composition = Composition()
    for track: TrackID in ["voice", "music", "room"] { try composition.add(track) }
    try composition.insert(span(0, 1), of: mono, at: .milliseconds(500), in: "voice")
    try composition.insert(span(1, 2), of: mono, at: .milliseconds(2200), in: "voice")
    try composition.insert(span(0, 3), of: stereo, in: "music")
    try composition.insert(span(0.2, 0.9), of: mono, in: "music")
    try composition.insert(span(0.25, 3.25), of: other, at: .milliseconds(300), in: "room")
    try composition.setVolume(0.7, of: "voice")
    var mix = AudioMix()
    try mix["music"].setVolume(0.5, at: .zero)
    try mix["music"].setVolumeRamp(from: 0.5, to: 0.9, in: span(1, 2.5), curve: .sCurve)
    mix["music"].duck(under: [span(0.5, 1.5), span(2.2, 3.2)])
    try mix["voice"].setPanRamp(from: -1, to: 1, in: span(0.5, 3))
    try mix["room"].setPan(0.4, at: .milliseconds(800))
    var lane = Automation(1)
    try lane.ramp(to: 0.25, in: span(1.2, 1.9))
    mix.lanes[try ParameterPath("room.volume")] = lane
    try mix.master.setVolumeRamp(from: 0.9, to: 0.2, in: span(2, 3.5))
    if channels == 2 { try mix.master.setPanRamp(from: 0, to: -0.7, in: span(0.7, 1.1)) }
    return try Show(composition, mix, channels: channels)
  }

  @Test(arguments: [1, 2, 5], [1, 64, 1000])
  func `an item plays the export's bits, on players of any channel count`(channels: Int, block: Int) throws {
    let rig = try PlayerRig(channels: channels)
    let show = try show(rig, channels: channels)
    let item = try rig.player.schedule(.composition(show.composition, mix: show.mix), onEvent: rig.log.add)
    #expect(rig.player.length(of: item.item) == show.frameCount)
    try rig.player.play()
    let heard = try rig.renderAll(show.frameCount + 100, block: block)
    #expect(heard == show.whole.map { $0 + silence(100) })
    #expect(!rig.player.isPlaying && rig.player.currentItem == nil)
    #expect(rig.log.frames(.began) == [0])
    #expect(rig.log.frames(.rendered(.finished)) == [Int64(show.frameCount)])
  }

  @Test func `an item and an exported file have the same bits`() async throws {
    let rig = try PlayerRig(channels: 2)
    let show = try show(rig)
    let path = try rig.file("export.wav", [[0]])
    try await ExportSession(show.composition, mix: show.mix, sampleRate: 8000).run(
      to: [path], overwriting: true)
    let format = try AudioFileReader(path).info
    #expect(format.frameCount == show.frameCount)
    try rig.player.schedule(.composition(show.composition, mix: show.mix))
    try rig.player.play()
    let heard = try rig.renderAll(show.frameCount)
    let read = try AudioFileReader(path).read(show.frameCount)
    // The file has 24 bits with dither.
    for channel in 0..<2 {
      #expect(zip(heard[channel], read[channel]).allSatisfy { abs($0 - $1) < 4e-7 })
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a seek before or during playback plays that part of the export`(seed: UInt64) throws {
    let rig = try PlayerRig(channels: 2)
    let show = try show(rig, seed: seed)
    var random = SeededGenerator(seed: seed)
    try rig.player.schedule(.composition(show.composition, mix: show.mix))
    for round in 0..<12 {
      let start = random.below(show.frameCount - 1000)
      try rig.player.seek(to: MediaTime(frames: Int64(start), at: 8000))
      if round == 0 { try rig.player.play() }
      let heard = try rig.renderAll(500, block: 50)
      for channel in 0..<2 {
        #expect(
          Array(heard[channel][Self.fade...])
            == Array(show.whole[channel][(start + Self.fade)..<start + 500]), "seed \(seed), frame \(start)")
      }
      #expect(rig.player.currentTime == MediaTime(frames: Int64(start + 500), at: 8000))
    }
  }

  @Test func `the first frame after a seek has the lane values of its position`() throws {
    let rig = try PlayerRig(channels: 2)
    let show = try show(rig)
    try rig.player.schedule(.composition(show.composition, mix: show.mix))
    try rig.player.seek(to: 17_001)
    try rig.player.play()
    let heard = try rig.render(Self.fade)
    for frame in 0..<Self.fade {
      #expect(abs(heard[frame] - show.whole[0][17_001 + frame] * Float(frame + 1) / 40) < 1e-7)
    }
  }

  @Test func `a looped part repeats, and a pause keeps its position`() throws {
    let rig = try PlayerRig(channels: 2)
    let show = try show(rig)
    let loop = PlayerItem.Loop(.times(3), points: .times(Self.span(1.5, 2)))
    try rig.player.schedule(
      .composition(show.composition, mix: show.mix, part: .times(Self.span(1, 2.5)), loop: loop),
      onEvent: rig.log.add)
    try rig.player.play()
    let pass = show[12_000..<16_000]
    let expected = show[8000..<16_000] + pass + pass + show[16_000..<20_000]
    var heard = try rig.render(9000)
    #expect(heard == Array(expected[..<9000]))
    rig.player.pause()
    heard = try rig.render(1000)
    #expect(heard[Self.fade...].allSatisfy { $0 == 0 })
    let position = rig.player.position
    #expect(position == 9000 + Self.fade)
    try rig.player.play()
    heard = try rig.render(expected.count - position)
    #expect(Array(heard[Self.fade...]) == Array(expected[(position + Self.fade)...]))
    #expect(rig.log.frames(.looped(1)) == [8000])
    #expect(rig.log.all.contains { $0.kind == .looped(2) })
  }

  @Test func `a crossfade in a loop sounds like that of a file`() throws {
    let rig = try PlayerRig(channels: 2), other = try PlayerRig(channels: 2)
    let show = try show(rig)
    let loop = PlayerItem.Loop(
      .times(3), points: .times(Self.span(1, 2)), crossfade: .milliseconds(100))
    try rig.player.schedule(.composition(show.composition, mix: show.mix, loop: loop))
    try other.player.schedule(.file(try other.file("whole.wav", show.whole), loop: loop))
    try rig.player.play()
    try other.player.play()
    #expect(try rig.renderAll(50_000) == other.renderAll(50_000))
  }

  //  one ──┐
  //        ├──► desk
  //  two ──┘
  @Test func `two players keep separate times`() throws {
    let rig = try PlayerRig(channels: 2)
    let (a, b) = (try show(rig, seed: 1), try show(rig, seed: 2))
    let two = try PlayerNode(rig.engine, channels: 2)
    try rig.engine.connect(two, rig.output)
    try rig.player.schedule(.composition(a.composition, mix: a.mix))
    try two.schedule(.composition(b.composition, mix: b.mix))
    try rig.player.play()
    #expect(try rig.render(3000) == a[0..<3000])
    try two.play()
    #expect(try rig.render(3000) == zip(a[3000..<6000], b[0..<3000]).map { $0 + $1 })
    try two.seek(to: 10_000)
    let heard = try rig.render(3000)
    #expect(heard[Self.fade...] == zip(a[6000..<9000], b[10_000..<13_000]).map { $0 + $1 }[Self.fade...])
    rig.player.clear()
    #expect(try rig.render(1000)[Self.fade...] == b[13_000..<14_000][Self.fade...])
    #expect(rig.player.currentTime == .zero && two.currentTime == MediaTime(frames: 14_000, at: 8000))
  }

  @Test(arguments: [0.5, 2])
  func `at another playback rate the end is reported on its frame`(speed: Double) throws {
    let rig = try PlayerRig(channels: 2)
    let show = try show(rig)
    try rig.player.setStretch(.init(varispeed: speed))
    try rig.player.schedule(.composition(show.composition, mix: show.mix), onEvent: rig.log.add)
    try rig.player.play()
    let length = Int((Double(show.frameCount) / speed).rounded())
    let heard = try rig.render(length + 2000, block: 100)
    #expect(rig.log.frames(.rendered(.finished)) == [Int64(length)])
    #expect(heard[..<length].contains { $0 != 0 } && heard[length...].allSatisfy { $0 == 0 })
  }

  @Test func `an item interrupts a file, and a file follows it without a gap`() throws {
    let rig = try PlayerRig(channels: 2)
    let show = try show(rig)
    let bed = staircase(90_000, from: 10)
    try rig.player.schedule(.file(try rig.file("bed.wav", [bed, bed]), loop: .forever))
    try rig.player.schedule(
      .composition(show.composition, mix: show.mix), at: .frame(500), entrance: .interrupts)
    try rig.player.schedule(.buffer(AudioBuffer([bed, bed])))
    try rig.player.play()
    let heard = try rig.render(500 + show.frameCount + 100)
    #expect(Array(heard[..<500]) == Array(bed[..<500]))
    #expect(Array(heard[540..<500 + show.frameCount]) == show[40..<show.frameCount])
    #expect(Array(heard[(500 + show.frameCount)...]) == Array(bed[..<100]))
  }
}

extension CompositionItemTests {
  @Test func `an item that cannot be played throws a typed error with reason and position`() throws {
    let rig = try PlayerRig()
    func refused(
      _ expected: String, in composition: Composition, _ change: (inout AudioMix) throws -> Void = { _ in }
    ) throws {
      var mix = AudioMix()
      try change(&mix)
      do throws(EngineError) {
        try rig.player.schedule(.composition(composition, mix: mix))
        Issue.record("no error, expected \(expected)")
      } catch {
        #expect("\(error)".contains(expected), "\(error)")
      }
      #expect(rig.player.currentItem == nil && !rig.player.isPlaying)
    }
    var composition = Composition()
    try refused("insert a clip", in: composition)
    try composition.add("voice")
    try refused("insert a clip", in: composition)
    let sound = AssetReference(try rig.file("sound.wav", [staircase(8000)]))
    let wide = AssetReference(try rig.file("wide.wav", [[Float]](repeating: staircase(8000), count: 3)))
    try composition.insert(.zero..<(.seconds(1)), of: sound, in: "voice")
    try refused("'voixe'", in: composition) { $0.lanes[try ParameterPath("voixe.volume")] = Automation(1) }
    try refused("'speed'", in: composition) { $0.lanes[try ParameterPath("voice.speed")] = Automation(1) }
    try refused("two channels", in: composition) { try $0.master.setPan(0.5, at: .zero) }
    try composition.add("room")
    try composition.insert(.zero..<(.seconds(2)), of: sound, in: "room")
    try refused("sound.wav", in: composition)
    try refused("(track 'room')", in: composition)
    try composition.remove("room")
    try composition.add("hall")
    try composition.insert(.zero..<(.seconds(1)), of: wide, in: "hall")
    try refused("(track 'hall')", in: composition) { $0.lanes[try ParameterPath("hall.pan")] = Automation(1) }
    try composition.insert(.zero..<(.seconds(1)), of: AssetReference("none.wav"), in: "hall")
    try refused("'none.wav'", in: composition)
  }

  @Test func `a pan lane places a track of one channel`() throws {
    let rig = try PlayerRig(channels: 2)
    var composition = Composition()
    try composition.add("voice")
    try composition.insert(
      .zero..<(.seconds(1)), of: AssetReference(try rig.file("a.wav", [staircase(8000, from: 1)])),
      in: "voice")
    var mix = AudioMix()
    mix.lanes[try ParameterPath("voice.pan")] = Automation(1)
    try rig.player.schedule(.composition(composition, mix: mix))
    try rig.player.play()
    let heard = try rig.renderAll(8000)
    #expect(heard[0].allSatisfy { abs($0) < 1e-7 } && heard[1] == staircase(8000, from: 1))
  }
  @Test func `levels and pans out of range are clamped and reported, in items and in edits`() async throws {
    let rig = try PlayerRig(channels: 2)
    var composition = Composition()
    try composition.add("voice")
    let path = try rig.file("a.wav", [staircase(8000, from: 1)])
    try composition.insert(.zero..<(.seconds(1)), of: AssetReference(path), in: "voice")
    var mix = AudioMix()
    mix.lanes[try ParameterPath("voice.pan")] = Automation(3)
    let events = rig.engine.events
    let show = try rig.player.schedule(.composition(composition, mix: mix))
    try show.edit { $1["voice"].volume = Automation(-2) }
    #expect(show.mix["voice"].volume == Automation(0))
    var reported: [String] = []
    for await event in events {
      guard case .clamped(let node, let parameter, let asked, let used) = event else { continue }
      reported.append("\(node).\(parameter) \(asked) \(used)")
      if reported.count == 2 { break }
    }
    #expect(reported == ["voice.pan 3.0 1.0", "voice.volume -2.0 0.0"])
    try rig.player.play()
    #expect(try rig.renderAll(8000).allSatisfy { $0[100...].allSatisfy { $0 == 0 } })
  }
}
