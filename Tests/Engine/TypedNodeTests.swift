// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Synchronization
import Testing

/// Typed nodes, and their parameters with units.
@Suite struct TypedNodeTests {
  private let engine: AudioEngine

  init() throws { engine = try .offline() }

  @Test func `a parameter is set and read in any unit of its dimension`() throws {
    let echo = try engine.attach(Delay.self)
    #expect(echo.time.value == .milliseconds(500))
    echo.time.value = .seconds(0.35)
    #expect(echo.time.value == .milliseconds(350) && echo.time.current == .milliseconds(350))
    echo.change.value = .tape
    #expect(echo.change.value == .tape)
    #expect(try echo.parameters["time"].value == 350)
    #expect(try echo.parameters["change"].value == 1)
  }

  @Test func `an effect is made with a preset, and loads another by case or name`() throws {
    let echo = try engine.attach(Delay.self, preset: .slapback, name: "echo")
    #expect(echo.time.value == .milliseconds(110) && echo.feedback.value == .percent(0))
    try echo.load(.pingPong)
    #expect(echo.time.value == .milliseconds(375) && echo.pingPong.value != .off)
    try echo.load(preset: "slapback")
    #expect(echo.time.value == .milliseconds(110) && echo.pingPong.value == .off)
    let staged = try engine.edit { try $0.attach(Delay.self, preset: .tape) }
    #expect(staged.change.value == .tape && staged.feedback.value == .percent(55))
  }

  @Test func `an unknown preset name is an error that lists the names, and changes nothing`() throws {
    let echo = try engine.attach(Delay.self, preset: .canyon)
    let error = #expect(throws: EngineError.self) { try echo.load(preset: "slapbuck") }
    guard case .unknownPreset(_, "slapbuck", let known)? = error else {
      Issue.record("\(error)")
      return
    }
    #expect(known == Delay.Preset.allCases.map { "\($0.describe().name)" } && known.count == 9)
    #expect(echo.time.value == .milliseconds(900))
  }

  @Test func `presets in manifests and LV2 are those of the effect's type, in its order`() throws {
    let info = try #require(EffectCatalog.builtIn.info("reverb"))
    #expect(info.presets.map(\.id) == Reverb.Preset.allCases.map { "\($0.describe().name)" })
    #expect(info.presets.count == 13 && info.presets.last?.id == "large-hall-2")
  }

  @Test func `a value out of range is clamped and reported, and NaN changes nothing`() throws {
    let echo = try engine.attach(Delay.self, name: "echo")
    let heard = Mutex<[String]>([])
    let observation = engine.observe { event in heard.withLock { $0.append("\(event)") } }
    defer { observation.cancel() }
    echo.feedback.value = .percent(140)
    #expect(echo.feedback.value == .percent(100))
    echo.feedback.value = .percent(.nan)
    #expect(echo.feedback.value == .percent(100))
    let words = heard.withLock { $0 }
    #expect(words.count == 2 && words[0].hasPrefix("clamped") && words[1].hasPrefix("notANumber"), "\(words)")
  }

  @Test func `a lane out of range is clamped and reported`() throws {
    let echo = try engine.attach(Delay.self, name: "echo"), log = ReportLog(engine)
    try echo.mix.automate { lane in
      lane.set(.percent(140), at: .now)
      lane.ramp(to: .percent(-20), from: .seconds(1), until: .seconds(2))
    }
    #expect(echo.mix.current == .percent(100))
    #expect(log.lines == ["echo mix -20.0 0.0", "echo mix 140.0 100.0"])
  }

