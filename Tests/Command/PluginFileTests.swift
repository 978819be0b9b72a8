// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Files, texts and numbers that plugins receive as messages, from the manifest to the sound.
@Suite struct PluginFileTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(environment: ["XDG_CACHE_HOME": scratch.path + "/cache"], folder: scratch.path)
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/sounds", withIntermediateDirectories: true)
  }

  private func noise(_ count: Int, seed: UInt32) -> [Float] { Signals.noise(count, seed: seed) }

  /// Writes a mono WAV file of 32-bit floats at 48 kHz.
  private func write(_ samples: [Float], to name: String) throws {
    try Signals.write([samples], to: "\(scratch.path)/\(name)")
  }

  private func sampler(_ settings: String) throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        keys:  midi-in
        drum:  { lv2: "http://lv2plug.in/plugins/eg-sampler", set: { \(settings) } }
        desk:  { playback: 1 }
      wires:
        - keys -> drum -> desk
      """, to: "drum.yaml")
  }

  private func render(_ arguments: String...) throws -> Command.Outcome {
    let words = [
      "render", "drum.yaml", "--no-record", "--input", "keys=song.mid", "--output", "desk=out.wav", "--tail",
      "0.5",
    ]
    return try swiftlet.run(program: Command.path, words + arguments, limit: 60)
  }

  //  keys ──► eg-sampler ──► desk
  @Test func `a sampler plays the file named in the manifest`() throws {
    let hit = noise(3000, seed: 7)
    try write(hit, to: "sounds/hit.wav")
    try VoiceFixture.song("\(scratch.path)/song.mid")
    try sampler("sample: sounds/hit.wav")
    let outcome = try render()
    // The sampler of lv2 1.18.4 sends an event without a time stamp, which is no fault of the manifest.
    #expect(outcome.status == 0 && !outcome.messages.contains("warning"), "\(outcome.messages)")
    let sound = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/out.wav"))
    // The first note is at frame 24,000. This sampler omits the last frame of a file.
    #expect((sound[24_000..<26_999].elementsEqual(hit[..<2999])) as Bool)
    #expect((sound[..<24_000].allSatisfy { $0 == 0 }) as Bool)
  }

  @Test func `--set sets a sampler's file and gain`() throws {
    let hit = noise(3000, seed: 8)
    try write(noise(100, seed: 1), to: "sounds/hit.wav")
    try write(hit, to: "other.wav")
    try VoiceFixture.song("\(scratch.path)/song.mid")
    try sampler("sample: sounds/hit.wav")
    let outcome = try render("--set", "drum.sample=other.wav", "--set", "drum.gain=-6dB")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let sound = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/out.wav"))
    let gain = Float(pow(10, -6.0 / 20))
    #expect((zip(sound[24_000..<26_999], hit).allSatisfy { abs($0 - $1 * gain) < 1e-6 }) as Bool)
  }

  //  mic ──► zeroconvolv ──► desk
  @Test func `a convolver uses the file named in the manifest`() throws {
    let response = noise(700, seed: 3).enumerated().map { $1 * exp(-Float($0) / 200) * 0.2 }
    let input = noise(6000, seed: 4)
    try write(response, to: "sounds/hall.wav")
    try write(input, to: "mic.wav")
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic:  { capture: 1 }
        hall: { lv2: "http://gareus.org/oss/lv2/zeroconvolv#CfgMono", set: { ir: sounds/hall.wav } }
        desk: { playback: 1 }
      wires:
        - mic -> hall -> desk
      """, to: "hall.yaml")
    let outcome = try swiftlet.run(
      "render", "hall.yaml", "--no-record", "--input", "mic=mic.wav", "--output", "desk=out.wav", "--tail",
      "0.1")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let sound = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/out.wav"))
    var expected = [Double](repeating: 0, count: input.count + response.count - 1)
    for (frame, sample) in input.enumerated() {
      for (tap, weight) in response.enumerated() { expected[frame + tap] += Double(sample) * Double(weight) }
    }
    let errors = zip(sound, expected).map { abs(Double($0) - $1) }
    #expect(sound.count >= expected.count)
    #expect((errors.max() ?? 1) < 1e-5, "\(errors.max() ?? 1)")
  }

  @Test func `check reports the position of a missing file, a wrong name and a wrong type`() throws {
    try sampler("sample: sounds/gone.wav")
    let missing = try swiftlet.run("check", "drum.yaml")
    #expect(missing.status == 1)
    #expect(
      missing.messages.contains("drum.yaml:4:72: error: found the file 'sounds/gone.wav', which"),
      "\(missing.messages)")
    try sampler("smaple: sounds/gone.wav")
    let misspelt = try swiftlet.run("check", "drum.yaml")
    #expect(
      misspelt.messages.contains(
        "drum.yaml:4:64: error: 'drum' has no parameter 'smaple'; did you mean 'sample'?"),
      "\(misspelt.messages)")
    try sampler("gain: loud")
    let typed = try swiftlet.run("check", "drum.yaml")
    #expect(
      typed.messages.contains(
        "drum.yaml:4:70: error: found 'loud'; expected 'gain' to be a number from -20 dB"),
      "\(typed.messages)")
    try sampler("sample: [ a.wav, b.wav ]")
    let list = try swiftlet.run("check", "drum.yaml")
    #expect(
      list.messages.contains("drum.yaml:4:72: error: found a list; expected 'sample' to be a file"),
      "\(list.messages)")
  }

  @Test func `--set with a missing file is an error that names the file`() throws {
    try VoiceFixture.song("\(scratch.path)/song.mid")
    try sampler("gain: 0")
    let outcome = try render("--set", "drum.sample=gone.wav")
    #expect(outcome.status == 2)
    #expect(outcome.messages.contains("--set drum.sample: the file 'gone.wav' "), "\(outcome.messages)")
  }

  @Test func `show lists files, texts and numbers that a plugin receives as messages`() throws {
    let page = try swiftlet.run("show", "http://lv2plug.in/plugins/eg-params")
    #expect(page.status == 0)
    #expect(page.output.contains("read from messages"), "\(page.output)")
    for line in ["path", "string", "lfo"] { #expect(page.output.contains("\n  \(line) "), "\(page.output)") }
    #expect(page.output.contains("a number, which the plugin alone sets"))
    let object = try JSONSerialization.jsonObject(
      with: Data(try swiftlet.run("show", "--json", "http://lv2plug.in/plugins/eg-params").output.utf8))
    let fields = try #require(object as? [String: Any])
    let properties = try #require(fields["properties"] as? [[String: Any]])
    let types = properties.reduce(into: [:]) { $0[$1["symbol"] as? String ?? ""] = $1["type"] as? String }
    #expect(
      types == [
        "int": "int", "long": "long", "float": "float", "double": "double", "bool": "bool", "string": "text",
        "path": "path", "spring": "float", "lfo": "float",
      ])
    #expect(properties.first { $0["symbol"] as? String == "lfo" }?["isWritable"] as? Bool == false)
  }
}
