// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletTesting
import Testing

@testable import SwiftletManifest

/// Makes random compositions and mixes, as edits could make them.
private struct CompositionMaker {
  var generator: SeededGenerator
  static let length = MediaTime.seconds(20)

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func chance() -> Bool { Bool.random(using: &generator) }

  /// Returns a time in whole milliseconds, in frames at 44.1 kHz, or in thirds of a second.
  mutating func time(_ most: Int) -> MediaTime {
    switch number(0...2) {
    case 0: .milliseconds(number(0...most * 1000))
    case 1: MediaTime(frames: Int64(number(0...most * 44_100)), at: 44_100)
    default: MediaTime(frames: Int64(number(0...most * 3)), at: 3)
    }
  }

  mutating func composition() throws -> Composition {
    var composition = Composition()
    for name in ["voice", "bed", "noise-2"].prefix(number(1...3)) {
      let id = TrackID(name)
      try composition.add(id)
      for _ in 0..<number(0...4) {
        let start = time(9), asset = AssetReference("\(name).wav", duration: Self.length)
        try composition.insert(
          start..<(start + .milliseconds(number(1...9000))), of: asset, at: time(30), in: id)
      }
      if chance() { try composition.setVolume(Float(number(0...40)) / 7, of: id) }
      try composition.setEnabled(number(0...3) > 0, of: id)
    }
    // At most one scaling, so that every speed remains playable.
    for _ in 0..<number(0...1) where composition.duration > .seconds(1) {
      let start = time(Int(composition.duration.seconds)),
        end = min(start + .milliseconds(number(1...4000)), composition.duration)
      guard start < end else { continue }
      let length = (end - start).scaled(from: .seconds(10), to: .seconds(number(5...20)))
      try composition.scale(start..<end, to: length, keepingPitch: chance())
    }
    for _ in 0..<number(0...2) {
      let start = time(9), movie = AssetReference("movie.mp4", duration: Self.length)
      try composition.video.insert(start..<(start + .milliseconds(number(1...9000))), of: movie, at: time(30))
    }
    return composition
  }

  mutating func automation(_ initial: Float, _ values: ClosedRange<Float>) throws -> Automation {
    var automation = Automation(chance() ? initial : Float.random(in: values, using: &generator))
    var start = chance() ? MediaTime.zero : time(3)
    for _ in 0..<number(0...5) {
      let value = Float.random(in: values, using: &generator), end = start + .milliseconds(number(1...2000))
      if chance() {
        try automation.set(value, at: start)
      } else {
        let curves: [Automation.Curve] = [.linear, .sCurve, .bezier(x1: 0.1, y1: 0.2, x2: 0.3, y2: 1)]
        try automation.ramp(
          from: Float.random(in: values, using: &generator), to: value, in: start..<end,
          curve: curves[number(0...2)])
      }
      start = end + time(2)
    }
    return automation
  }

  mutating func trackMix(_ composition: Composition) throws -> TrackMix {
    var mix = TrackMix()
    mix.volume = try automation(1, 0...2)
    if chance() { mix.pan = try automation(0, -1...1) }
    // The pan law matters only if the pan differs from the centre.
    if mix.pan != Automation(0) { mix.panLaw = PanLaw.allCases[number(0...PanLaw.allCases.count - 1)] }
    switch number(0...2) {
    case 0: mix.ducking = try automation(1, 0...1)
    case 1: mix.duck(under: composition.tracks[0].segments.map(\.range))
    default: break
    }
    return mix
  }

  mutating func mix(_ composition: Composition) throws -> AudioMix {
    var mix = AudioMix()
    for track in composition.tracks where chance() { mix[track.id] = try trackMix(composition) }
    if chance() { mix.master = try trackMix(composition) }
    if chance() { mix[lane: ParameterPath(node: "desk", parameter: "volume")] = try automation(1, 0...2) }
    return mix
  }
}

@Suite struct `Compositions written as manifests` {
  /// A catalog in which every sound file and every movie exists and is 20 s long.
  private static var catalog: ManifestCatalog {
    var catalog = TestCatalog.catalog
    catalog.player = { _ in .sound(channels: 2, length: CompositionMaker.length) }
    catalog.movie = { _ in .movie(length: CompositionMaker.length) }
    return catalog
  }

  /// Compares two automations at all their entries, and every 700 ms.
  private func same(_ one: Automation, _ other: Automation) -> Bool {
    let times = (one.entries + other.entries).flatMap { [$0.range.lowerBound, $0.range.upperBound] }
    return (times + (0..<60).map { .milliseconds($0 * 700) }).allSatisfy {
      one.value(at: $0) == other.value(at: $0)
    }
  }

