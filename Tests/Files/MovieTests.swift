// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTimeline
import Testing

@testable import SwiftletFiles

/// Cut positions and properties of movies.
@Suite struct MovieTests {
  /// Returns pictures at 25 per second in storage order, by number; `K` marks keyframes.
  private func packets(_ pictures: String) -> MoviePackets {
    MoviePackets(
      pictures.split(separator: " ").enumerated().map { index, word in
        let isKey = word.hasSuffix("K")
        return .init(
          time: (Double(word.filter(\.isNumber)) ?? -1) / 25, decoding: Double(index - 2) / 25, isKey: isKey)
      })
  }

  @Test func `a closed group of pictures can be cut at its ends, and where none needs a later one`() {
    let list = packets("0K 3 1 2 6 4 5 7K 10 8 9 11")
    #expect(list.keyframe(at: 0.28, within: 0.01)?.time == 0.28)
    #expect(list.keyframe(at: 0.27, within: 0.001) == nil && list.keyframe(at: 0.12, within: 0.01) == nil)
    #expect(list.neighbours(of: 0.2) == [0, 0.28] && list.neighbours(of: 0.3) == [0.28])
    // The picture left out is the one stored next, whether it is shown later or not.
    #expect(list.cut(before: 0.27)?.time == 0.28 && list.cut(before: 0.27)?.decoding == 5.0 / 25)
    #expect(list.cut(before: 3.5 / 25)?.time == 6.0 / 25)
    for middle in 0...10 {
      let time = (Double(middle) + 0.5) / 25
      #expect((list.cut(before: time) != nil) == [0, 3, 6, 7, 10].contains(middle), "behind \(middle)")
    }
    #expect(list.cut(before: 11.5 / 25) == nil)
    #expect(list.last?.time == 11.0 / 25)
  }

  @Test func `a keyframe that earlier pictures refer to does not end a group`() {
    let list = packets("0K 3 1 2 6K 4 5 9 7 8 12K 15 13 14")
    #expect(list.keyframe(at: 0.24, within: 0.01) == nil && list.hasKeyframe(at: 0.24, within: 0.01))
    #expect(list.keyframe(at: 0.48, within: 0.01)?.time == 0.48)
    #expect(list.neighbours(of: 0.25) == [0, 0.48])
    #expect(list.cut(before: 5.5 / 25) == nil)
    #expect(
      packets("").neighbours(of: 1).isEmpty && packets("").cut(before: 1) == nil && packets("").last == nil)
  }

  @Test func `frame rates are exact, and an unsteady rate becomes a steady one`() throws {
    let film = try #require(FrameRate("60000/2002"))
    #expect(
      "\(film)" == "30000/1001" && film.count(at: 1001) == 30_000 && FrameRate("25/1")?.description == "25")
    for bad in ["0/0", "25/0", "-1/2", "x", nil] { #expect(FrameRate(bad) == nil) }
    #expect(FrameRate.steady(mean: film, nominal: film) == film)
    let wavering = try #require(FrameRate(179_800, over: 6000))
    #expect(FrameRate.steady(mean: wavering, nominal: FrameRate(90_000, over: 1)) == film)
    let odd = try #require(FrameRate(17, over: 1)), wild = try #require(FrameRate(1000, over: 1))
    #expect(FrameRate.steady(mean: odd, nominal: nil) == odd)
    #expect(FrameRate.steady(mean: odd, nominal: .usualRate) == .usualRate, "25 a second in parts")
    #expect(FrameRate.steady(mean: odd, nominal: wild) == odd, "no rate of pictures, but of a clock")
    #expect(FrameRate.steady(mean: wild, nominal: nil).perSecond == 120)
    #expect(film.count(at: -1) == 0 && film.count(at: .infinity) > 0)
  }

  @Test(.enabled(if: isInstalled("ffmpeg")))
  func `a movie reports its properties, and a track plays its sound`() throws {
    let folder = try Folder()
    let path = folder["a b's.mkv"]
    let line = [
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x90:r=24:d=3", "-f", "lavfi", "-i",
      "'aevalsrc=0.5*sin(2*PI*441*t):s=44100:d=4'", "-c:v", "mpeg4", "-c:a", "flac", "\"\(path)\"",
    ]
    try #require(output(of: "bash", "-c", line.joined(separator: " ")) != nil)
    let movie = try MovieInfo(path)
    #expect(
      movie.codec == "mpeg4" && movie.width == 160 && movie.height == 90 && movie.container == "Matroska")
    // The picture's own length, although the sound is longer and the container states only the total.
    #expect(abs(movie.duration.seconds - 3) < 0.002 && movie.frameRate.description == "24")
    let sound = try AudioFileReader(path)
    #expect(sound.info.frameCount == 176_400)
    #expect(ratioOfSine(441, rate: 44_100, in: Array(try sound.read(88_200)[0])) > 60)
  }

  @Test func `each kind of movie has its extension, and its sound a kind of file`() {
    for (path, movie) in [
      ("a.mp4", MovieContainer.mp4), ("A.M4V", .mp4), ("x/b.mov", .mov), ("b.qt", .mov), ("c.MKV", .mkv),
    ] { #expect(MovieContainer(path: path) == movie) }
    for path in ["a.m4a", "mkv", "a.mp3", "a.", ""] { #expect(MovieContainer(path: path) == nil) }
    #expect(MovieContainer.allCases.map(\.sound) == [.m4a, .m4a, .flac])
  }
}
