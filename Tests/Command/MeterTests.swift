// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletCommand

@Suite struct MeterTests {
  private func level(peak: Float, rms: Float) -> LevelHistory {
    var level = LevelHistory()
    level.take(peak: peak, rms: rms, at: 0)
    return level
  }

  private var view: MeterView {
    MeterView(
      client: "vocal", sampleRate: 48_000, period: 64, seconds: 67,
      rows: [
        .init(name: "dry", channels: [level(peak: 0.5, rms: 0.1)], isRecording: true),
        .init(name: "desk", channels: [level(peak: 1.2, rms: 0.7), level(peak: 0, rms: 0)]),
      ], load: 3.25, xruns: 1, take: 67, diskSeconds: 51_000)
  }

  @Test func `levels are decibels below full scale`() {
    let half = level(peak: 0.5, rms: 0.1)
    #expect(abs(half.peak + 6.0206) < 1e-3)
    #expect(abs(half.rms + 20) < 1e-5)
    #expect(!half.hasClipped)
    #expect(level(peak: 1, rms: 0.5).hasClipped)
    #expect(level(peak: 0, rms: 0).peak == -.infinity)
  }

  @Test func `a peak is held for 1.5 s, and then falls by 20 dB per second`() {
    var level = level(peak: 1, rms: 0.1)
    for step in 1...40 { level.take(peak: 0.001, rms: 0.001, at: Double(step) * 0.05) }
    // After 2 s the peak has fallen for 0.5 s.
    #expect(abs(level.held + 10) < 0.01)
    for step in 41...100 { level.take(peak: 0.001, rms: 0.001, at: Double(step) * 0.05) }
    #expect(abs(level.held + 60) < 0.01)
    #expect(level.highest == 0)
    #expect(level.hasClipped)
  }

  @Test func `meter readings of effects are formatted with their unit`() {
    func words(_ unit: ParameterUnit, _ value: Float) -> String {
      ProcessorInfo.Meter(symbol: "it", name: "It", unit: unit, range: 0...1).words(value)
    }
    #expect(words(.decibels, 3.24) == "it   3.2 dB")
    #expect(words(.hertz, 0) == "it     - Hz")
    #expect(words(.none, -12) == "it -12.0")
    #expect(
      [69, 61, 21, 127, 0, .nan].map { words(.midiNote, $0) } == [
        "it A4  ", "it C#4 ", "it A0  ", "it G9  ", "it -   ", "it -   ",
      ])
  }

  @Test func `meter readings of effects are shown below the levels`() {
    var view = view
    view.readings = [.init(name: "comp", values: ["reduction   3.2 dB", "gain   0.0 dB"])]
    let screen = view.screen(columns: 80, rows: 24, style: Style(), keys: [])
    #expect(screen.contains("comp    reduction   3.2 dB  gain   0.0 dB"))
    #expect(view.line.contains("  comp reduction 3.2 dB, gain 0.0 dB  load"))
  }

  @Test(arguments: [200, 80, 60, 40, 20, 12]) func `no line is wider than the terminal`(columns: Int) {
    for style in [Style(), Style(isColored: true, isUnicode: true, canRedraw: true)] {
      for line in view.screen(columns: columns, rows: 24, style: style, keys: ["q quit", "? keys"]) {
        let plain = line.written.replacing(#/\u{1B}\[\d+m/#, with: "")
        #expect(plain.count < columns, "\(plain)")
      }
    }
  }

  @Test(arguments: 50...120) func `a channel's warnings are not truncated`(columns: Int) {
    var view = view
    for row in view.rows.indices { view.rows[row].isMuted = true }
    let lines = view.screen(columns: columns, rows: 24, style: Style(), keys: [])
    #expect(lines.contains { $0.written.hasSuffix(" MUTED CLIP") }, "\(lines)")
  }

  @Test(arguments: [24, 6, 5]) func `no view is taller than the terminal`(rows: Int) {
    #expect(view.screen(columns: 80, rows: rows, style: Style(), keys: ["q quit", "? keys"]).count < rows)
  }

  @Test func `the screen shows levels, clips, the take and the disk`() {
    let text = view.screen(columns: 100, rows: 24, style: Style(), keys: []).map(\.written).joined(
      separator: "\n")
    #expect(text.contains("vocal | 1:07 | 1 xrun | load 3.3 % | 48 kHz | 64 frames"))
    #expect(text.contains(#/dry +\[#+ *\| *\] -20.0 rms  -6.0 peak REC/#))
    #expect(text.contains(#/desk 1 \[.*\]  -3.1 rms   1.6 peak CLIP/#))
    #expect(text.contains(#/desk 2 \[ +\]  -inf rms  -inf peak/#))
    #expect(text.contains("recording 1:07, the disk has room for 14 h"))
  }

  @Test func `key hints use as many lines as they need`() {
    func keys(_ columns: Int) -> [StyledText] {
      view.screen(columns: columns, rows: 24, style: Style(), keys: ["1 echo", "c clear clips", "q quit"])
        .suffix(3)
    }
    #expect(keys(80).last == "1 echo  c clear clips  q quit")
    #expect(keys(24).suffix(2) == ["1 echo  c clear clips", "q quit"])
    #expect(keys(17) == ["1 echo", "c clear clips", "q quit"])
  }

  @Test func `wrapped lines count as several rows`() {
    #expect(Style.width("\u{1B}[1mvocal\u{1B}[0m · ▏") == 9)
    #expect(LiveDisplay.rows(of: [], columns: 80) == 0)
    #expect(LiveDisplay.rows(of: [79, 0, 40], columns: 80) == 3)
    #expect(LiveDisplay.rows(of: [79, 0, 40], columns: 40) == 4)
    #expect(LiveDisplay.rows(of: [79, 41], columns: 39) == 5)
  }

  @Test func `the length of a bar corresponds to its level`() {
    let bar = MeterBar(count: 60, style: Style(isUnicode: true))
    // One cell per decibel: −20 dBFS RMS fills 40 of 60.
    let text = bar.text(level(peak: 0.1, rms: 0.1)).written
    #expect(text.filter { $0 == "█" }.count == 40)
    #expect(bar.text(level(peak: 1, rms: 1)).written.filter { $0 == "█" }.count == 60)
    #expect(bar.text(level(peak: 0, rms: 0)).written == "▕" + String(repeating: " ", count: 60) + "▏")
  }

  @Test func `without a terminal the meters are one line of plain text`() {
    #expect(
      view.line
        == "1:07  dry -6.0/-20.0  desk 1.6/-3.1 CLIP -inf/-inf  load 3.3 %  1 xrun  recording 1:07  disk 14 h"
    )
  }

  @Test func `progress shows position, speed and remaining time`() {
    let progress = ExportSession.Progress(done: .seconds(30), total: .seconds(120), elapsed: .seconds(2))
    #expect(progress.line == "25 %  0:30 of 2:00  15 times real time  0:06 left")
    let bar = progress.screen(columns: 100, style: Style())[0]
    #expect(bar.written.hasPrefix("[###########      "))
    let start = ExportSession.Progress(done: .zero, total: .seconds(10), elapsed: .zero)
    #expect(start.line == "0 %  0:00 of 0:10")
    #expect(ExportSession.Progress(done: .seconds(10), total: .seconds(10), elapsed: .seconds(1)).part == 1)
    for columns in [120, 60, 20, 11] {
      #expect(progress.screen(columns: columns, style: Style(isUnicode: true))[0].width < columns)
    }
  }
}