  private func same(_ one: TrackMix, _ other: TrackMix) -> Bool {
    same(one.volume, other.volume) && same(one.pan, other.pan) && one.panLaw == other.panLaw
      && same(one.ducking ?? Automation(1), other.ducking ?? Automation(1))
  }

  @Test(arguments: 0..<100)
  func `a composition and its mix survive being written as YAML and read again`(seed: Int) throws {
    var maker = CompositionMaker(generator: SeededGenerator(seed: UInt64(seed)))
    let composition = try maker.composition(), mix = try maker.mix(composition)
    let manifest = try Manifest(composition, mix: mix, against: Self.catalog), yaml = manifest.yaml
    let read: ResolvedManifest
    do {
      read = try ManifestText(yaml, file: "song.yaml").check(against: Self.catalog)
    } catch {
      Issue.record("\(error)\n\(yaml)")
      return
    }
    #expect(try read.composition() == composition, "\(yaml)")
    let other = try read.mix()
    for track in composition.tracks { #expect(same(other[track.id], mix[track.id]), "\(track.id): \(yaml)") }
    #expect(same(other.master, mix.master))
    let output = ParameterPath(node: "desk", parameter: "volume")
    #expect(same(other[lane: output] ?? Automation(1), mix[lane: output] ?? Automation(1)))
    // Writing what was read gives the same text.
    #expect(try Manifest(read.composition(), mix: other, against: Self.catalog).yaml == yaml)
  }

  @Test func `tracks are wired to an output node, and the YAML is laid out as if by hand`() throws {
    var composition = Composition()
    for name in ["voice", "bed"] { try composition.add(TrackID(name)) }
    let voice = AssetReference("voice.wav"), bed = AssetReference("bed.flac")
    try composition.insert(.zero..<(.seconds(2)), of: voice, at: .seconds(4), in: "voice")
    try composition.insert(.zero..<(.seconds(16)), of: bed, in: "bed")
    try composition.scale(.seconds(8)..<(.seconds(16)), to: .seconds(4), keepingPitch: false, in: "bed")
    try composition.setVolume(0.1, of: "bed")
    try composition.setEnabled(false, of: "bed")
    var mix = AudioMix()
    try mix["bed"].setVolumeRamp(from: 0, to: 0.8, in: .zero..<(.seconds(2)), curve: .sCurve)
    mix["bed"].duck(under: [.seconds(4)..<(.seconds(6))])
    let yaml = try Manifest(composition, mix: mix, tempo: TempoMap(96), against: Self.catalog).yaml
    #expect(
      yaml == """
        # A Swiftlet manifest. Try it with: swiftlet run FILE
        swiftlet: 1

        # The sources, processors and destinations of sound.
        nodes:
          desk: { playback: stereo }

        # The timeline.
        timeline:
          tempo: 96 bpm
          tracks:
            voice: [ { file: voice.wav, to: 2s, at: 4s } ]
            bed:
              pieces:
                - { file: bed.flac, to: 8s, at: 0s }
                - { file: bed.flac, from: 8s, to: 16s, at: 8s, until: 12s, keeps-pitch: false }
              enabled: false
              volume: 0.1
              mix:
                - { volume: [ 0, 0.8 ], from: 0s, to: 2s, curve: s-curve }
                - { under: voice, by: -12 dB, attack: 0.2s, release: 0.5s, hold: 0.5s, ahead: 0.2s }

        # The connections between nodes.
        wires:
          - voice -> desk
          - bed -> desk

        """, "\(yaml)")
  }

