// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import SwiftletTimeline
import Testing

struct TimeTextTests {
  @Test(arguments: [
    ("1.5s", MediaTime.milliseconds(1500)), ("90 s", .seconds(90)), ("-2s", .seconds(-2)),
    ("+2s", .seconds(2)),
    ("350ms", .milliseconds(350)), ("20us", .microseconds(20)), ("2 min", .seconds(120)),
    ("1h", .seconds(3600)),
    ("0", .zero), (".5s", .milliseconds(500)), ("0.1s", MediaTime(frames: 1, at: 10)),
    ("48000@44100", MediaTime(frames: 48_000, at: 44_100)), ("1 samples@3", MediaTime(frames: 1, at: 3)),
    ("1:30", .seconds(90)), ("1:30.250", .milliseconds(90_250)), ("1:02:03.5", .milliseconds(3_723_500)),
    ("-0:01", .seconds(-1)), ("90:00", .seconds(5400)),
  ])
  func `text in each form parses to its time`(text: String, time: MediaTime) throws {
    #expect(try MediaTime(text) == time)
  }

  @Test func `samples need a sample rate, and bars need a tempo`() throws {
    #expect(try MediaTime("44100 samples", sampleRate: 44_100) == .seconds(1))
    #expect(try MediaTime("-1 frame", sampleRate: 48_000) == MediaTime(frames: -1, at: 48_000))
    let tempo = try TempoMap(120)
    #expect(try MediaTime("5|3.5", tempo: tempo) == .milliseconds(8000 + 1250))
    #expect(throws: TimeError.noRate("7 samples")) { try MediaTime("7 samples") }
    #expect(throws: TimeError.noTempo("5|1")) { try MediaTime("5|1") }
    #expect(throws: TimeError.noSuchBeat("5|5")) { try MediaTime("5|5", tempo: tempo) }
    #expect(throws: TimeError.noSuchBeat("0|1")) { try MediaTime("0|1", tempo: tempo) }
    #expect(throws: TimeError.noUnit("90")) { try MediaTime("90") }
  }

  @Test(arguments: [
    "", " ", "s", ".s", "1.2.3s", "1e3s", "nan s", "inf", "--1s", "1:5", "1:60", "1:2:3", "1::30", "1:30:",
    ":30",
    "1.5:30", "1:02:03:04", "1.5 samples@3", "4@0", "4@-1", "4@nan", "4@", "5|", "|5", "5|3|1", "-5|1",
    "5|nan", "1 parsec",
    "٣s", "1 s s", "0x10s",
  ])
  func `text that is not a time is refused`(text: String) throws {
    #expect(throws: TimeError.unreadable(text)) { try MediaTime(text, tempo: TempoMap()) }
  }

  @Test func `times out of range are refused in every unit`() {
    for text in [
      "99999999999s", "9999999999999999999 samples@48000", "2147483649s", "99999999999:00", "1193047h",
    ] {
      #expect(throws: TimeError.tooFar(text)) { try MediaTime(text) }
    }
  }

  @Test func `a time's description parses to the same time`() throws {
    let tempo = try TempoMap(97.3)
    var times: [MediaTime] = [.zero, .latest, .earliest, .milliseconds(-1), MediaTime(frames: 1, at: 3)]
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<3000 {
      times.append(
        MediaTime(
          frames: .random(in: -1_000_000_000_000...1_000_000_000_000, using: &generator),
          at: .random(in: 1...200_000, using: &generator)))
      times.append(.microseconds(.random(in: -1_000_000_000_000...1_000_000_000_000, using: &generator)))
    }
    for time in times {
      #expect(try MediaTime(time.description) == time)
      let clock = try MediaTime(time.clock)
      #expect(abs((clock - time).seconds) <= 0.000_500_001)
      #expect(try MediaTime(clock.clock) == clock)
      let copy = try JSONDecoder().decode([MediaTime].self, from: JSONEncoder().encode([time]))
      #expect(copy == [time])
      guard time >= .zero, time < .seconds(100_000), let position = tempo.position(at: time) else { continue }
      #expect(
        abs((try MediaTime(position.description, tempo: tempo) - time).seconds) < 2e-9, "\(time) \(position)")
    }
    #expect(MediaTime.milliseconds(90_250).clock == "1:30.250" && MediaTime.seconds(3723).clock == "1:02:03")
    #expect("\(MediaTime.milliseconds(1500))" == "1.5s" && "\(MediaTime(frames: 2, at: 3))" == "2@3")
  }

  @Test func `random text does not trap`() throws {
    let tempo = try TempoMap(), letters = Array("0123456789999.:|@-+ sm samplesframes h\u{301}µ")
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      let text = String(
        (0..<Int.random(in: 0...34, using: &generator)).compactMap { _ in
          letters.randomElement(using: &generator)
        })
      guard let time = try? MediaTime(text, sampleRate: 48_000, tempo: tempo) else { continue }
      #expect(.earliest <= time && time <= .latest)
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([MediaTime].self, from: Data(#"["soon"]"#.utf8))
    }
  }
}