  //   a fader's amplitude, and a mix in percent, both from the next rendered frame: v + (t − v) · n / N
  @Test func `the current value follows a ramp frame by frame`() throws {
    let source = try engine.attachSource(channels: 1) { block in
      for frame in 0..<block.frameCount { block.output()[0][frame] = 1 }
    }
    let level = try engine.attach(Gain.self, channels: 1), echo = try engine.attach(Delay.self, channels: 1)
    let out = try engine.attachOutput(channels: 1)
    try engine.connect(source, level, out)
    try engine.connect(source, to: echo)
    _ = try engine.render(1000)
    let rate = engine.sampleRate, length = Float(rate) / 2
    func decibels(_ amplitude: Float) -> Float { 20 * log10(amplitude) }
    try level.gain.ramp(to: .decibels(-96), over: .seconds(0.5))
    try echo.mix.ramp(to: .percent(100), over: .seconds(0.5), at: AudioTime(frame: 2000, sampleRate: rate))
    let mix = echo.mix.current.number(in: .percent)
    #expect(level.gain.current == .decibels(0) && level.gain.value == .decibels(-96))
    var rendered = 0
    for count in [1, 333, 1000, 4096, 4000, 4096, 2000] {
      let heard = try #require(try engine.render(count)[out]?[0].last)
      rendered += count
      #expect(abs(level.gain.current.decibels - decibels(1 - Float(rendered) / length)) < 1e-3)
      #expect(abs(level.gain.current.decibels - decibels(heard)) < 1e-3)
      let passed = max(Float(rendered - 1000), 0)
      #expect(abs(echo.mix.current.number(in: .percent) - (mix + (100 - mix) * passed / length)) < 1e-3)
    }
    // A second ramp begins at the first one's current value, also in the reported value.
    let factor = pow(10, level.gain.current.decibels / 20)
    try level.gain.ramp(to: .decibels(0), over: .seconds(0.5))
    _ = try engine.render(4000)
    #expect(abs(level.gain.current.decibels - decibels(factor + (1 - factor) * 4000 / length)) < 1e-3)
    engine.reset()
    _ = try engine.render(64)
    #expect(level.gain.current == .decibels(0) && echo.mix.current == .percent(100))
    try level.gain.ramp(to: .decibels(-6), over: .seconds(0.5))
    try level.gain.ramp(to: .decibels(-12), over: .zero)
    #expect(level.gain.current == .decibels(-12))
  }

