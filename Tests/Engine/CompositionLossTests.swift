// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletTesting
import Testing

@testable import Swiftlet

/// Files of compositions that are lost during playback. At 8 kHz a fade of 5 ms has 40 frames, and the prefetch holds
/// 8192 frames.
struct CompositionLossTests {
  private static let fade = 40

  private static func span(_ from: Int, _ to: Int) -> Range<MediaTime> {
    MediaTime.seconds(from)..<MediaTime.seconds(to)
  }

  /// Four seconds on one track, of which the third is another file, and ten seconds on another track.
  private struct Show {
    let composition: Composition, first: [Float], lost: [Float], bed: [Float]
    let lostPath: String

    init(_ rig: PlayerRig) throws {
      first = sine(32_000, 100, rate: 8000)
      lost = sine(8000, 130, rate: 8000)
      bed = sine(80_000, 150, rate: 8000).map { $0 / 2 }
      let path = AssetReference(try rig.file("first.wav", [first]))
      lostPath = try rig.file("lost.wav", [lost])
      var composition = Composition()
      for track: TrackID in ["voice", "bed"] { try composition.add(track) }
      try composition.insert(span(0, 2), of: path, in: "voice")
      try composition.insert(span(0, 1), of: AssetReference(lostPath), in: "voice")
      try composition.insert(span(3, 4), of: path, in: "voice")
      try composition.insert(span(0, 10), of: AssetReference(try rig.file("bed.wav", [bed])), in: "bed")
      self.composition = composition
    }

    /// Returns the sound without the lost file.
    func rest(_ range: Range<Int>) -> [Float] {
      range.map { frame in
        let voice = frame < 32_000 && !(16_000..<24_000).contains(frame) ? first[frame] : 0
        return voice + bed[frame]
      }
    }
  }

  /// The reported losses.
  private func losses(_ log: EventLog) -> [FileError] {
    log.all.compactMap { if case .fileLost(let error) = $0.kind { error } else { nil } }
  }

  @Test(arguments: [10, 1000])
  func `a lost file is silent and reported once, and the item plays to its end`(block: Int) throws {
    let rig = try PlayerRig()
    let show = try Show(rig)
    let item = try rig.player.schedule(.composition(show.composition, loop: .times(2)), onEvent: rig.log.add)
    try FileManager.default.removeItem(atPath: show.lostPath)
    try rig.player.play()
    let heard = try rig.render(160_000, block: block)
    let pass = show.rest(0..<80_000)
    #expect(heard == pass + pass)
    #expect(losses(rig.log).map(\.path) == [show.lostPath])
    #expect(losses(rig.log).allSatisfy { $0.kind == .missing && $0.detail.contains("(track 'voice')") })
    #expect(rig.log.frames(.rendered(.finished)) == [160_000])
    #expect(rig.log.kinds(of: item.item).last == .playedBack(.finished))
  }

  @Test func `a file truncated during playback fades out, and the others continue`() throws {
    let rig = try PlayerRig()
    // Files of up to ten seconds are kept in memory.
    let voice = sine(96_000, 100, rate: 8000), bed = sine(96_000, 150, rate: 8000).map { $0 / 2 }
    let path = try rig.file("voice.wav", [voice])
    var composition = Composition()
    for track: TrackID in ["voice", "bed"] { try composition.add(track) }
    try composition.insert(Self.span(0, 12), of: AssetReference(path), in: "voice")
    try composition.insert(Self.span(0, 12), of: AssetReference(try rig.file("bed.wav", [bed])), in: "bed")
    try rig.player.schedule(.composition(composition), onEvent: rig.log.add)
    try rig.player.play()
    var heard = try rig.render(4000)
    truncate(path, 100_000)
    heard += try rig.render(92_000)
    let whole = zip(voice, bed).map { $0 + $1 }
    let end = try #require(zip(heard, whole).enumerated().first { $1.0 != $1.1 }?.offset)
    #expect(end > 4000 && end < 40_000)
    #expect(heard[(end + Self.fade)...] == bed[(end + Self.fade)...])
    // The sines step by 0.04 and 0.03 at most; the fade by 1/40 of 0.5.
    let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
    #expect(steps.max() ?? 1 < 0.04 + 0.03 + 0.0125)
    #expect(losses(rig.log).map(\.path) == [path])
    #expect(rig.log.frames(.rendered(.finished)) == [96_000])
  }

  @Test func `an item with a lost file supports seeks, edits and replacing the file`() throws {
    let rig = try PlayerRig()
    let show = try Show(rig)
    let item = try rig.player.schedule(.composition(show.composition), onEvent: rig.log.add)
    try FileManager.default.removeItem(atPath: show.lostPath)
    try rig.player.play()
    #expect(try rig.render(18_000) == show.rest(0..<18_000))
    try rig.player.seek(to: 17_000)
    #expect(try rig.render(1000)[Self.fade...] == show.rest(17_000..<18_000)[Self.fade...])
    try item.edit { composition, _ in try composition.setVolume(0.5, of: "bed") }
    #expect(try rig.render(1000)[Self.fade...] == show.rest(18_000..<19_000).map { $0 / 2 }[Self.fade...])
    #expect(losses(rig.log).count == 1)
    _ = try rig.file("lost.wav", [show.lost])
    try item.undo()
    let repaired = zip(show.lost[3000..<4000], show.bed[19_000..<20_000]).map { $0 + $1 }
    #expect(try rig.render(1000)[Self.fade...] == repaired[Self.fade...])
    // A second loss is reported again.
    try FileManager.default.removeItem(atPath: show.lostPath)
    try item.edit { composition, _ in try composition.setVolume(0.5, of: "bed") }
    #expect(try rig.render(1000)[Self.fade...] == show.rest(20_000..<21_000).map { $0 / 2 }[Self.fade...])
    #expect(losses(rig.log).map(\.path) == [show.lostPath, show.lostPath])
    // Another missing file is refused as usual.
    #expect(throws: EngineError.self) {
      try item.edit { composition, _ in
        try composition.insert(Self.span(0, 1), of: AssetReference("nothing.wav"), in: "voice")
      }
    }
  }

  @Test func `an edit succeeds even if a file that has not played yet is lost`() throws {
    let rig = try PlayerRig()
    let show = try Show(rig)
    let item = try rig.player.schedule(.composition(show.composition), onEvent: rig.log.add)
    try rig.player.play()
    _ = try rig.render(1000)
    try FileManager.default.removeItem(atPath: show.lostPath)
    try item.edit { composition, _ in try composition.setVolume(0.25, of: "bed") }
    try item.undo()
    #expect(try rig.render(22_000)[Self.fade...] == show.rest(1000..<23_000)[Self.fade...])
    #expect(losses(rig.log).map(\.path) == [show.lostPath])
  }

  //   player ──► desk, at the transport's position
  @Test func `a lost file is silent while following the transport, and the item plays on`() throws {
    let rig = try PlayerRig()
    let show = try Show(rig)
    let player = try PlayerNode(rig.engine, channels: 1, followsTransport: true)
    try rig.engine.connect(player, rig.output)
    try rig.engine.setTransportRole(.follow)
    let item = try player.schedule(.composition(show.composition), onEvent: rig.log.add)
    try FileManager.default.removeItem(atPath: show.lostPath)
    try player.play()
    #expect(try rig.render(80_000, block: 1000) == show.rest(0..<80_000))
    #expect(losses(rig.log).map(\.path) == [show.lostPath])
    #expect(!rig.log.kinds(of: item.item).contains { if case .rendered = $0 { true } else { false } })
  }
}
