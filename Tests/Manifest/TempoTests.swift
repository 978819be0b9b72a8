// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Testing

@testable import SwiftletManifest

@Suite struct `Tempos and time signatures in a timeline` {
  private static func text(_ timeline: String, at time: String = "0 s", transport: String = "own")
    -> ManifestText
  {
    ManifestText(
      """
      swiftlet: 1
      nodes: { desk: playback }
      timeline:
      \(timeline)
        transport: \(transport)
        tracks: { music: [ { file: bed.flac, at: \(time) } ] }
      wires: [ music -> desk ]
      """, file: "song.yaml")
  }

  /// Returns the time in seconds at which a clip at this bar and beat begins.
  private func start(_ timeline: String, at time: String) throws -> Double {
    let manifest = try Self.text(timeline, at: time).check(against: TestCatalog.catalog)
    guard case .track(let track, _) = manifest.nodes[1].kind else { throw Lost() }
    return try #require(track.segments.first).range.lowerBound.seconds
  }

  private struct Lost: Error {}

  // At 60 bpm a quarter note lasts one second.
  @Test func `bars follow the time signature, and beats the note value and tempo`() throws {
    #expect(try start("  tempo: 60 bpm", at: "3|2") == 9)
    #expect(try start("  tempo: 60 bpm\n  meter: 3/4", at: "3|2") == 7)
    #expect(try start("  tempo: 60 bpm\n  meter: 6/8", at: "3|2") == 6.5)
    // Two bars of three, one of four, then bars of two.
    let timeSignatures =
      "  meter: [ { at: 1|1, meter: 3/4 }, { at: 3|1, meter: 4/4 }, { at: 4|1, meter: 2/4 } ]"
    #expect(try start("  tempo: 60\n" + timeSignatures, at: "5|2") == 13)
    // Four beats of a second, then of half a second.
    let tempos = "  tempo:\n    - { at: 2|1, tempo: 120 bpm }\n    - { at: 1|1, tempo: 60 }"
    #expect(try start(tempos, at: "3|3") == 4 + 6 * 0.5)
    // Beats in the positions of tempos are beats of the time signature, whichever is written first.
    #expect(
      try start("  tempo: [ { at: 1|1, tempo: 60 }, { at: 2|1, tempo: 120 } ]\n  meter: 3/4", at: "3|1")
        == 4.5)
    // Four beats with a linear tempo change from 60 to 120 last as long as at the mean tempo of 90.
    let glide = "  tempo: [ { at: 1|1, tempo: 60, glides: true }, { at: 2|1, tempo: 120 } ]"
    #expect(abs(try start(glide, at: "2|1") - 4 * 60.0 / 90) < 1e-8)
    #expect(try start("  meter: 3/4", at: "2|1") == 1.5)
  }

  @Test func `a timebase source supplies all tempos and time signatures`() throws {
    let timeline = "  tempo: [ { at: 1|1, tempo: 90 }, { at: 3|1, tempo: 45 } ]\n  meter: 3/4"
    let manifest = try Self.text(timeline, transport: "lead").check(against: TestCatalog.catalog)
    guard case .timebase(let map) = manifest.transport else { throw Lost() }
    #expect(map == manifest.tempo)
    #expect(map.tempos.map(\.tempo) == [90, 45] && map.tempos.map(\.position) == [0, 6])
    #expect(map.timeSignatures.map { "\($0.timeSignature)" } == ["3/4"])
    #expect(map.tempo(at: .milliseconds(3999)) == 90 && map.tempo(at: .seconds(4)) == 45)
    #expect(map.position(at: .seconds(4)) == BarBeat(bar: 3))
  }

  @Test(arguments: [
    "  tempo: 96 bpm", "  tempo: 120 bpm\n  meter: 7/8",
    "  tempo: [ { at: \"1|1\", tempo: 96 bpm }, { at: \"5|1\", tempo: 48.5 bpm, glides: true } ]",
    """
      tempo: [ { at: "1|1", tempo: 96 bpm, glides: true }, { at: "2|2.5", tempo: 200 bpm } ]
      meter: [ { at: "1|1", meter: 3/4 }, { at: "9|1", meter: 12/8 } ]
    """,
  ])
  func `tempos and time signatures are written as they were read`(timeline: String) throws {
    let manifest = try Manifest(Self.text(timeline))
    #expect(manifest.yaml.contains("timeline:\n" + timeline + "\n"), "\(manifest.yaml)")
    #expect(try Manifest(ManifestText(manifest.yaml, file: "again.yaml")) == manifest)
  }
}
