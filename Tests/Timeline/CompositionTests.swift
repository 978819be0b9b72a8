// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTimeline
import Testing

struct CompositionTests {
  private let a = AssetReference("a.flac", duration: .seconds(60)), b = AssetReference("b.flac")

  /// The track's segments as text: `asset source @ range`, followed by the speed if it is not 1.
  private func clips(_ composition: Composition, _ track: TrackID = "music") -> [String] {
    (composition.track(track)?.segments ?? []).map {
      let speed = $0.speed == 1 ? "" : " x\($0.speed)\($0.keepsPitch ? "" : " as on tape")"
      return "\($0.asset.path.prefix(1)) \($0.source.lowerBound)-\($0.source.upperBound)"
        + " @ \($0.range.lowerBound)-\($0.range.upperBound)" + speed
    }
  }

  private func range(_ start: Int, _ end: Int) -> Range<MediaTime> { .seconds(start)..<(.seconds(end)) }

  //  aaaaaaaaaa   →   aaaaa bbbbb aaaaa   →   bbbbb aaaaa bbbbb aaaaa
  @Test func `an insertion splits the segment at its position and moves later segments back`() throws {
    var composition = Composition()
    try composition.add("music")
    try composition.insert(range(0, 10), of: a, in: "music")
    try composition.insert(range(0, 5), of: b, at: .seconds(5), in: "music")
    #expect(clips(composition) == ["a 0s-5s @ 0s-5s", "b 0s-5s @ 5s-10s", "a 5s-10s @ 10s-15s"])
    try composition.insert(range(0, 5), of: b, at: .zero, in: "music")
    #expect(composition.duration == .seconds(20) && composition.track("music")?.segments.count == 4)
    try composition.remove(range(10, 20))
    #expect(
      clips(composition) == ["b 0s-5s @ 0s-5s", "a 0s-5s @ 5s-10s"] && composition.duration == .seconds(10))
  }

  @Test func `silence fills the gap before an insertion past the end`() throws {
    var composition = Composition()
    try composition.add("music")
    try composition.add("voice")
    try composition.insert(range(0, 4), of: a, at: .seconds(2), in: "music")
    try composition.insert(range(0, 1), of: b, in: "voice")
    #expect(clips(composition) == ["a 0s-4s @ 2s-6s"])
    try composition.insertEmpty(range(3, 5))
    #expect(
      clips(composition) == ["a 0s-1s @ 2s-3s", "a 1s-4s @ 5s-8s"]
        && clips(composition, "voice") == ["b 0s-1s @ 0s-1s"])
    try composition.insertEmpty(range(0, 1), in: "voice")
    #expect(clips(composition, "voice") == ["b 0s-1s @ 1s-2s"] && composition.duration == .seconds(8))
    #expect(composition.track("music")?.segment(at: .seconds(4)) == nil)
    #expect(composition.track("music")?.segment(at: .seconds(5))?.source(at: .seconds(6)) == .seconds(2))
  }

  @Test func `scaling a range changes its duration and its speed`() throws {
    var composition = Composition()
    try composition.add("music")
    try composition.insert(range(0, 10), of: a, in: "music")
    try composition.scale(range(2, 6), to: .seconds(2), keepingPitch: false)
    #expect(
      clips(composition) == ["a 0s-2s @ 0s-2s", "a 2s-6s @ 2s-4s x2.0 as on tape", "a 6s-10s @ 4s-8s"])
    // A cut inside a scaled segment cuts its source at the corresponding time.
    try composition.remove(range(3, 5))
    #expect(clips(composition) == ["a 0s-2s @ 0s-2s", "a 2s-4s @ 2s-3s x2.0 as on tape", "a 7s-10s @ 3s-6s"])
    try composition.scale(range(2, 3), to: .seconds(3))
    #expect(clips(composition)[1].hasPrefix("a 2s-4s @ 2s-5s x0.666"))
    #expect(composition.track("music")?.segments[1].source(at: .milliseconds(3500)) == .seconds(3))
  }

  @Test func `segments stay adjacent at thirds of a second`() throws {
    var composition = Composition()
    try composition.add("music")
    let third = MediaTime(frames: 1, at: 3)
    for _ in 0..<300 { try composition.insert(.zero..<third, of: a, at: third, in: "music") }
    #expect(composition.duration == .seconds(100) + third)
    for segment in zip(composition.tracks[0].segments, composition.tracks[0].segments.dropFirst())
    where segment.0.range.lowerBound > .zero {
      #expect(segment.0.range.upperBound == segment.1.range.lowerBound)
    }
  }

  @Test func `a copy is independent of later edits`() throws {
    var composition = Composition()
    try composition.add("music")
    try composition.insert(range(0, 10), of: a, in: "music")
    let snapshot = composition
    try composition.setVolume(0.5, of: "music")
    try composition.setEnabled(false, of: "music")
    try composition.remove(range(0, 9))
    #expect(
      snapshot.duration == .seconds(10) && snapshot.tracks[0].volume == 1 && snapshot.tracks[0].isEnabled)
    #expect(
      composition.tracks[0].volume == 0.5 && !composition.tracks[0].isEnabled && composition != snapshot)
    try composition.remove("music")
    #expect(composition.tracks.isEmpty && composition.duration == .zero)
  }

  @Test func `an invalid edit is refused and leaves the composition unchanged`() throws {
    var composition = Composition()
    try composition.add("music")
    try composition.insert(range(0, 10), of: a, in: "music")
    let before = composition, minus = MediaTime.seconds(-1)
    func refuses(_ error: CompositionError, _ edit: (inout Composition) throws -> Void) {
      #expect(throws: error) { try edit(&composition) }
      #expect(composition == before)
    }
    refuses(.unknownTrack("voice", known: ["music"])) { try $0.insert(range(0, 1), of: b, in: "voice") }
    refuses(.unknownTrack("voice", known: ["music"])) { try $0.remove(range(0, 1), in: "voice") }
    refuses(.unknownTrack("voice", known: ["music"])) { try $0.remove("voice") }
    refuses(.duplicateTrack("music")) { try $0.add("music") }
    refuses(.noName) { try $0.add("") }
    refuses(.beforeStart(minus)) { try $0.insert(minus..<(.zero), of: a, in: "music") }
    refuses(.beforeStart(minus)) { try $0.insert(range(0, 1), of: a, at: minus, in: "music") }
    refuses(.beforeStart(minus)) { try $0.remove(minus..<(.seconds(1))) }
    refuses(.emptyRange(.zero)) { try $0.insert(.zero..<(.zero), of: a, in: "music") }
    refuses(.emptyRange(.seconds(1))) { try $0.scale(range(1, 1), to: .seconds(1)) }
    refuses(.pastAsset("a.flac", range(55, 61), length: .seconds(60))) {
      try $0.insert(range(55, 61), of: a, in: "music")
    }
    refuses(.pastEnd(.seconds(11), end: .seconds(10))) { try $0.remove(range(9, 11)) }
    refuses(.pastEnd(.seconds(11), end: .seconds(10))) { try $0.scale(range(9, 11), to: .seconds(1)) }
    refuses(.pastEnd(.seconds(10), end: .seconds(10))) { try $0.insertEmpty(range(10, 11)) }
    refuses(.badLength(.zero)) { try $0.scale(range(0, 1), to: .zero) }
    refuses(.badLength(minus)) { try $0.scale(range(0, 1), to: minus) }
    refuses(.tooLong) { try $0.insert(.zero..<(.latest), of: b, in: "music") }
    refuses(.tooLong) { try $0.insert(range(0, 1), of: b, at: .latest, in: "music") }
    refuses(.tooLong) { try $0.insertEmpty(.zero..<(.latest)) }
    refuses(.tooLong) { try $0.scale(range(0, 1), to: .latest) }
    for volume in [-1, Float.infinity, .nan] {
      #expect(throws: CompositionError.self) { try composition.setVolume(volume, of: "music") }
    }
    #expect(composition == before)
    #expect(
      "\(CompositionError.unknownTrack("voice", known: ["music"]))"
        == "there is no track 'voice': there are music")
  }

  @Test func `a composition round-trips through readable JSON`() throws {
    var composition = Composition()
    try composition.add("music")
    try composition.insert(range(0, 10), of: a, in: "music")
    try composition.scale(range(8, 10), to: .seconds(1), keepingPitch: false)
    try composition.add("voice")
    try composition.setVolume(0.5, of: "voice")
    try composition.setEnabled(false, of: "voice")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(composition)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"tracks":[{"name":"music","pieces":["#
        + #"{"at":"0s","file":"a.flac","from":"0s","length":"60s","to":"8s"},"#
        + #"{"at":"8s","file":"a.flac","from":"8s","keeps-pitch":false,"length":"60s","#
        + #""to":"10s","until":"9s"}]},"#
        + #"{"enabled":false,"name":"voice","volume":0.5}]}"#)
    #expect(try JSONDecoder().decode(Composition.self, from: data) == composition)
  }

  @Test(arguments: [
    #"[{"name":"a","pieces":[{"file":"x","from":"0s","to":"2s","at":"0s"},"#
      + #"{"file":"x","from":"0s","to":"2s","at":"1s"}]}]"#,
    #"[{"name":"a"},{"name":"a"}]"#, #"[{"name":""}]"#, #"[{"name":"a","volume":-1}]"#,
    #"[{"name":"a","pieces":[{"file":"x","from":"2s","to":"1s","at":"0s"}]}]"#,
    #"[{"name":"a","pieces":[{"file":"x","from":"1s","to":"1s","at":"0s"}]}]"#,
    #"[{"name":"a","pieces":[{"file":"x","from":"0s","to":"3s","at":"0s","length":"2s"}]}]"#,
    #"[{"name":"a","pieces":[{"file":"x","from":"0s","to":"3s","at":"-1s"}]}]"#,
    #"[{"name":"a","pieces":[{"file":"x","from":"0s","to":"3s","at":"2s","until":"1s"}]}]"#,
  ])
  func `JSON of an invalid composition is refused`(tracks: String) {
    let data = Data(#"{"tracks":\#(tracks)}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Composition.self, from: data) }
  }

  @Test func `segments are sorted, and refused if they overlap`() throws {
    let one = try Segment(of: a, range(0, 2), at: range(0, 2)),
      other = try Segment(of: b, range(0, 2), at: range(1, 3))
    #expect(throws: CompositionError.overlap("x", range(1, 3), with: range(0, 2))) {
      try Composition([Track("x", segments: [other, one])])
    }
    let later = try Segment(of: b, range(0, 2), at: range(2, 4))
    #expect(try Composition([Track("x", segments: [later, one])]).duration == .seconds(4))
  }
}
