// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import Swiftlet

/// An engine in a simulated room: its output returns to its microphone.
///
///     far ──► desk ─ ─ room ─ ─► mic ──► line
private final class VoiceChatRig {
  static let block = 480
  let engine: AudioEngine
  let mic: AudioNode, output: AudioNode, line: AudioNode
  /// The played sound, preceded by silence for the room's delay.
  private var played = [Float](repeating: 0, count: 700)
  /// The microphone's sound, and the sound sent to the line.
  private(set) var heard: [Float] = [], sent: [Float] = []

  init(_ build: (AudioEngine, _ mic: AudioNode, _ output: AudioNode) throws -> Void = { _, _, _ in }) throws {
    engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
    mic = try engine.attach(.capture(), name: "mic")
    output = try engine.attach(.playback(channels: 2), name: "desk")
    line = try engine.attach(.playback(channels: 1), name: "line")
    try engine.connect(mic, line)
    try build(engine, mic, output)
  }

  /// Renders `blocks` blocks with a voice at the microphone.
  func render(_ blocks: Int, voice: (Int) -> Float = { _ in 0 }) throws {
    for _ in 0..<blocks {
      let start = heard.count
      let sound = (0..<Self.block).map { 0.4 * played[start + $0] + voice(start + $0) }
      heard += sound
      let rendered = try engine.render(Self.block, from: [mic: AudioBuffer([sound])])
      let (left, right) = (rendered[output]?[0] ?? [], rendered[output]?[1] ?? [])
      played += zip(left, right).map { 0.7 * $0 + 0.3 * $1 }
      sent += rendered[line]?[0] ?? []
    }
  }

  /// Returns the level of the last blocks in dBFS.
  static func level(_ sound: [Float], last blocks: Int) -> Double {
    let part = sound.suffix(blocks * block)
    let power = part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(part.count, 1))
    return 10 * log10(max(power, 1e-12))
  }

  /// The echo return loss enhancement of the last two seconds in decibels: the microphone's level minus the line's.
  var enhancement: Double { Self.level(heard, last: 200) - Self.level(sent, last: 200) }
}

/// Deterministic noise without high frequencies.
private func farVoice(_ block: Block) {
  let bus = block.output()
  for channel in 0..<bus.channelCount {
    for frame in 0..<block.frameCount {
      var sum: Float = 0
      for step in 0..<4 {
        let index = UInt64(truncatingIfNeeded: block.frame) &+ UInt64(frame + step) &+ UInt64(channel) << 40
        var mixed = index &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        sum += Float(Int32(truncatingIfNeeded: (mixed ^ (mixed >> 27)) >> 16)) / 2_147_483_648
      }
      bus[channel][frame] = 0.08 * sum
    }
  }
}

@Suite struct VoiceChatTests {
  private static let chat = AudioSession(mode: .voiceChat)

  /// A vowel, spoken twice a second for 0.35 s.
  private func voice(_ frame: Int) -> Float {
    let time = Double(frame) / 48_000
    guard time.truncatingRemainder(dividingBy: 0.5) < 0.35 else { return 0 }
    return 0.05 * Float((1...8).reduce(0.0) { $0 + sin(2 * .pi * 140 * Double($1) * time) / Double($1) })
  }

  @Test func `in voice chat the played sound is removed from the microphone's`() throws {
    let rig = try VoiceChatRig { engine, _, output in
      let far = try engine.attach(.source(channels: 2, farVoice), name: "far")
      try engine.connect(far, to: output)
    }
    try rig.render(100)
    #expect(rig.sent == rig.heard, "without a session the sound is as it was")
    let before = rig.engine.graph
    try rig.engine.setSession(Self.chat)
    try rig.render(700)
    #expect(rig.enhancement > 15, "\(rig.enhancement) dB")
    #expect(rig.engine.graph == before, "what is hidden is hidden")
    try rig.engine.setSession(nil)
    try rig.render(100)
    #expect(rig.sent.suffix(48_000 / 2) == rig.heard.suffix(48_000 / 2))
  }