  @Test func `setting a timeline replaces the old one and keeps the rest of the manifest`() throws {
    let text = """
      swiftlet: 1
      nodes: { tone: { effect: equalizer, set: { gain: -6 dB, bands: [ {}, { type: low-pass } ] } }, desk: playback }
      timeline:
        transport: follow
        tracks: { old: [ { file: bed.flac } ] }
        lanes: { old -> tone.volume: [ { at: 1s, value: 0.5 } ], tone.gain: [ { at: 2s, value: 0 } ] }
      wires: [ old -> tone -> desk ]
      """
    var manifest = try Manifest(ManifestText(text, file: "old.yaml"))
    var composition = try manifest.check(against: TestCatalog.catalog, file: "old.yaml").composition()
    try composition.add("new")
    var mix = AudioMix()
    mix[lane: ParameterPath(node: "tone", parameter: "gain")] = Automation(-6)
    var lane = Automation(-6)
    try lane.ramp(to: 3, in: .seconds(1)..<(.seconds(2)))
    mix[lane: ParameterPath(node: "tone", parameter: "gain")] = lane
    var kinds = Automation(1)
    try kinds.set(2, at: .seconds(1))
    mix[lane: ParameterPath(node: "tone", parameter: "bands[2].type")] = kinds
    try manifest.setTimeline(composition, mix: mix, against: TestCatalog.catalog)
    #expect(manifest.nodes.map(\.name) == ["tone", "desk", "old", "new"])
    #expect(manifest.transport == .follow && manifest.wires.count == 2)
    let lanes = manifest.lanes.map { ManifestWriter.key($0) + " " + ManifestWriter.tree($0).flow }
    #expect(
      lanes == [
        "\"tone.bands[2].type\" [ { value: low-pass, at: 0s }, { value: high-pass, at: 1s } ]",
        "tone.gain [ { value: [ -6, 3 ], from: 1s, to: 2s } ]",
        "\"old -> tone.volume\" [ { value: 0.5, at: 1s } ]",
      ])
    let checked = try manifest.check(against: TestCatalog.catalog, file: "new.yaml")
    #expect(try checked.mix()[lane: ParameterPath(node: "tone", parameter: "gain")] == lane)
  }

  @Test func `everything that a manifest cannot express is reported at once, without a change`() throws {
    var composition = Composition()
    for name in ["Voice 1", "desk", "bed"] { try composition.add(TrackID(name)) }
    try composition.setVolume(20, of: "bed")
    var mix = AudioMix()
    mix["bed"].pan = Automation(2)
    mix["room"].ducking = Automation(0.5)
    var manifest = Manifest(nodes: [Manifest.Node("desk", .playback(2))])
    let before = manifest
    let error = #expect(throws: ManifestError.self) {
      try manifest.setTimeline(composition, mix: mix, against: Self.catalog)
    }
    #expect(
      error?.problems.map(\.message) == [
        "found the track 'Voice 1'; a manifest's names are lower-case words joined by hyphens, at most 48 letters; "
          + "'voice-1' would do",
        "found the track 'desk', and a node of that name; expected each name once",
        "found the volume of 'bed' of 20.0; expected a factor from 0 to 15.8",
        "found a pan of 2.0 of 'bed'; expected -1 to 1", "found a pan of 2.0 of 'bed'; expected -1 to 1",
        "found a ducking of 'room', which is not a track; expected a track that ducks",
      ])
    #expect(manifest == before)
  }

  @Test func `a disabled track ducks no other track`() throws {
    func ducking(_ enabled: String) throws -> Float? {
      let text = """
        swiftlet: 1
        nodes: { desk: playback }
        timeline:
          tracks:
            voice: { pieces: [ { file: bed.flac, at: 10 s } ], enabled: \(enabled), volume: -6 dB }
            bed: { pieces: [ { file: bed.flac } ], mix: [ { under: voice, by: -20 dB } ] }
        wires: [ voice -> desk, bed -> desk ]
        """
      let manifest = try ManifestText(text, file: "x.yaml").check(against: TestCatalog.catalog)
      let voice = try manifest.composition().track("voice")
      #expect(voice?.isEnabled == (enabled == "true"))
      #expect(abs((voice?.volume ?? 0) - 0.501_187) < 1e-6)
      return try manifest.mix()["bed"].ducking?.value(at: .seconds(11))
    }
    #expect(try ducking("true") == 0.1)
    #expect(try ducking("false") == 1)
  }

  @Test func `a track can be ducked under several others`() throws {
    let text = """
      swiftlet: 1
      nodes: { desk: playback }
      timeline:
        tracks:
          voice: [ { file: bed.flac, at: 10 s, to: 9 s } ]
          choir: [ { file: bed.flac, at: 13 s, to: 9 s } ]
          bed:
            pieces: [ { file: bed.flac } ]
            mix: [ { under: voice, by: -20 dB }, { under: choir, by: -6 dB } ]
      wires: [ voice -> desk, choir -> desk, bed -> desk ]
      """
    let manifest = try ManifestText(text, file: "x.yaml").check(against: TestCatalog.catalog)
    let ducking = try #require(try manifest.mix()["bed"].ducking)
    for (time, level) in [(5, Float(1)), (11, 0.1), (14, 0.1), (21, 0.501_187), (25, 1)] {
      #expect(abs(ducking.value(at: .seconds(time)) - level) < 1e-6, "at \(time) s")
    }
  }
}
