// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The manifest key `program-change`: MIDI selects a plugin's presets, in `render` and in `run`.
@Suite(.timeLimit(.minutes(5))) struct ProgramChangeTests {
  private static let sampler = "http://lv2plug.in/plugins/eg-sampler"
  let scratch: Scratch
  let swiftlet: Command
  /// The sounds of the presets.
  private let hits = [Signals.noise(3000, seed: 9), Signals.noise(3000, seed: 10)]

  init() throws {
    scratch = try Scratch()
    swiftlet = .atHome(in: scratch)
    for (number, hit) in hits.enumerated() {
      try Signals.write([hit], to: "\(scratch.path)/\(number).wav")
      try write(", set: { sample: \(number).wav }")
      let saved = try swiftlet.run("preset", "save", "drum.yaml", "Hit \(number)")
      try #require(saved.status == 0, "\(saved.messages)")
    }
  }

  //  keys ──► eg-sampler ──► desk
  private func write(_ keys: String) throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        keys: { midi-in: , connect: none }
        drum: { lv2: "\(Self.sampler)"\(keys) }
        desk: { playback: 1, connect: none }
      wires:
        - keys -> drum -> desk
      taps:
        wet: { after: drum, record: { file: wet.wav, format: 32-float } }
      """, to: "drum.yaml")
  }

  /// Writes a MIDI file: a program change at 1 s, a note at 2 s, the end at 3 s. A second has 2000 ticks.
  private func song(bank: UInt8 = 0, program: UInt8) throws {
    let second: [UInt8] = [0x8F, 0x50]
    let track: [UInt8] =
      second + [0xB0, 32, bank, 0, 0xC0, program] + second + [0x90, 60, 127] + second + [0x80, 60, 0]
      + [0, 0xFF, 0x2F, 0]
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0x03, 0xE8]
    try Data(Array("MThd".utf8) + head + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track)
      .write(to: URL(filePath: "\(scratch.path)/song.mid"))
  }

  private func perform(live: Bool) throws -> Command.Outcome {
    live
      ? try swiftlet.run("run", "drum.yaml", "--dummy", "--for", "4", "--play", "keys=song.mid", limit: 60)
      : try swiftlet.run(
        "render", "drum.yaml", "--no-record", "-o", "wet.wav", "--input", "keys=song.mid", limit: 60)
  }

  /// Requires that the note plays the file of a preset.
  private func expectHit(_ number: Int) throws {
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/wet.wav"))
    let onset = try #require(heard.firstIndex { $0 != 0 })
    // This sampler omits the last frame of a file.
    #expect((heard[onset...].prefix(2999).elementsEqual(hits[number][..<2999])) as Bool)
  }

  @Test(arguments: [false, true], ["", ", isolate: true, deadline: 100 ms"])
  func `a program change loads the preset of that number`(live: Bool, isolated: String) throws {
    for program in 0..<(live ? 1 : 2) {
      try write(", preset: Hit \(1 - program), program-change: preset\(isolated)")
      try song(program: UInt8(program))
      try? FileManager.default.removeItem(atPath: "\(scratch.path)/wet.wav")
      let outcome = try perform(live: live)
      #expect(outcome.status == 0 && !outcome.messages.contains("program"), "\(outcome.messages)")
      #expect(!outcome.messages.contains("event"), "\(outcome.messages)")
      try expectHit(program)
    }
  }

  @Test func `by default the plugin receives the message, and keeps its preset`() throws {
    try write(", preset: Hit 0")
    try song(program: 1)
    #expect(try perform(live: false).status == 0)
    try expectHit(0)
  }

  @Test func `a program without a preset is named, and the sound stays`() throws {
    try write(", preset: Hit 1, program-change: preset")
    try song(bank: 1, program: 7)
    let outcome = try perform(live: false)
    #expect(outcome.messages.contains("'drum' has no preset for program 8 of bank 2"), "\(outcome.messages)")
    try expectHit(1)
  }

  @Test func `check reports a key without effect and an invalid value`() throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic: { capture: mono }
        amp: { lv2: "http://lv2plug.in/plugins/eg-amp", program-change: preset }
        desk: { playback: mono }
      wires: [ mic -> amp -> desk ]
      """, to: "amp.yaml")
    let idle = try swiftlet.run("check", "amp.yaml")
    #expect(
      idle.status == 0
        && idle.messages.contains("'program-change' of 'amp' has no effect, since its plugin takes no MIDI"),
      "\(idle.messages)")
    try write(", program-change: yes")
    let odd = try swiftlet.run("check", "drum.yaml")
    #expect(odd.status == 1 && odd.messages.contains("drum.yaml:4"), "\(odd.messages)")
    #expect(odd.messages.contains("plugin") && odd.messages.contains("preset"), "\(odd.messages)")
  }
}
