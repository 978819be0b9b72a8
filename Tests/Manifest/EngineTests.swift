// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

@testable import SwiftletManifest

/// Manifests in an offline engine, checked by their output.
@Suite struct `Manifests in an offline engine` {
  static let sampleRate = 48_000.0

  /// Returns the output of the last node for `signal` at the first one, without the wires `leftOut`.
  func played(
    _ name: String, _ frameCount: Int, without leftOut: (String, String)? = nil, signal: (Int) -> Float
  ) throws -> [[Float]] {
    var manifest = try `Shipped manifests`.text(name).check()
    if let leftOut {
      let names = manifest.nodes.map(\.name)
      manifest.wires.removeAll { names[$0.from.node] == leftOut.0 && names[$0.to.node] == leftOut.1 }
    }
    let engine = try AudioEngine(.offline(sampleRate: Self.sampleRate, longestBlock: 256))
    let nodes = try manifest.attach(to: engine)
    try engine.start()
    var frame = 0
    var output: [[Float]] = [[], []]
    let outputNode = try #require(nodes.last)
    while frame < frameCount {
      try engine.render(256) { _, _, samples in
        for index in 0..<samples.count { samples[index] = signal(frame + index) }
      } deliver: { node, channel, samples in
        guard node == outputNode else { return }
        for index in 0..<samples.count { output[channel].append(samples[index]) }
      }
      frame += 256
    }
    return output
  }

