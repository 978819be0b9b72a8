// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import SwiftletTimeline
import Testing

struct VideoTrackTests {
  private let movie = AssetReference("movie.mp4", duration: .seconds(60)), other = AssetReference("other.mp4")

  private func range(_ start: Int, _ end: Int) -> Range<MediaTime> { .seconds(start)..<(.seconds(end)) }

  private func clips(_ video: VideoTrack) -> [String] {
    video.clips.map {
      "\($0.asset.path.prefix(1)) \($0.source.lowerBound)-\($0.source.upperBound)"
        + " @ \($0.range.lowerBound)-\($0.range.upperBound)"
    }
  }

  @Test func `edits of all tracks include the video track`() throws {
    var film = Composition()
    try film.add("music")
    try film.insert(range(0, 20), of: AssetReference("bed.flac"), in: "music")
    try film.video.insert(range(2, 10), of: movie)
    try film.video.insert(range(0, 3), of: other, at: .seconds(4))
    #expect(clips(film.video) == ["m 2s-6s @ 0s-4s", "o 0s-3s @ 4s-7s", "m 6s-10s @ 7s-11s"])
    try film.remove(range(1, 5))
    #expect(clips(film.video) == ["m 2s-3s @ 0s-1s", "o 1s-3s @ 1s-3s", "m 6s-10s @ 3s-7s"])
    try film.insertEmpty(range(2, 4))
    #expect(
      clips(film.video) == ["m 2s-3s @ 0s-1s", "o 1s-2s @ 1s-2s", "o 2s-3s @ 4s-5s", "m 6s-10s @ 5s-9s"])
    #expect(film.video.clip(at: .seconds(3)) == nil && film.video.clip(at: .seconds(4))?.asset == other)
    try film.scale(range(5, 9), to: .seconds(2))
    #expect(clips(film.video).last == "m 6s-10s @ 5s-7s" && film.duration == .seconds(16))
    // An edit of one audio track leaves the video unchanged, and an edit of the video leaves the tracks unchanged.
    let before = film.video
    try film.remove(range(0, 1), in: "music")
    #expect(film.video == before && film.duration == .seconds(15))
    try film.video.remove(range(0, 4))
    #expect(clips(film.video) == ["o 2s-3s @ 0s-1s", "m 6s-10s @ 1s-3s"] && film.duration == .seconds(15))
    try film.video.scale(range(1, 3), to: .seconds(20))
    #expect(film.duration == .seconds(21))
    try film.video.insertEmpty(range(0, 1))
    #expect(clips(film.video) == ["o 2s-3s @ 1s-2s", "m 6s-10s @ 2s-22s"])
  }

  @Test func `a part of a video track starts at time 0`() throws {
    var video = VideoTrack()
    try video.insert(range(2, 10), of: movie, at: .seconds(1))
    #expect(clips(video.part(range(0, 4))) == ["m 2s-5s @ 1s-4s"])
    #expect(clips(video.part(range(3, 30))) == ["m 4s-10s @ 0s-6s"])
    #expect(
      video.part(range(0, 9)) == video && video.part(range(9, 12)).isEmpty && video.part(range(0, 1)).isEmpty)
  }

  @Test func `an invalid edit is refused and leaves the video track unchanged`() throws {
    var video = VideoTrack()
    try video.insert(range(0, 5), of: movie)
    let before = video
    #expect(throws: CompositionError.pastAsset("movie.mp4", range(59, 61), length: .seconds(60))) {
      try video.insert(range(59, 61), of: movie)
    }
    #expect(throws: CompositionError.beforeStart(.seconds(-1))) {
      try video.insert(range(0, 1), of: movie, at: .seconds(-1))
    }
    #expect(throws: CompositionError.pastEnd(.seconds(6), end: .seconds(5))) { try video.remove(range(4, 6)) }
    #expect(throws: CompositionError.pastEnd(.seconds(5), end: .seconds(5))) {
      try video.insertEmpty(range(5, 6))
    }
    #expect(throws: CompositionError.badLength(.zero)) { try video.scale(range(0, 1), to: .zero) }
    #expect(throws: CompositionError.tooLong) { try video.scale(range(0, 1), to: Composition.longest) }
    #expect(throws: CompositionError.emptyRange(.seconds(1))) { try video.remove(range(1, 1)) }
    #expect(video == before)
    let one = try Segment(of: movie, range(0, 5), at: range(0, 5))
    let late = try Segment(of: other, range(0, 5), at: range(4, 9))
    #expect(throws: CompositionError.overlap("video", range(4, 9), with: range(0, 5))) {
      try VideoTrack([late, one])
    }
  }

  @Test func `a video track round-trips through JSON, and an empty one is not encoded`() throws {
    var film = Composition()
    try film.add("music")
    #expect(!String(decoding: try JSONEncoder().encode(film), as: UTF8.self).contains("video"))
    try film.video.insert(range(2, 10), of: movie, at: .milliseconds(500))
    try film.video.scale(range(1, 2), to: .seconds(3))
    let data = try JSONEncoder().encode(film)
    #expect(try JSONDecoder().decode(Composition.self, from: data) == film)
    let overlapping = String(decoding: data, as: UTF8.self).replacing(
      "\"at\":\"1s\"", with: "\"at\":\"0.7s\"")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Composition.self, from: Data(overlapping.utf8))
    }
  }

  @Test(arguments: 0..<50) func `random edits change video and audio tracks alike`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed), film = Composition()
    try film.add("twin")
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    for _ in 0..<200 {
      let start = MediaTime.milliseconds(number(-1...60) * 100)
      let length = MediaTime.milliseconds(number(0...20) * 100), kind = number(0...3),
        isAll = number(0...1) == 0
      let range = start..<(start + length), time = number(0...2) == 0 ? nil : start
      do throws(CompositionError) {
        var edited = film
        switch kind {
        case 0:
          try edited.insert(.zero..<length, of: movie, at: time, in: "twin")
          try edited.video.insert(.zero..<length, of: movie, at: time)
        case 1 where isAll: try edited.remove(range)
        case 1:
          try edited.remove(range, in: "twin")
          try edited.video.remove(range)
        case 2 where isAll: try edited.insertEmpty(range)
        case 2:
          try edited.insertEmpty(range, in: "twin")
          try edited.video.insertEmpty(range)
        default: try edited.scale(range, to: .milliseconds(number(0...30) * 100))
        }
        film = edited
      } catch {}
      #expect(film.video.clips == film.tracks[0].segments && film.video.duration == film.duration)
    }
    #expect(!film.video.isEmpty)
  }
}
