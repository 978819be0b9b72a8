// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The manifest key `state`: plugins start with the parameters and files of a state folder, in `render` and in `run`.
///
/// The test writes the states as the LV2 specification defines them, independent of Swiftlet's own states.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PluginStateTests {
  let scratch: Scratch
  let swiftlet: Command
  static let amplifier = "http://lv2plug.in/plugins/eg-amp"
  static let sampler = "http://lv2plug.in/plugins/eg-sampler"
  static let convolver = "http://gareus.org/oss/lv2/zeroconvolv#CfgMono"

  init() throws {
    scratch = try Scratch()
    swiftlet = .atHome(in: scratch)
  }

  /// Writes a state folder. Each body is the Turtle of an instance: the first one's, then those of further channels.
  private func state(_ name: String, of plugin: String, _ bodies: String...) throws {
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/\(name)", withIntermediateDirectories: true)
    let prefixes = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
      @prefix state: <http://lv2plug.in/ns/ext/state#> .
      @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

      """
    let subjects = bodies.enumerated().map { number, body in
      "<\(number == 0 ? "" : "#instance-\(number + 1)")> a pset:Preset ; lv2:appliesTo <\(plugin)> ; \(body) .\n"
    }
    try scratch.write(prefixes + subjects.joined(), to: "\(name)/state.ttl")
  }

  /// Returns Turtle that sets a port's value.
  private static func port(_ symbol: String, _ value: String) -> String {
    "lv2:port [ lv2:symbol \"\(symbol)\" ; pset:value \(value) ]"
  }

  /// Writes a manifest with one plugin between a player and a playback node.
  private func throughPlugin(_ plugin: String, channels: Int = 1) throws {
    try Signals.write(
      (0..<channels).map { Signals.noise(12_000, seed: UInt32(3 + $0)) }, to: "\(scratch.path)/song.wav")
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        song: { player: song.wav }
        unit: { \(plugin) }
        desk: { playback: \(channels), connect: none }
      wires: [ song -> unit -> desk ]
      taps:
        wet: { after: unit, record: { file: wet.wav, format: 32-float } }
      """, to: "song.yaml")
  }

  /// Returns the channels of the plugin's output: rendered, or recorded live.
  private func sound(channels: Int = 1, live: Bool) throws -> [[Float]] {
    let outcome =
      live
      ? try swiftlet.shell("rm -f wet.wav; swiftlet run song.yaml --dummy --for 2", limit: 60)
      : try swiftlet.run(
        "render", "song.yaml", "--no-record", "-o", "wet.wav", "--tail", "1", "--overwrite", limit: 60)
    #expect(outcome.status == 0, "\(outcome.messages)")
    return try (0..<channels).map { channel in
      try #require(VoiceFixture.channel(channel, of: channels, "\(scratch.path)/wet.wav"))
    }
  }

  //  song ──► eg-amp ──► desk
  @Test(arguments: [false, true], ["", ", isolate: true, deadline: 100 ms"])
  func `a plugin starts with the parameters of its state`(live: Bool, isolated: String) throws {
    try state("quiet.state", of: Self.amplifier, Self.port("gain", "-12.0"))
    try throughPlugin("lv2: \"\(Self.amplifier)\", state: quiet.state/\(isolated)")
    let input = Signals.noise(12_000, seed: 3), gain = Float(pow(10, -12.0 / 20))
    let heard = try sound(live: live)[0].drop { $0 == 0 }.prefix(input.count)
    #expect(heard.count == input.count)
    #expect((zip(heard, input).allSatisfy { abs($0 - $1 * gain) < 1e-6 }) as Bool)
  }

  @Test func `a preset overrides the state, and a parameter in the manifest overrides both`() throws {
    try state("quiet.state", of: Self.amplifier, Self.port("gain", "-12.0"))
    try throughPlugin("lv2: \"\(Self.amplifier)\", state: quiet.state, set: { gain: -6 dB }")
    let input = Signals.noise(12_000, seed: 3), gain = Float(pow(10, -6.0 / 20))
    let heard = try sound(live: false)[0].prefix(input.count)
    #expect((zip(heard, input).allSatisfy { abs($0 - $1 * gain) < 1e-6 }) as Bool)
  }

  //  keys ──► eg-sampler ──► desk
  @Test(arguments: [false, true]) func `a sampler plays the file in its state`(live: Bool) throws {
    let hit = Signals.noise(3000, seed: 9)
    try state("drum.state", of: Self.sampler, "state:state [ <\(Self.sampler)#sample> <a%20hit.wav> ]")
    try Signals.write([hit], to: "\(scratch.path)/drum.state/a hit.wav")
    try VoiceFixture.song("\(scratch.path)/song.mid")
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        keys: { midi-in: , connect: none }
        drum: { lv2: "\(Self.sampler)", state: drum.state/ }
        desk: { playback: 1, connect: none }
      wires:
        - keys -> drum -> desk
      taps:
        wet: { after: drum, record: { file: wet.wav, format: 32-float } }
      """, to: "drum.yaml")
    let outcome =
      live
      ? try swiftlet.run("run", "drum.yaml", "--dummy", "--for", "3", "--play", "keys=song.mid", limit: 60)
      : try swiftlet.run(
        "render", "drum.yaml", "--no-record", "-o", "wet.wav", "--input", "keys=song.mid", limit: 60)
    #expect(outcome.status == 0, "\(outcome.messages)")
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/wet.wav"))
    let onset = try #require(heard.firstIndex { $0 != 0 })
    // This sampler omits the last frame of a file.
    #expect((heard[onset...].prefix(2999).elementsEqual(hit[..<2999])) as Bool)
  }

  //  song (2 channels) ──► a convolver of one channel, twice ──► desk
  @Test(arguments: [false, true], ["", ", isolate: true, deadline: 100 ms"])
  func `each channel of a mono plugin has its own state, also in a preset`(
    live: Bool, isolated: String
  ) throws {
    // Each impulse response is one sample, at a different time for each channel.
    try state(
      "pair.state", of: Self.convolver, "state:state [ <\(Self.response)> <left.wav> ]",
      "state:state [ <\(Self.response)> <right.wav> ]")
    for (name, delay, level) in [("left", 10, 0.5), ("right", 300, 0.25)] as [(String, Int, Float)] {
      let response = [Float](repeating: 0, count: delay) + [level] + [Float](repeating: 0, count: 500)
      try Signals.write([response], to: "\(scratch.path)/pair.state/\(name).wav")
    }
    try throughPlugin("lv2: \"\(Self.convolver)\", state: pair.state\(isolated)", channels: 2)
    try expectPair(try sound(channels: 2, live: live))
    let saved = try swiftlet.run("preset", "save", "song.yaml", "Pair")
    #expect(saved.status == 0, "\(saved.messages)")
    try throughPlugin("lv2: \"\(Self.convolver)\", preset: Pair\(isolated)", channels: 2)
    try expectPair(try sound(channels: 2, live: live))
    try FileManager.default.removeItem(atPath: scratch.path + "/.lv2")
  }

  private func expectPair(_ heard: [[Float]]) throws {
    // The player's first frame, derived from the channel with the shorter delay.
    let start = try #require(heard[0].firstIndex { abs($0) > 1e-4 }) - 10
    for (channel, delay, level) in [(0, 10, 0.5), (1, 300, 0.25)] as [(Int, Int, Float)] {
      let input = Signals.noise(12_000, seed: UInt32(3 + channel))
      let there = heard[channel][(start + delay)...].prefix(input.count)
      let worst = zip(there, input).map { abs($0 - $1 * level) }.max() ?? 1
      #expect(there.count == input.count && worst < 1e-5, "channel \(channel): \(worst)")
    }
  }
  private static let response = "http://gareus.org/oss/lv2/zeroconvolv#ir"

  @Test func `a missing or damaged state, or a state of another plugin, is an error with its position`()
    throws
  {
    try throughPlugin("lv2: \"\(Self.amplifier)\", state: gone.state")
    let missing = try swiftlet.run("check", "song.yaml")
    #expect(missing.status == 1)
    #expect(
      missing.messages.contains("song.yaml:4:59: error: found the state 'gone.state', whose file state.ttl"),
      "\(missing.messages)")
    try state("gone.state", of: Self.sampler, Self.port("gain", "1.0"))
    let other = try swiftlet.run("render", "song.yaml", "--no-record", "-o", "wet.wav")
    #expect(other.status == 1, "\(other.messages)")
    #expect(
      other.messages.contains("it is a state of the plugin <\(Self.sampler)>")
        && other.messages.contains(
          "song.yaml:4:59: error: found the state 'gone.state', which cannot be loaded"),
      "\(other.messages)")
    try scratch.write("<> a [", to: "gone.state/state.ttl")
    let torn = try swiftlet.run("render", "song.yaml", "--no-record", "-o", "wet.wav")
    #expect(torn.status == 1, "\(torn.messages)")
    #expect(
      torn.messages.contains("song.yaml:4:59:") && torn.messages.contains("is not Turtle in line"),
      "\(torn.messages)")
    #expect(scratch.bytes("wet.wav") == nil)
  }
}

/// Signals that tests compare sample by sample.
enum Signals {
  /// Returns reproducible white noise with a peak of −6 dBFS.
  static func noise(_ count: Int, seed: UInt32) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / Float(1 << 23) - 1) * 0.5
    }
  }

  /// Writes a WAV file of 32-bit floats at 48 kHz.
  static func write(_ channels: [[Float]], to path: String) throws {
    let frames = channels[0].count, width = channels.count
    var data = Data("RIFF".utf8)
    func put(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) } }
    put(UInt32(36 + frames * width * 4))
    data.append(contentsOf: "WAVEfmt ".utf8)
    for number in [
      16, 3 | UInt32(width) << 16, 48_000, UInt32(192_000 * width), UInt32(4 * width) | 0x20_0000,
    ] {
      put(number)
    }
    data.append(contentsOf: "data".utf8)
    put(UInt32(frames * width * 4))
    for frame in 0..<frames { for channel in channels { put(channel[frame].bitPattern) } }
    try data.write(to: URL(filePath: path))
  }
}