  @Test func `a timeline plays its clips at their times and levels`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, level) in [("bed", Float(0.5)), ("voice", 0.25)] {
      let path = "\(folder)/\(name).wav"
      let file = try AudioFile(writing: path, format: AudioFormat(sampleRate: 8000, channelCount: 1))
      try file.write(AudioBuffer([[Float](repeating: level, count: 4 * 8000)], sampleRate: 8000))
      try file.close()
    }
    let text = """
      swiftlet: 1
      nodes: { left: { playback: mono }, right: { playback: mono } }
      timeline:
        tempo: 60 bpm
        tracks:
          voice: [ { file: voice.wav, to: 1s, at: 1|4 } ]
          music:
            pieces: [ { file: bed.wav }, { file: bed.wav, from: 1s } ]
            mix:
              - { from: 1s, to: 2s, volume: [ 0, 0.5 ] }
              - { under: voice, by: -20 dB, attack: 0s, release: 0s, hold: 0s }
      wires: [ voice -> left, music -> right ]
      """
    let manifest = try ManifestText(text, file: "\(folder)/song.yaml").check()
    let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 8000))
    let nodes = try manifest.attach(to: engine)
    var left: [Float] = [], right: [Float] = []
    for _ in 0..<8 {
      let heard = try engine.render(8000)
      left += try #require(heard[nodes[0]])[0]
      right += try #require(heard[nodes[1]])[0]
    }
    // At 60 bpm the fourth beat is at 3 s.
    #expect(left[23_999] == 0 && left[24_000] == 0.25 && left[31_999] == 0.25 && left[32_000] == 0)
    func near(_ frame: Int, _ level: Float) -> Bool { abs(right[frame] - level) < 1e-6 }
    #expect(near(4000, 0.5) && near(8000, 0) && near(12_000, 0.125) && near(20_000, 0.25))
    #expect(near(28_000, 0.025) && near(32_100, 0.25) && near(55_999, 0.25) && right[56_000] == 0)
  }

  @Test func `a disabled track is silent, and a track's volume scales its sound`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/half.wav"
    let file = try AudioFile(writing: path, format: AudioFormat(sampleRate: 8000, channelCount: 1))
    try file.write(AudioBuffer([[Float](repeating: 0.5, count: 2 * 8000)], sampleRate: 8000))
    try file.close()
    func heard(_ mix: String) throws -> [Float] {
      let text = """
        swiftlet: 1
        nodes: { desk: { playback: mono } }
        timeline:
          tempo: 60 bpm
          meter: [ { at: 1|1, meter: 1/4 }, { at: 2|1, meter: 3/4 } ]
          tracks: { a: { pieces: [ { file: half.wav, to: 1s, at: 2|1, until: 2|2 } ]\(mix) }, b: [] }
        wires: [ a -> desk, b -> desk ]
        """
      let manifest = try ManifestText(text, file: "\(folder)/song.yaml").check()
      let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 8000))
      let nodes = try manifest.attach(to: engine)
      return try (0..<3).flatMap { _ in try #require(try engine.render(8000)[nodes[0]])[0] }
    }
    // The second bar is at 1 s, and its second beat at 2 s.
    let plain = try heard("")
    #expect(plain[7999] == 0 && plain[8000] == 0.5 && plain[15_999] == 0.5 && plain[16_000] == 0)
    #expect(try heard(", volume: 0.5") == plain.map { $0 * 0.5 })
    #expect(try heard(", enabled: false").allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 64, 1000]) func `a timeline loops over bars, and waits for its start`(block: Int)
    throws
  {
    let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let samples = (0..<80_000).map { Float($0 + 1) / 131_072 }
    let file = try AudioFile(
      writing: folder + "/song.wav", format: AudioFormat(sampleRate: 8000, channelCount: 1))
    try file.write(AudioBuffer([samples], sampleRate: 8000))
    try file.close()
    let text = """
      swiftlet: 1
      nodes: { desk: playback }
      timeline:
        tempo: 120 bpm
        loop: 2|1..4|1
        start: paused
        tracks: { song: [ { file: song.wav } ] }
      wires: [ song -> desk ]
      """
    let manifest = try ManifestText(text, file: "\(folder)/loop.yaml").check()
    let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    let nodes = try manifest.attach(to: engine)
    func render(_ count: Int) throws -> [Float] {
      var heard: [Float] = []
      while heard.count < count {
        heard += try #require(try engine.render(min(block, count - heard.count))[nodes[0]])[0]
      }
      return heard
    }
    #expect(try render(2000).allSatisfy { $0 == 0 })
    try engine.startTransport()
    // A bar has 16,000 frames: the first plays once, the second and third repeat.
    let pass = Array(samples[16_000..<48_000])
    #expect(try render(112_000) == Array(samples[..<48_000]) + pass + pass)
    // An offline session starts its transport by itself.
    let session = try Session.offline(manifest, sampleRate: 8000)
    #expect(
      try session.engine.render(1000)[try #require(session.node("desk"))]?[0] == Array(samples[..<1000]))
  }

  //   mic ──► tone ══► desk: before the lane starts, the gain has its set value
  @Test(arguments: [64, 1000]) func `lanes automate their targets, each in its own unit`(block: Int) throws {
    let text = """
      swiftlet: 1
      nodes:
        mic: { capture: stereo }
        tone: { effect: gain, set: { gain: -6 dB } }
        desk: { playback: stereo }
      timeline:
        lanes:
          tone.gain:
            - { from: 1s, to: 2s, value: -20 dB }
            - { at: 3s, value: 0 dB }
          mic -> tone.volume: [ { from: 4s, to: 5s, value: [ 1, -20 dB ], curve: dB } ]
          tone.pan: [ { at: 6s, value: 1 } ]
        master: [ { from: 7s, to: 8s, volume: [ 1, 0 ] } ]
      wires: [ mic -> tone -> desk ]
      """
    let manifest = try ManifestText(text, file: "moving.yaml").check()
    let engine = try AudioEngine(.offline(sampleRate: 8000, longestBlock: 1000))
    let nodes = try manifest.attach(to: engine)
    var left: [Float] = [], right: [Float] = []
    while left.count < 72_000 {
      let ones = AudioBuffer([[Float](repeating: 1, count: block), [Float](repeating: 1, count: block)])
      let heard = try #require(try engine.render(block, from: [nodes[0]: ones])[nodes[2]])
      left += heard[0]
      right += heard[1]
    }
    func near(_ seconds: Double, _ level: Float, _ other: Float? = nil) -> Bool {
      let frame = Int(seconds * 8000)
      return abs(left[frame] - level) < 1e-4 && abs(right[frame] - (other ?? level)) < 1e-4
    }
    #expect(near(0.5, powf(10, -6 / 20)) && near(1.5, powf(10, -13 / 20)) && near(2.5, 0.1))
    // After the point at 3 s, the gain glides for 20 ms.
    #expect(near(2.999, 0.1) && near(3.02, 1) && near(4, 1) && near(4.5, powf(10, -0.5)) && near(5.5, 0.1))
    #expect(near(6.5, 0, 0.1) && near(7.5, 0, 0.05) && near(8.5, 0))
  }

  @Test(arguments: ["band", "ear-return", "guitar", "parallel", "vocal"])
  func `each manifest outputs finite sound at a plausible level`(name: String) throws {
    // A tone that is switched on and off, as a substitute for a voice.
    let output = try played(name, 96_000) { frame in
      let time = Float(frame) / 48_000
      return 0.3 * sinf(2 * .pi * 220 * time) * (sinf(2 * .pi * 2 * time) > 0 ? 1 : 0.05)
    }
    for channel in output {
      #expect(channel.allSatisfy { $0.isFinite })
      let peak = channel.map(abs).max() ?? 0
      #expect((0.01...4).contains(peak), "\(peak)")
    }
  }

  @Test func `a synth without MIDI input outputs finite samples`() throws {
    let output = try played("synth", 24_000) { _ in 0 }
    #expect(output.allSatisfy { $0.allSatisfy { $0.isFinite } })
  }

  //   mic ─┬──────────────────────► main ──► desk
  //        └──► press ──► limit ─────┘
  @Test func `two paths of different latency are aligned to the sample`() throws {
    let click: (Int) -> Float = { $0 == 4800 ? 0.5 : 0 }
    let both = try played("parallel", 9600, signal: click)[0]
    let late = try played("parallel", 9600, without: ("mic", "main"), signal: click)[0]
    let straight = zip(both, late).map { $0 - $1 }
    func peak(_ samples: [Float]) -> Int { samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } ?? 0 }
    // The limiter's look-ahead delays its path; the direct path is delayed by as much.
    #expect(peak(late) > 4800 + 16)
    #expect(peak(straight) == peak(late))
    #expect(abs(straight[peak(straight)] - 0.5) < 1e-4)
  }

  @Test func `connection rules and the session's ports are passed to the engine`() throws {
    let manifest = try ManifestText(
      """
      swiftlet: 1
      session: { category: playback, options: [ mix-with-others ], mode: voice-prompt, ports: [ physical, /usb:.*/, a ] }
      nodes:
        tone: { effect: generator }
        desk: { playback: stereo, connect: { first-of: [ "usb:left", [ "a:1", "a:2" ], /a.*/, "physical:3" ] } }
      wires: [ tone -> desk ]
      """, file: "a.yaml"
    ).check()
    #expect(manifest.warnings == [])
    let output = try #require(manifest.nodes.last)
    guard case .playback(_, let rule, _) = output.engineKind(connects: true),
      case .playback(_, let free, _) = output.engineKind(connects: false)
    else { throw EngineError.notAttached("desk") }
    #expect(
      rule
        == .firstOf([.ports(["usb:left"]), .ports(["a:1", "a:2"]), .pattern("a.*"), .physical(from: 3)]))
    #expect(free == .none)
    let engine = try AudioEngine(.offline(longestBlock: 64))
    try manifest.attach(to: engine)
    #expect(
      engine.session
        == AudioSession(
          .playback, options: [.mixWithOthers], mode: .voicePrompt,
          ports: [.physical, .pattern("usb:.*"), .name("a")]))
  }

  @Test func `a manifest that cannot be attached leaves the engine unchanged`() throws {
    let manifest = try ManifestText(
      """
      swiftlet: 1
      session: { category: playback }
      nodes: { tone: { effect: gain }, desk: { playback: stereo } }
      timeline: { transport: lead, tempo: 96 bpm }
      wires: [ tone -> desk ]
      """, file: "a.yaml"
    ).check()
    let engine = try AudioEngine(.offline(longestBlock: 64))
    let before = try engine.attach(.mixer(), name: "desk")
    #expect(throws: EngineError.self) { try manifest.attach(to: engine) }
    #expect(engine.session == nil && engine.transportRole == .own && engine.nodes == [before])
    try engine.detach(before)
    try manifest.attach(to: engine)
    #expect(engine.session?.category == .playback && engine.transportRole != .own && engine.nodes.count == 2)
  }

  @Test func `attaching a manifest is one edit`() throws {
    let manifest = try ManifestText(
      """
      swiftlet: 1
      nodes: { mic: { capture: mono }, tone: { effect: gain, set: { gain: -6 } }, desk: { playback: stereo } }
      wires: [ mic -> tone, tone -> desk ]
      """, file: "a.yaml"
    ).check()
    let engine = try AudioEngine(.offline())
    try manifest.attach(to: engine)
    let graph = engine.graph
    #expect(graph.nodes.count == 3 && engine.node("tone")?["gain"] == -6)
    #expect(try engine.undo())
    #expect(engine.graph.nodes.isEmpty && !engine.canUndo)
    try engine.redo()
    #expect(engine.graph == graph && engine.node("tone")?["gain"] == -6)
  }
}
