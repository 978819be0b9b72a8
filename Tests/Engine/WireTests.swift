// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import Swiftlet
@testable import SwiftletGraph

/// Wires as handles: strips and sends of a desk that plays offline.
@Suite struct WireTests {
  //   voice (1) ══► main (2) ──► desk        piano (2) ══► main        hall ══► main
  private struct Console {
    let engine: AudioEngine, voice: AudioNode, piano: AudioNode, hall: AudioNode, main: AudioNode
    let desk: AudioNode
    let strip: AudioWire, other: AudioWire, back: AudioWire

    init() throws {
      engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 4800))
      voice = try engine.attach(.capture(channels: 1), name: "voice")
      piano = try engine.attach(.capture(channels: 2), name: "piano")
      hall = try engine.attach(.effect("gain", channels: 1), name: "hall")
      main = try engine.attach(.mixer(), name: "main")
      desk = try engine.attach(.playback(), name: "desk")
      strip = try engine.connect(voice, to: main)
      other = try engine.connect(piano, to: main, gain: -6.0206)
      back = try engine.connect(hall, to: main)
      try engine.connect(main, desk)
    }

    /// What left and right hear in the end of 4800 frames of ones.
    func heard() throws -> [Float] { try play().map { $0.last ?? .nan } }

    func play(_ count: Int = 4800) throws -> [[Float]] {
      let ones = [Float](repeating: 1, count: count)
      let out = try engine.render(
        count, from: [voice: AudioBuffer([ones]), piano: AudioBuffer([ones, ones])])
      return out[desk]?.channels ?? []
    }
  }

  private func expect(
    _ heard: [Float], _ wanted: [Float], at place: SourceLocation = #_sourceLocation
  ) {
    #expect(zip(heard, wanted).allSatisfy { abs($0 - $1) < 1e-5 }, "\(heard)", sourceLocation: place)
  }

  @Test func `fader, pan, phase, mute and solo change while sound runs`() throws {
    let console = try Console()
    expect(try console.heard(), [1.5, 1.5])
    try console.strip.setPan(-1)
    expect(try console.heard(), [1.5, 0.5])
    try console.strip.setPan(0, law: .linear)
    expect(try console.heard(), [1, 1])
    try console.strip.setPan(nil)
    try console.strip.setInverted(true)
    expect(try console.heard(), [-0.5, -0.5])
    try console.strip.setMuted(true)
    expect(try console.heard(), [0.5, 0.5])
    #expect(console.strip.isMuted)
    try console.strip.setMuted(false)
    try console.strip.setSolo(true)
    expect(try console.heard(), [-1, -1])
    #expect(console.strip.isSolo && console.other.isSilenced && !console.strip.isSilenced)
    try console.other.setSoloSafe(true)
    expect(try console.heard(), [-0.5, -0.5])
    try console.other.setTrim(6.0206)
    expect(try console.heard(), [0, 0])
    try console.main.setMixerGain(-20)
    try console.strip.setVolume(0.5)
    expect(try console.heard(), [0.05, 0.05])
    #expect(abs(console.strip.gain + 6.0206) < 1e-4 && abs(console.strip.volume - 0.5) < 1e-6)
    #expect(console.main.mixerGain == -20 && console.voice.mixerGain == 0)
  }

  @Test func `what is moved by hand takes no new plan`() throws {
    let console = try Console()
    try console.strip.setPan(0)
    try console.back.setGain(-1)
    try console.main.setMixerGain(-1)
    let send = try console.other.send(to: console.hall, gain: -20)
    _ = try console.heard()
    _ = try console.heard()
    func compiled() -> Int { console.engine.core.withLock { $0.host.compiledPlans } }
    let before = compiled()
    for step in 0..<1000 {
      let value = Float(step % 97) / 97
      switch step % 8 {
      case 0: try console.strip.setVolume(value)
      case 1: try console.strip.setPan(value, law: PanLaw.allCases[step % 4])
      case 2: try console.other.setMuted(step % 3 == 0)
      case 3: try console.main.setMixerGain(-value, over: .milliseconds(20))
      case 4: try send.setVolume(value)
      case 5: try console.other.setSolo(step % 3 == 0)
      case 6: try console.back.setGain(-10 * value)
      default: try console.strip.setTrim(value)
      }
      if step % 10 == 0 { _ = try console.play(64) }
    }
    try console.other.setMuted(true)
    try console.other.setSolo(false)
    try console.strip.setVolume(0.5)
    try console.strip.setTrim(0)
    try console.strip.setPan(-0.5, law: .constantPower)
    try console.main.setMixerGain(-20)
    _ = try console.heard()
    expect(try console.heard(), [0.05 * cos(.pi / 8), 0.05 * sin(.pi / 8)])
    #expect(compiled() == before)
  }

  @Test func `a fade lasts as long as is said, frame by frame`() throws {
    let console = try Console()
    try console.other.setMuted(true)
    expect(try console.heard(), [1, 1])
    try console.strip.setVolume(0, over: .milliseconds(50))
    let heard = try console.play()[0]
    for frame in 0..<4800 {
      let wanted = max(1 - Float(frame + 1) / 2400, 0)
      guard abs(heard[frame] - wanted) < 1e-6 else {
        Issue.record("\(heard[frame]) at frame \(frame), where \(wanted) is wanted")
        break
      }
    }
  }

  @Test func `sends are wires, and go with their strip`() throws {
    let console = try Console()
    try console.other.setMuted(true)
    let send = try console.strip.send(to: console.hall, gain: -20)
    expect(try console.heard(), [1.1, 1.1])
    try console.strip.setVolume(0)
    expect(try console.heard(), [0, 0])
    try console.engine.edit { edit in
      try edit.disconnect(send)
      try edit.send(console.strip, to: console.hall, gain: -20, isPreFader: true)
    }
    expect(try console.heard(), [0.1, 0.1])
    #expect(console.strip.sends == [send], "the same two ends and strip")
    try send.setMuted(true)
    expect(try console.heard(), [0, 0])
    #expect(throws: EngineError.self) { try send.send(to: console.hall) }
    try console.strip.disconnect()
    try console.strip.disconnect()
    #expect(console.strip.sends.isEmpty && send.wire == nil && send.gain == Wire.silence)
    #expect(throws: EngineError.self) { try send.setGain(0) }
    #expect(throws: EngineError.self) { try console.strip.setGain(0) }
    #expect(console.engine.wire(from: console.hall, to: console.main) == console.back)
    #expect(console.engine.wire(from: console.voice, to: console.main) == nil)
  }

  @Test func `what is no number, too long or not of a mixer is refused, and all stays`() throws {
    let console = try Console()
    let before = console.engine.graph
    let clamped = Clamped(console.engine)
    let strip = console.strip, main = console.main
    for set in [
      { try strip.setGain(.nan) }, { try strip.setVolume(.nan) }, { try strip.setTrim(.nan) },
      { try strip.setPan(.nan) }, { try main.setMixerGain(.nan) },
    ] as [() throws -> Void] {
      #expect {
        try set()
      } throws: {
        if case .notANumber? = $0 as? EngineError { true } else { false }
      }
    }
    #expect(throws: EngineError.self) { try strip.setGain(0, over: .seconds(4000)) }
    #expect(throws: EngineError.self) { try strip.setGain(70, over: .seconds(4000)) }
    #expect(throws: EngineError.self) { try console.voice.setMixerGain(-3) }
    #expect(throws: EngineError.self) { try console.voice.setMixerGain(70) }
    #expect(console.engine.graph == before)
    #expect(clamped.told == [], "only what has changed is reported")
    try console.strip.setGain(-.infinity)
    try console.other.setGain(-200, over: .seconds(-1))
    expect(try console.heard(), [0, 0])
  }

  @Test func `what is out of range is clamped and reported`() throws {
    let console = try Console()
    let clamped = Clamped(console.engine)
    try console.strip.setGain(61)
    #expect(console.strip.gain == 60)
    try console.strip.setVolume(-1)
    #expect(console.strip.volume == 0 && console.strip.gain == Wire.silence)
    try console.strip.setVolume(.infinity)
    #expect(console.strip.gain == 60)
    try console.strip.setVolume(1)
    try console.strip.setTrim(100)
    #expect(console.strip.wire?.trim == 60)
    try console.strip.setTrim(0)
    try console.strip.setPan(1.5)
    #expect(console.strip.pan == 1)
    try console.strip.setPan(-2)
    #expect(console.strip.pan == -1)
    try console.main.setMixerGain(.infinity)
    #expect(console.main.mixerGain == 60)
    try console.main.setMixerGain(0)
    #expect(
      clamped.told == [
        "voice → main gain 61.0 60.0", "voice → main volume -1.0 0.0", "voice → main volume inf 1000.0",
        "voice → main trim 100.0 60.0", "voice → main pan 1.5 1.0", "voice → main pan -2.0 -1.0",
        "main gain inf 60.0",
      ])
    expect(try console.heard(), [1.5, 0.5])
  }

  /// The clamped values that an engine reports.
  private final class Clamped {
    private let observation: EventObservation
    private let lines: Lines
    var told: [String] { lines.list.withLock { $0 } }

    private final class Lines: Sendable { let list = Mutex<[String]>([]) }

    init(_ engine: AudioEngine) {
      let lines = Lines()
      self.lines = lines
      observation = engine.observe { event in
        guard case .clamped(let node, let parameter, let asked, let used) = event else { return }
        lines.list.withLock { $0.append("\(node) \(parameter) \(asked) \(used)") }
      }
    }
  }

  @Test func `a strip is metered before and behind its fader`() throws {
    let console = try Console()
    let before = try console.engine.addMeter(on: console.strip, side: .before)
    let after = try console.engine.addMeter(on: console.strip, measuring: [.truePeak])
    try console.strip.setVolume(0.5)
    try console.strip.setPan(1)
    _ = try console.heard()
    _ = (before.read(), after.read())
    _ = try console.heard()
    let (first, second) = (before.read(), after.read())
    #expect(first.channels.count == 1 && second.channels.count == 2)
    #expect(abs(first.averagePower(forChannel: 0)) < 0.01)
    #expect(second.averagePower(forChannel: 0) == Meter.Reading.silence)
    #expect(abs(second.averagePower(forChannel: 1) + 6.02) < 0.01)
    #expect(second.channels[1].truePeak != nil)
    try console.strip.disconnect()
    #expect(throws: EngineError.self) { try console.engine.addMeter(on: console.strip) }
  }

  @Test func `a tap on a strip hears it alone, and ends with it, or with a node`() async throws {
    let console = try Console()
    let tap = try console.engine.installTap(on: console.strip, bufferSize: 480)
    let other = try console.engine.installTap(on: console.hall, bufferSize: 480)
    _ = try console.heard()
    try console.strip.disconnect()
    try console.engine.detach(console.hall)
    for _ in 0..<4 { _ = try console.heard() }
    var frames = 0
    for await piece in tap {
      frames += piece.buffer.frameCount
      #expect(piece.buffer[0].allSatisfy { $0 <= 1 })
    }
    for await _ in other {}
    #expect(frames >= 4800, "and both sequences ended")
  }
}
