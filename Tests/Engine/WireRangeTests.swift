// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import Swiftlet
@testable import SwiftletGraph
import SwiftletSignal

/// Values of wires that are invalid or out of range.
extension WireTests {
  @Test func `invalid values, long ramps and removed wires are refused, and nothing changes`() throws {
    let console = try Console()
    let before = console.engine.graph
    let log = ReportLog(console.engine)
    let strip = console.strip, main = console.main, nan = Dimension.Level.decibels(.nan)
    for ramp in [
      { try strip.gain.ramp(to: nan, over: .zero) }, { try strip.trim.ramp(to: nan, over: .zero) },
      { try strip.pan.ramp(to: .nan, over: .zero) }, { try main.gain.ramp(to: nan, over: .zero) },
    ] as [() throws -> Void] {
      #expect {
        try ramp()
      } throws: {
        if case .notANumber? = $0 as? EngineError { true } else { false }
      }
    }
    #expect(throws: EngineError.self) { try strip.gain.ramp(to: .decibels(0), over: .seconds(4000)) }
    #expect(throws: EngineError.self) { try strip.gain.ramp(to: .decibels(70), over: .seconds(4000)) }
    #expect(log.lines == [], "only what has changed is reported")
    strip.gain.value = nan
    strip.pan.value = .nan
    main.gain.value = nan
    #expect(console.engine.graph == before)
    #expect(log.lines == ["voice → main gain", "voice → main pan", "main gain"])
    strip.gain.value = .decibels(-.infinity)
    try console.other.gain.ramp(to: .decibels(-200), over: .seconds(-1))
    expect(try console.heard(), [0, 0])
  }

  @Test func `a pan into a mixer that is not stereo is reported`() throws {
    let engine = try AudioEngine.offline(), log = ReportLog(engine)
    let strip = try engine.connect(engine.attachInput(), to: engine.attachMixer(channels: 4))
    strip.pan.value = 0.5
    #expect(strip.pan.value == 0 && log.lines.count == 1)
    #expect(throws: EngineError.self) { try strip.pan.ramp(to: 0.5, over: .zero) }
  }

  @Test func `values out of range are clamped and reported`() throws {
    let console = try Console(), strip = console.strip, main = console.main
    let log = ReportLog(console.engine)
    strip.gain.value = .decibels(61)
    #expect(strip.gain.value == .decibels(60))
    strip.gain.value = .decibels(.infinity)
    #expect(strip.gain.value == .decibels(60))
    strip.gain.value = .decibels(0)
    strip.trim.value = .decibels(100)
    #expect(strip.trim.value == .decibels(60))
    strip.trim.value = .decibels(0)
    strip.pan.value = 1.5
    #expect(strip.pan.value == 1)
    try strip.pan.ramp(to: -2, over: .zero)
    #expect(strip.pan.value == -1)
    main.gain.value = .decibels(.infinity)
    #expect(main.gain.value == .decibels(60))
    main.gain.value = .decibels(0)
    #expect(
      log.lines == [
        "voice → main gain 61.0 60.0", "voice → main gain inf 60.0", "voice → main trim 100.0 60.0",
        "voice → main pan 1.5 1.0", "voice → main pan -2.0 -1.0", "main gain inf 60.0",
      ])
    expect(try console.heard(), [1.5, 0.5])
  }

  @Test func `an edit clamps levels and lanes of a wire to their ranges and reports them`() throws {
    let console = try Console(), strip = console.strip, log = ReportLog(console.engine)
    try console.engine.edit { edit in
      try edit.update(strip) { ($0.gain, $0.trim, $0.pan) = (61, .infinity, -1.5) }
      let tape = try edit.attach(.capture(channels: 1), name: "tape")
      let new = try edit.connect(tape, to: console.main)
      try edit.update(new) { $0.gain = 100 }
      try edit.automate(new.id, .pan, with: Automation(2))
      do {
        try edit.update(new) { $0.gain = .nan }
        Issue.record("a level that is not a number was taken")
      } catch {}
    }
    #expect(strip.gain.value == .decibels(60) && strip.trim.value == .decibels(60) && strip.pan.value == -1)
    try strip.automate(.volume, with: Automation(1001))
    let lane = console.engine.graph.lane(of: Lane.Target(.wire(strip.id), .volume))
    #expect(lane?.automation == Automation(1000))
    #expect(
      log.lines == [
        "voice → main gain 61.0 60.0", "voice → main trim inf 60.0", "voice → main pan -1.5 -1.0",
        "tape → main gain 100.0 60.0", "tape → main pan 2.0 1.0", "voice → main volume 1001.0 1000.0",
      ])
  }
}
