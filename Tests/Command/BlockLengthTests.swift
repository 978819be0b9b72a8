// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// A plugin whose output depends on the block length, and one that is too loud.
@Suite(.serialized) struct BlockLengthTests {
  let scratch: Scratch
  let swiftlet: Command

  /// `urn:test:length` outputs the frame count of its blocks / 8192; `urn:test:loud` outputs 20, and silence after
  /// 0.1 s.
  init() throws {
    scratch = try Scratch()
    swiftlet = Command(environment: ["LV2_PATH": scratch.path], folder: scratch.path)
    try SmallPlugin(name: "length", run: "for (uint32_t i = 0; i < n; ++i) s->port[1][i] = n / 8192.0f;")
      .build(in: scratch, swiftlet)
    try SmallPlugin(
      name: "loud", run: "for (uint32_t i = 0; i < n; ++i) s->port[1][i] = s->frames++ < 4800 ? 20 : 0;"
    )
    .build(in: scratch, swiftlet)
  }

  private func manifest(_ plugin: String, block: Int? = nil) throws {
    try scratch.write(
      """
      swiftlet: 1
      \(block.map { "block: \($0)" } ?? "")
      nodes:
        mic:  { capture: mono, connect: none }
        p:    { lv2: "urn:test:\(plugin)" }
        desk: { playback: mono, connect: none }
      wires: [ mic -> p -> desk ]
      """, to: "m.yaml")
  }

  @Test(arguments: [false, true])
  func `a NaN of a plugin ends with status 4, naming the plugin, and the takes are undamaged`(live: Bool)
    throws
  {
    try SmallPlugin(
      name: "nan",
      run: "for (uint32_t i = 0; i < n; ++i) s->port[1][i] = s->frames++ == 30000 ? NAN : s->port[0][i];"
    ).build(in: scratch, swiftlet)
    try VoiceFixture.sine("\(scratch.path)/song.wav", seconds: 3)
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        song: { player: song.wav }
        p:    { lv2: "urn:test:nan" }
        desk: { playback: mono, connect: none }
      wires: [ song -> p -> desk ]
      taps:
        plain: { after: song, record: { file: plain.wav, format: 32-float } }
      """, to: "m.yaml")
    let outcome =
      live
      ? try swiftlet.run("run", "m.yaml", "--dummy", "--takes", "takes", "--for", "4", limit: 60)
      : try swiftlet.run("render", "m.yaml", "--output", "o.wav", "--takes", "takes", limit: 60)
    #expect(outcome.status == 4, "\(outcome)")
    #expect(outcome.messages.contains("'desk' is muted: a sample was NaN or infinite"), "\(outcome.messages)")
    #expect(
      outcome.messages.contains(/the sound that caused this (may have come|came) from 'p'/),
      "\(outcome.messages)")
    let song = try scratch.samples("song.wav", swiftlet),
      plain = try scratch.samples("takes/plain.wav", swiftlet)
    let start = try #require(plain.firstIndex { $0 != 0 })
    #expect(start < 4800 && plain.count > 100_000)
    // The first sample of the sine is 0.
    #expect((zip(plain[start...], song[1...]).allSatisfy { $0 == $1 }) as Bool)
  }

  @Test(arguments: [(nil, nil, 256), (64, nil, 64), (64, 1024, 1024)] as [(Int?, Int?, Int)])
  func `the block length is JACK's default, the manifest's or the option's`(
    stated: Int?, option: Int?, used: Int
  ) throws {
    try manifest("length", block: stated)
    let more = option.map { ["--block", "\($0)"] } ?? []
    let outcome = try swiftlet.run(
      program: Command.path,
      ["render", "m.yaml", "--for", "0.5", "--output", "o.wav", "--format", "wav32f", "--overwrite"] + more,
      limit: 60)
    #expect(outcome.status == 0, "\(outcome.messages)")
    for edge in ["Minimum", "Maximum"] {
      let level = try #require(try VoiceFixture.stat("\(scratch.path)/o.wav", "\(edge) amplitude"))
      #expect(abs(level - Double(used) / 8192) < 1e-5)
    }
  }

  @Test func `an invalid block length is refused with its position`() throws {
    try manifest("length", block: 0)
    let outcome = try swiftlet.run("check", "m.yaml")
    #expect(outcome.status == 1)
    #expect(
      outcome.messages.hasPrefix("m.yaml:2:8: error: found '0'; expected frames"), "\(outcome.messages)")
  }

  @Test func `a muted playback node ends a render and a run with status 4, naming the plugin`() throws {
    try manifest("loud")
    let rendered = try swiftlet.run("render", "m.yaml", "--for", "0.5", "--output", "o.wav")
    #expect(rendered.status == 4)
    #expect(rendered.messages.contains("'desk' is muted: the level was above +20 dBFS"))
    #expect(rendered.messages.contains("the sound that caused this came from 'p'"), "\(rendered.messages)")
    let live = try swiftlet.run("run", "m.yaml", "--dummy", "--for", "1", limit: 100)
    #expect(live.status == 4, "\(live.messages)")
    #expect(live.messages.contains("'desk' is muted: the level was above +20 dBFS"))
    #expect(live.messages.contains("the sound that caused this came from 'p'"), "\(live.messages)")
  }
}