  @Test func `sound played through faders, mixers and sends is removed, too`() throws {
    let rig = try VoiceChatRig { engine, _, output in
      let far = try engine.attach(.source(channels: 1, farVoice), name: "far")
      let main = try engine.attach(.mixer(), name: "main")
      let echo = try engine.attach(.effect("delay"), name: "echo")
      var strip = Graph.Wire(from: Endpoint(far.id), to: Endpoint(main.id), gain: -3, pan: -0.5)
      strip.isSolo = true
      let wire = try engine.connect(strip)
      _ = try wire.send(to: echo, gain: .decibels(-6))
      try engine.connect(echo, to: main)
      try engine.connect(main, to: output)
    }
    try rig.engine.setSession(Self.chat)
    try rig.render(800)
    #expect(rig.enhancement > 15, "\(rig.enhancement) dB")
  }

  //   mic ──► line, and ──► desk beside far: the voice itself is played, too
  @Test func `a voice can be monitored in voice chat`() throws {
    let rig = try VoiceChatRig { engine, mic, output in
      let far = try engine.attach(.source(channels: 2, farVoice), name: "far")
      try engine.connect(far, to: output)
      try engine.connect(mic, to: output)
    }
    try rig.engine.setSession(Self.chat)
    try rig.render(800)
    #expect(rig.enhancement > 12, "\(rig.enhancement) dB")
    #expect(rig.engine.warnings.isEmpty)
  }

  @Test func `a voice passes while nothing else plays`() throws {
    let rig = try VoiceChatRig()
    try rig.engine.setSession(Self.chat)
    try rig.render(600, voice: voice)
    let gain = VoiceChatRig.level(rig.sent, last: 200) - VoiceChatRig.level(rig.heard, last: 200)
    #expect(gain > -3, "\(gain) dB")
  }

  @Test func `starting and ending voice chat makes no click`() throws {
    let rig = try VoiceChatRig()
    let sine = { (frame: Int) in 0.3 * Float(sin(2 * .pi * 200 * Double(frame) / 48_000)) }
    for session in [nil, Self.chat, nil, Self.chat] as [AudioSession?] {
      try rig.engine.setSession(session)
      try rig.render(60, voice: sine)
    }
    // The sine bends by 0.0002 per frame, a fade over 5 ms by 0.003 more; gain control may amplify it.
    let slopes = zip(rig.sent, rig.sent.dropFirst()).map { $1 - $0 }
    let worst = zip(slopes, slopes.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    #expect(worst < 0.01, "it bends by \(worst)")
    #expect(rig.sent.map(abs).max() ?? 0 > 0.25)
  }

  @Test func `a voice's latency grows with the period`() throws {
    let rig = try VoiceChatRig()
    try rig.engine.setSession(Self.chat)
    try rig.render(10)
    #expect(rig.line.arrivalLatency == 960 + 512)
    rig.engine.core.withLock { $0.voices.period = 2048 }
    try rig.render(100)
    #expect(rig.line.arrivalLatency == 960 + 2048)
    // A shorter period causes no gap.
    rig.engine.core.withLock { $0.voices.period = 64 }
    try rig.render(20)
    #expect(rig.line.arrivalLatency == 960 + 2048)
    try rig.render(200, voice: voice)
    #expect(VoiceChatRig.level(rig.sent, last: 100) > -45)
  }

  @Test func `input nodes added or removed during voice chat take part`() throws {
    let rig = try VoiceChatRig { engine, _, output in
      let far = try engine.attach(.source(channels: 2, farVoice), name: "far")
      try engine.connect(far, to: output)
    }
    try rig.engine.setSession(Self.chat)
    try rig.render(10)
    let second = try rig.engine.attach(.capture(channels: 2), name: "second")
    let out = try rig.engine.attach(.playback(channels: 2), name: "out")
    try rig.engine.connect(second, to: out)
    try rig.render(20)
    try rig.engine.detach(second)
    try rig.render(20)
    let third = try rig.engine.attach(.capture(), name: "third")
    try rig.engine.connect(third, to: out)
    try rig.render(600)
    #expect(rig.enhancement > 15, "\(rig.enhancement) dB")
    rig.engine.stop()
    try rig.engine.start()
    try rig.render(10)
  }
}