  @Test func `bands count from 0, and setting a missing band changes nothing`() throws {
    let tone = try engine.attach(Equalizer.self, bands: 3, name: "tone")
    #expect(tone.bands.count == 3)
    tone.bands[2].gain.value = .decibels(3)
    tone.bands[2].type.value = .highShelf
    #expect(try tone.parameters["bands[3].gain"].value == 3)
    #expect(tone.bands[0].gain.value == .decibels(0) && tone.bands[2].type.value == .highShelf)
    let heard = Mutex<[String]>([])
    let observation = engine.observe { event in heard.withLock { $0.append("\(event)") } }
    defer { observation.cancel() }
    for index in [3, -1, .max, .min] {
      tone.bands[index].gain.value = .decibels(6)
      #expect(throws: EngineError.self) {
        try tone.bands[index].gain.ramp(to: .decibels(6), over: .seconds(1))
      }
    }
    #expect(heard.withLock { $0 }.filter { $0.hasPrefix("noSuchBand") }.count == 4)
    #expect((0..<3).map { tone.bands[$0].gain.value.decibels } == [0, 0, 3])
  }

  @Test func `a parameter takes effect when it is set`() throws {
    let source = try engine.attachSource(channels: 1) { block in
      for frame in 0..<block.frameCount { block.output()[0][frame] = 0.5 }
    }
    let level = try engine.attach(Gain.self, channels: 1), out = try engine.attachOutput(channels: 1)
    try engine.connect(source, level, out)
    level.gain.value = .decibels(-6)
    let first = try engine.render(4096)
    #expect(abs((first[out]?[0].last ?? 0) - 0.5 * pow(10, -6 / 20)) < 1e-6)
    try level.gain.ramp(to: .decibels(-96), over: .milliseconds(50))
    _ = try engine.render(4096)
    #expect(try engine.render(64)[out]?[0].allSatisfy { $0 == 0 } == true)
  }

  @Test func `a lane moves a parameter between timeline positions`() throws {
    let source = try engine.attachSource(channels: 1) { block in
      for frame in 0..<block.frameCount { block.output()[0][frame] = 1 }
    }
    let level = try engine.attach(Gain.self, channels: 1), out = try engine.attachOutput(channels: 1)
    try engine.connect(source, level, out)
    try level.gain.automate { lane in
      lane.set(.decibels(0), at: .now)
      lane.ramp(to: .decibels(-20), from: .seconds(0.5), until: .seconds(1))
    }
    var heard: [Float] = []
    for _ in 0..<12 { heard += try engine.render(4096)[out]?[0] ?? [] }
    #expect(abs(heard[20_000] - 1) < 1e-5)
    #expect(abs(20 * log10(heard[36_000]) + 10) < 0.1 && abs(20 * log10(heard[49_000]) + 20) < 0.01)
    #expect(abs(level.gain.current.decibels + 20) < 0.01)
    let error = #expect(throws: EngineError.self) {
      try level.gain.automate { $0.ramp(to: .decibels(0), from: .seconds(2), until: .seconds(1)) }
    }
    guard case .automation(.reversed)? = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `a stream of values has the current value, then the newest, and ends with its node`()
    async throws
  {
    let echo = try engine.attach(Delay.self)
    var values = echo.time.values.makeAsyncIterator()
    #expect(await values.next() == .milliseconds(500))
    for time in [100, 200, 300] { echo.time.value = .milliseconds(time) }
    try await Task.sleep(for: .milliseconds(40))
    _ = try engine.render(64)
    #expect(await values.next() == .milliseconds(300))
    try engine.detach(echo)
    try await Task.sleep(for: .milliseconds(40))
    _ = try engine.render(64)
    #expect(await values.next() == nil)
  }

  @Test(
    arguments: [
      ("350 ms", 350), ("0.35 s", 350), ("350", 350), ("-3", 0), ("20 s", 10_000),
    ] as [(String, Float)]) func `a parameter is set by name from text`(text: String, value: Float) throws
  {
    let echo = try engine.attach(Delay.self)
    try echo.parameters["time"].set(text)
    #expect(try echo.parameters["time"].value == value)
  }

  @Test func `text with a wrong dimension, unknown names and wrong quantities throw a clear error`() throws {
    let echo = try engine.attach(Delay.self, name: "echo")
    func message(_ body: () throws -> Void) -> String {
      do { try body() } catch { return error.localizedDescription }
      return "nothing"
    }
    #expect(
      message { try echo.parameters["time"].set("3 dB") }
        == "'time' of 'echo' cannot be '3 dB': it takes a number in ms")
    #expect(message { try echo.parameters["time"].set("soon") }.hasSuffix("it takes a number in ms"))
    #expect(message { try echo.parameters["change"].set("slow") }.contains("fade, tape"))
    #expect(message { try echo.parameters["tine"].set("3 ms") }.contains("did you mean 'time'?"))
    #expect(
      message { try echo.parameters["time"].set(.decibels(3)) }.hasSuffix("it takes a number in ms"))
    try echo.parameters["feedback"].set(.percent(30))
    #expect(echo.feedback.value == .percent(30))
    try echo.parameters["time"].set(Duration.seconds(2))
    try echo.parameters["change"].set("tape")
    #expect(echo.time.value == .seconds(2) && echo.change.value == .tape)
  }

  @Test func `a node found by name has the class of its kind`() throws {
    _ = try engine.attach(Reverb.self, name: "hall")
    _ = try engine.attachMixer(name: "main")
    _ = try engine.attachPlayer(name: "song")
    let hall = try #require(engine.node("hall") as? EffectNode<Reverb>)
    hall.mix.value = .percent(40)
    #expect(try hall.parameters["mix"].value == 40)
    #expect(engine.node("main") is MixerNode && engine.node("hall") as? EffectNode<Delay> == nil)
    let song = try #require(engine.node("song") as? PlayerNode)
    try song.play()
    #expect(throws: EngineError.self) { try song.seek(to: 3) }
  }

  @Test func `a source has its own state`() throws {
    let count = try engine.attachSource(channels: 1, state: Float(0)) { state, block in
      for frame in 0..<block.frameCount {
        block.output()[0][frame] = state / 1000
        state += 1
      }
    }
    let out = try engine.attachOutput(channels: 1)
    try engine.connect(count, out)
    _ = try engine.render(100)
    #expect(try engine.render(100)[out]?[0] == (100..<200).map { Float($0) / 1000 })
  }

  @Test func `an output with a ceiling has it as a parameter`() throws {
    let plain = try engine.attachOutput(), safe = try engine.attachOutput(ceiling: .decibels(-3))
    #expect(plain.ceiling == nil)
    #expect(safe.ceiling?.value == .decibels(-3))
    safe.ceiling?.value = .decibels(-6)
    #expect(safe.ceiling?.value == .decibels(-6))
  }
}
