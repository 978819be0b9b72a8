// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import Swiftlet
@testable import SwiftletGraph
import SwiftletSignal

/// Wires as handles: strips and sends of a console that plays offline.
@Suite struct WireTests {
  //   voice (1) ══► main (2) ──► desk        piano (2) ══► main        hall ══► main
  struct Console {
    let engine: AudioEngine, voice: AudioNode, piano: AudioNode, hall: AudioNode, main: MixerNode
    let output: AudioNode
    let strip: ChannelStrip, other: ChannelStrip, back: ChannelStrip

    init() throws {
      engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 4800))
      voice = try engine.attach(.capture(channels: 1), name: "voice")
      piano = try engine.attach(.capture(channels: 2), name: "piano")
      hall = try engine.attach(.effect("gain", channels: 1), name: "hall")
      main = try engine.attachMixer(name: "main")
      output = try engine.attach(.playback(), name: "desk")
      strip = try engine.connect(voice, to: main)
      other = try engine.connect(piano, to: main)
      other.gain.value = .decibels(-6.0206)
      back = try engine.connect(hall, to: main)
      try engine.connect(main, output)
    }

    /// Returns the last samples of left and right after 4800 frames of ones.
    func heard() throws -> [Float] { try play().map { $0.last ?? .nan } }

    func play(_ count: Int = 4800) throws -> [[Float]] {
      let ones = [Float](repeating: 1, count: count)
      let out = try engine.render(
        count, from: [voice: AudioBuffer([ones]), piano: AudioBuffer([ones, ones])])
      return out[output]?.channels ?? []
    }
  }

  func expect(
    _ heard: [Float], _ wanted: [Float], at location: SourceLocation = #_sourceLocation
  ) {
    #expect(zip(heard, wanted).allSatisfy { abs($0 - $1) < 1e-5 }, "\(heard)", sourceLocation: location)
  }

  @Test func `fader, pan, phase, mute and solo change while sound plays`() throws {
    let console = try Console(), strip = console.strip, other = console.other
    expect(try console.heard(), [1.5, 1.5])
    strip.pan.value = -1
    expect(try console.heard(), [1.5, 0.5])
    strip.pan.value = 0
    strip.panLaw = .linear
    expect(try console.heard(), [1, 1])
    try console.engine.edit { edit in try edit.update(strip) { $0.pan = nil } }
    strip.isInverted = true
    expect(try console.heard(), [-0.5, -0.5])
    strip.isMuted = true
    expect(try console.heard(), [0.5, 0.5])
    #expect(strip.isMuted)
    strip.isMuted = false
    strip.isSolo = true
    expect(try console.heard(), [-1, -1])
    #expect(strip.isSolo && other.isSilenced && !strip.isSilenced)
    other.isSoloSafe = true
    expect(try console.heard(), [-0.5, -0.5])
    other.trim.value = .decibels(6.0206)
    expect(try console.heard(), [0, 0])
    console.main.gain.value = .decibels(-20)
    strip.gain.value = .decibels(-6.0206)
    expect(try console.heard(), [0.05, 0.05])
    #expect(strip.gain.value == .decibels(-6.0206) && console.main.gain.value == .decibels(-20))
  }

  @Test func `moving a level compiles no plan`() throws {
    let console = try Console(), strip = console.strip, other = console.other
    strip.pan.value = 0
    console.back.gain.value = .decibels(-1)
    console.main.gain.value = .decibels(-1)
    let send = try other.send(to: console.hall, gain: .decibels(-20))
    _ = try console.heard()
    _ = try console.heard()
    func compiled() -> Int { console.engine.core.withLock { $0.controller.compiledPlans } }
    let before = compiled()
    for step in 0..<1000 {
      let value = Float(step % 97) / 97
      switch step % 8 {
      case 0: strip.gain.value = .decibels(-20 * value)
      case 1:
        strip.pan.value = value
        strip.panLaw = PanLaw.allCases[step % 4]
      case 2: other.isMuted = step % 3 == 0
      case 3: try console.main.gain.ramp(to: .decibels(-value), over: .milliseconds(20))
      case 4: send.gain.value = .decibels(-60 * value)
      case 5: other.isSolo = step % 3 == 0
      case 6: console.back.gain.value = .decibels(-10 * value)
      default: strip.trim.value = .decibels(value)
      }
      if step % 10 == 0 { _ = try console.play(64) }
    }
    other.isMuted = true
    other.isSolo = false
    strip.gain.value = .decibels(-6.0206)
    strip.trim.value = .decibels(0)
    strip.pan.value = -0.5
    strip.panLaw = .constantPower
    console.main.gain.value = .decibels(-20)
    _ = try console.heard()
    expect(try console.heard(), [0.05 * cos(.pi / 8), 0.05 * sin(.pi / 8)])
    #expect(compiled() == before)
  }

  @Test func `a ramp takes its duration, frame by frame`() throws {
    let console = try Console()
    console.other.isMuted = true
    expect(try console.heard(), [1, 1])
    try console.strip.gain.ramp(to: .decibels(-.infinity), over: .milliseconds(50))
    let heard = try console.play()[0]
    for frame in 0..<4800 {
      let wanted = max(1 - Float(frame + 1) / 2400, 0)
      guard abs(heard[frame] - wanted) < 1e-6 else {
        Issue.record("\(heard[frame]) at frame \(frame), where \(wanted) is wanted")
        break
      }
    }
  }

  @Test func `sends are wires, and are removed with their strip`() throws {
    let console = try Console()
    console.other.isMuted = true
    let send = try console.strip.send(to: console.hall, gain: .decibels(-20))
    expect(try console.heard(), [1.1, 1.1])
    console.strip.gain.value = .decibels(-120)
    expect(try console.heard(), [0, 0])
    try console.engine.edit { edit in
      try edit.disconnect(send)
      try edit.send(console.strip, to: console.hall, gain: .decibels(-20), isPreFader: true)
    }
    expect(try console.heard(), [0.1, 0.1])
    #expect(console.strip.sends == [send], "the same two ends and strip")
    send.isMuted = true
    expect(try console.heard(), [0, 0])
    #expect(throws: EngineError.self) { try send.send(to: console.hall) }
    try console.strip.disconnect()
    try console.strip.disconnect()
    #expect(console.strip.sends.isEmpty && send.model == nil)
    #expect(throws: EngineError.self) { try send.gain.ramp(to: .decibels(0), over: .zero) }
    #expect(throws: EngineError.self) { try console.strip.pan.ramp(to: 0, over: .zero) }
    #expect(console.engine.wire(from: console.hall, to: console.main) == console.back)
    #expect(console.engine.wire(from: console.voice, to: console.main) == nil)
  }

  @Test func `levels set on a removed wire or mixer are restored with it`() throws {
    let console = try Console(), strip = console.strip, main = console.main
    strip.gain.value = .decibels(-6)
    let send = try strip.send(to: console.hall)
    try strip.disconnect()
    #expect(strip.gain.value == .decibels(-6) && !strip.isMuted)
    strip.gain.value = .decibels(-3)
    strip.pan.value = -0.5
    strip.isSolo = true
    send.isMuted = true
    #expect(strip.gain.value == .decibels(-3) && console.engine.graph.wire(strip.id) == nil)
    try console.engine.undo()
    let wire = try #require(strip.model)
    #expect(wire.gain == -3 && wire.pan == -0.5 && wire.isSolo && send.model?.isMuted == true)

    main.gain.value = .decibels(-1)
    try console.engine.detach(main)
    #expect(main.gain.value == .decibels(-1))
    main.gain.value = .decibels(-2)
    #expect(throws: EngineError.self) { try main.gain.ramp(to: .decibels(0), over: .zero) }
    try console.engine.undo()
    #expect(main.gain.value == .decibels(-2) && console.engine.graph.node(main.id)?.gain == -2)

    // A new wire between the same ends is another wire.
    try strip.disconnect()
    strip.gain.value = .decibels(-30)
    #expect(try console.engine.connect(console.voice, to: main) == strip && strip.gain.value == .decibels(0))
  }

  @Test func `levels of wires beyond the reach of undo are freed`() throws {
    let console = try Console(), engine = console.engine
    try console.strip.disconnect()
    #expect(engine.core.withLock { $0.detached.wires.count } == 1)
    for _ in 0..<100 { _ = try engine.attachMixer() }
    #expect(engine.core.withLock { $0.detached.wires.isEmpty })
    console.strip.gain.value = .decibels(-3)
    #expect(console.strip.gain.value == .decibels(0))
  }

  @Test func `levels set in an edit belong to the edit`() throws {
    let console = try Console(), engine = console.engine
    let before = engine.graph
    let (strip, mixer) = try engine.edit { edit in
      let mixer = try edit.attachMixer()
      let strip = try edit.connect(console.voice, to: mixer)
      strip.gain.value = .decibels(-12)
      strip.pan.value = 0.5
      strip.isMuted = true
      #expect(strip.gain.value == .decibels(-12))
      try edit.update(strip) {
        #expect($0.gain == -12)
        $0.isMuted = false
      }
      strip.trim.value = .decibels(1)
      mixer.gain.value = .decibels(-4)
      #expect(engine.graph == before)
      return (strip, mixer)
    }
    let wire = try #require(strip.model)
    #expect((wire.gain, wire.pan, wire.trim, wire.isMuted) == (-12, 0.5, 1, false))
    #expect(engine.graph.node(mixer.id)?.gain == -4)
    let after = engine.graph
    try engine.undo()
    try engine.redo()
    #expect(engine.graph == after && engine.core.withLock { $0.stagedWires.isEmpty })
  }

  @Test func `a strip has meters before and after its fader`() throws {
    let console = try Console()
    let before = try console.engine.installMeter(on: console.strip, side: .before)
    let after = try console.engine.installMeter(on: console.strip, [.truePeak])
    console.strip.gain.value = .decibels(-6.0206)
    console.strip.pan.value = 1
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
    #expect(throws: EngineError.self) { try console.engine.installMeter(on: console.strip) }
  }

  @Test func `a tap on a strip records only that strip, and ends with the strip or with a node`() async throws
  {
    let console = try Console()
    let tap = try console.engine.installTap(on: console.strip, bufferSize: 480)
    let other = try console.engine.installTap(on: console.hall, bufferSize: 480)
    _ = try console.heard()
    try console.strip.disconnect()
    try console.engine.detach(console.hall)
    for _ in 0..<4 { _ = try console.heard() }
    var frames = 0
    for await buffer in tap {
      frames += buffer.samples.frameCount
      #expect(buffer.samples[0].allSatisfy { $0 <= 1 })
    }
    for await _ in other {}
    #expect(frames >= 4800, "and both sequences ended")
  }
}
