// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletCommand

/// `swiftlet graph --automation`.
@Suite struct TimelineGraphTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(folder: scratch.path)
    try VoiceFixture.sine("\(scratch.path)/voice.wav", seconds: 3)
    try VoiceFixture.sine("\(scratch.path)/bed <1>.wav", seconds: 12, channels: 2)
    try scratch.write(
      """
      swiftlet: 1
      name: song
      timeline:
        tempo: 120
        tracks:
          voice: [ { file: voice.wav, at: 4 s } ]
          music:
            pieces: [ { file: bed <1>.wav, to: 8 s }, { file: "bed <1>.wav", from: 10 s, lasts: 2 s } ]
            mix:
              - { from: 0 s, to: 2 s, volume: [ 0, 0.8 ] }
              - { under: voice, by: -12 dB, attack: 500 ms, release: 500 ms }
              - { from: 3 s, to: 9 s, pan: [ -1, 1 ] }
              - { at: 8 s, volume: 0.4 }
      nodes: { desk: { playback: stereo } }
      wires: [ voice -> desk, music -> desk ]
      """, to: "song.yaml")
  }

  /// Returns the points of every line of a kind, in coordinates of the picture.
  private func lines(_ kind: String, in svg: String) throws -> [[(x: Double, y: Double)]] {
    let line = try Regex("<path class=\"\(kind)\"[^>]* d=\"([^\"Z]+)Z?\"", as: (Substring, Substring).self)
    return svg.matches(of: line).map { match in
      match.output.1.split { "ML".contains($0) }.compactMap { point in
        let numbers = point.split(separator: " ").compactMap { Double($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
      }
    }.filter { $0.count > 2 }
  }

  /// Returns the y coordinate of a line at a time of ten seconds; after a jump at that time.
  private func height(_ points: [(x: Double, y: Double)], at time: Double) -> Double {
    let x = 148 + 1024 * time / 10
    guard let next = points.firstIndex(where: { $0.x > x }), next > 0 else { return points.last?.y ?? 0 }
    let (a, b) = (points[next - 1], points[next])
    return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
  }

  @Test func `a disabled track is drawn as silent, and bars follow the time signature`() throws {
    func svg(_ mix: String, _ name: String) throws -> String {
      try scratch.write(
        """
        swiftlet: 1
        nodes: { desk: { playback: stereo } }
        timeline:
          tempo: 120
          meter: [ { at: 1|1, meter: 3/4 }, { at: 3|1, meter: 2/4 } ]
          tracks: { voice: { pieces: [ { file: voice.wav, at: 1 s, until: 4 s } ]\(mix) } }
        wires: [ voice -> desk ]
        """, to: name)
      let outcome = try swiftlet.run("graph", name, "--automation")
      #expect(outcome.status == 0, "\(outcome.messages)")
      return outcome.output
    }
    let plain = try svg("", "on.yaml"), off = try svg(", enabled: false", "off.yaml")
    let soft = try svg(", volume: 0.5", "soft.yaml")
    #expect(plain.contains("1 clip<") && off.contains("1 clip, off<") && soft.contains("1 clip, × 0.5<"))
    // Bars of 1.5 s, then of 1 s: the third starts at 3 s, and the four seconds contain a fourth.
    #expect(plain.contains(">4<") && !plain.contains(">5<"))
    func height(_ svg: String) throws -> Double {
      let points = try #require(lines("heard", in: svg).first).map(\.y)
      return (points.max() ?? 0) - (points.min() ?? 0)
    }
    let full = try height(plain), half = try height(soft), none = try height(off)
    #expect(full > 10 && abs(half / full - 0.5) < 0.05 && none < 1)
  }

  @Test func `curves have the values of the mix, over the waveforms`() throws {
    let outcome = try swiftlet.run("graph", "song.yaml", "--automation", "-o", "song.svg")
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.messages)")
    let svg = scratch.text("song.svg")
    for text in [
      ">song<", ">voice<", ">music<", ">voice.wav<", "bed &lt;1&gt;.wav", ">0:10<", ">bar<", ">ducking<",
    ] {
      #expect(svg.contains(text), "\(text) is missing")
    }
    // The second row is at y = 92 + 128 + 14; in it the value 1 is at 22 and 0 at 122.
    let volume = try #require(try lines("volume", in: svg).first { $0[0].y > 220 })
    let level = { (height: Double) in (234 + 122 - height) / 100 }
    for (time, value) in [
      (0.5, 0.2), (1.0, 0.4), (1.9, 0.76), (2.5, 0.8), (7.9, 0.8), (8.1, 0.4), (9.9, 0.4),
    ] {
      #expect(abs(level(height(volume, at: time)) - value) < 0.004, "volume at \(time)")
    }
    let ducking = try #require(try lines("ducking", in: svg).first)
    for (time, value) in [(3.4, 1.0), (4.5, 0.2512), (6.5, 0.2512), (7.6, 1)] {
      #expect(abs(level(height(ducking, at: time)) - value) < 0.004, "ducking at \(time)")
    }
    let pan = try #require(try lines("pan", in: svg).first)
    for (time, value) in [(3.0, -1.0), (4.5, -0.5), (6.0, 0.0), (9.5, 1.0)] {
      #expect(abs((height(pan, at: time) - (234 + 128 + 20)) / 12 - value) < 0.02, "pan at \(time)")
    }
    // The output is the source times volume times ducking: a sine of half of full scale, 50 points at 1.
    let heard = try lines("heard", in: svg)
    #expect(heard.count == 3)
    let middle = 234.0 + 72
    for (time, gain) in [(1.0, 0.4), (2.5, 0.8), (5.0, 0.8 * 0.2512)] {
      let x = 148 + 1024 * time / 10
      let top = try #require(heard[1].min { abs($0.x - x) < abs($1.x - x) })
      #expect(abs(abs(top.y - middle) - 50 * 0.5 * gain) < 0.4, "heard at \(time): \(top)")
    }
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }

  @Test func `lanes have the values of the manifest, in the units and on the scale of their parameters`()
    throws
  {
    try scratch.write(
      """
      swiftlet: 1
      name: moves
      timeline:
        tracks: { voice: [ { file: voice.wav, at: 7 s } ] }
        lanes:
          echo.feedback: [ { from: 2 s, to: 4 s, value: [ 20, 70 ] } ]
          tone.bands[1].frequency: [ { from: 1 s, to: 9 s, value: [ 100, 10000 ], curve: exponential 4.60517 } ]
          tone -> desk.volume: [ { from: 9 s, to: 10 s, value: 0 } ]
        master: [ { from: 8 s, to: 10 s, volume: [ 1, 0 ] } ]
      nodes:
        echo: { effect: delay, set: { feedback: 30 } }
        tone: { effect: equalizer }
        desk: { playback: stereo }
      wires: [ voice -> echo -> tone, tone -> desk ]
      """, to: "moves.yaml")
    let outcome = try swiftlet.run("graph", "moves.yaml", "--automation", "-o", "moves.svg")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let svg = scratch.text("moves.svg")
    for text in [
      ">echo<", ">feedback<", ">70 %<", ">20 %<", ">bands[1].frequency<", ">10000 Hz<", ">100 Hz<",
      ">tone → desk<", ">master<", ">voice<",
    ] { #expect(svg.contains(text), "\(text) is missing") }
    let lanes = try lines("lane", in: svg)
    try #require(lanes.count == 3)
    // Two tracks are above; a lane has 48 points from its lowest value to its highest.
    let top = { (lane: Int) in 76.0 + 2 * 142 + 78 * Double(lane) }
    for (time, value) in [(1.0, 30.0), (2.5, 32.5), (3.9, 67.5), (8, 70)] {
      let share = (top(0) + 56 - height(lanes[0], at: time)) / 48
      #expect(abs(20 + 50 * share - value) < 0.4, "feedback at \(time)")
    }
    // From 100 to 10,000 Hz with an exponential curve of e^4.605: the logarithm of the frequency grows nearly
    // linearly.
    for time in [2.0, 5, 8.5] {
      let share = (top(1) + 56 - height(lanes[1], at: time)) / 48
      let truth = 100 + 9900 * (exp(4.60517 * (time - 1) / 8) - 1) / (exp(4.60517) - 1)
      let low = 100.0
      // Before the lane the band has its own frequency, which is within the range.
      #expect(abs(share - log(truth / low) / log(100)) < 0.02, "frequency at \(time)")
    }
    let volume = try #require(try lines("volume", in: svg).first { $0[0].y > 76 + 142 })
    #expect(abs((76 + 142 + 122 - height(volume, at: 9)) / 100 - 0.5) < 0.004)
  }

  @Test func `a manifest without a timeline, and other formats, are refused`() throws {
    try scratch.write(VoiceFixture.plain, to: "plain.yaml")
    let plain = try swiftlet.run("graph", "plain.yaml", "--automation")
    #expect(
      plain.status == 1 && plain.messages.contains("plain.yaml has no timeline"), "\(plain.messages)")
    #expect(try swiftlet.run("graph", "song.yaml", "--automation", "--format", "dot").status == 2)
    #expect(try swiftlet.run("graph", "song.yaml", "--automation", "-o", "a.plan").status == 2)
    var bare = swiftlet
    bare.environment = ["PATH": "/nonexistent"]
    let outcome = try bare.run("graph", "song.yaml", "--automation")
    #expect(outcome.status == 0 && outcome.output.hasPrefix("<svg"), "Graphviz has no part in it")
  }
}
