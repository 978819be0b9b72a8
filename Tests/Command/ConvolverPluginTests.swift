// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// A convolver of LSP Plugins, which gets its impulse response from a state that the manifest names.
///
/// The Turtle of version 1.2.5 declares `http://lsp-plug.in//ports#ifn` for the file, but the library reads the property
/// below, so the key `set` of a manifest cannot reach it. Debian's package `lsp-plugins-lv2` is not required for tests.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/lv2/lsp-plugins.lv2")))
struct ConvolverPluginTests {
  private static let plugin = "http://lsp-plug.in/plugins/lv2/impulse_responses_mono"
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = .atHome(in: scratch)
  }

  //  mic ──► impulse responses ──► desk
  @Test func `a convolver of LSP Plugins convolves with the file in its state`() throws {
    let response = Signals.noise(700, seed: 3).enumerated().map { $1 * exp(-Float($0) / 200) * 0.2 }
    // The plugin reads its file in a thread of its own while it plays; the sound comes a second later.
    let silence = [Float](repeating: 0, count: 48_000)
    let sound = Signals.noise(3000, seed: 4)
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/hall.state", withIntermediateDirectories: true)
    try Signals.write([response], to: "\(scratch.path)/hall.state/hall.wav")
    try Signals.write([silence + sound], to: "\(scratch.path)/mic.wav")
    try scratch.write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
      @prefix state: <http://lv2plug.in/ns/ext/state#> .

      <> a pset:Preset ; lv2:appliesTo <\(Self.plugin)> ;
        state:state [ <\(Self.plugin)/ports#ifn> <hall.wav> ] .
      """, to: "hall.state/state.ttl")
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic:  { capture: 1 }
        hall: { lv2: "\(Self.plugin)", state: hall.state, set: { cs: Left, dry: 0 } }
        desk: { playback: 1 }
      wires:
        - mic -> hall -> desk
      """, to: "hall.yaml")
    let outcome = try swiftlet.run(
      "render", "hall.yaml", "--no-record", "--input", "mic=mic.wav", "--output", "desk=out.wav", "--tail",
      "0.1")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/out.wav"))
    var expected = [Double](repeating: 0, count: sound.count + response.count - 1)
    for (frame, sample) in sound.enumerated() {
      for (delay, weight) in response.enumerated() {
        expected[frame + delay] += Double(sample) * Double(weight)
      }
    }
    try #require(heard.count >= silence.count + expected.count)
    let errors = zip(heard[silence.count...], expected).map { abs(Double($0) - $1) }
    #expect((errors.max() ?? 1) < 1e-5, "\(errors.max() ?? 1)")
  }
}
