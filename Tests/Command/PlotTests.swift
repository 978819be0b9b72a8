// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletCommand

@Suite struct PlotTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    var command = Command()
    command.folder = scratch.path
    swiftlet = command
  }

  /// Returns the y coordinates of the points of every line of a kind.
  private func lines(_ kind: String, in svg: String) throws -> [[Double]] {
    let line = try Regex("<path class=\"\(kind)\" d=\"([^\"]+)\"", as: (Substring, Substring).self)
    return svg.matches(of: line).map { match in
      match.output.1.split { "ML".contains($0) }
        .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
    }.filter { $0.count > 2 }
  }

  @Test func `an equalizer is drawn with its settings, replacing an existing picture`() throws {
    try scratch.write("<svg>old</svg>", to: "tone.svg")
    let outcome = try swiftlet.run(
      "show", "equalizer", "--set", "bands[1].gain=12dB", "--set", "bands[6].type=low-pass", "--set",
      "bands[6].frequency=15kHz", "--plot",
      "tone.svg")
    #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.messages.isEmpty, "\(outcome)")
    let svg = scratch.text("tone.svg")
    let total = try #require(try lines("total", in: svg).first)
    let bands = try lines("band", in: svg)
    // Two of six bands are active, and the highest point is at the frequency of the boost.
    #expect(bands.count == 2 && total.count == ResponsePicture.frequencies.count)
    let peak = try #require(total.indices.min { total[$0] < total[$1] })
    #expect(abs(ResponsePicture.frequencies[peak] - 1000) < 10)
    #expect(svg.contains(">parametric 1 kHz +12 dB<") && svg.contains(">low-pass 15 kHz<"))
    #expect(svg.contains("prefers-color-scheme: dark") && svg.contains(">Equalizer<"))
    #expect(svg.contains(">20k<") && svg.contains(">+12<") && !svg.contains("nan") && !svg.contains("inf"))
  }

  @Test func `a preset is drawn, and a node of a manifest with its settings`() throws {
    #expect(try swiftlet.run("show", "equalizer", "--preset", "voice", "--plot", "voice.svg").status == 0)
    #expect(scratch.text("voice.svg").contains(">high-pass 90 Hz<"))
    try scratch.write(
      """
      swiftlet: 1
      name: <song>
      nodes:
        mic: capture
        tone:
          effect: equalizer
          channels: 2
          set: { bands: [ { type: high-pass, frequency: 200, slope: 48 }, { gain: 6, channels: side } ] }
        desk: playback
      wires: [ mic -> tone -> desk ]
      """, to: "song.yaml")
    let outcome = try swiftlet.run(
      "show", "song.yaml:tone", "--set", "bands[2].gain=-6dB", "--plot", "tone.svg")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let svg = scratch.text("tone.svg")
    #expect(svg.contains("&lt;song&gt;: tone<"))
    #expect(svg.contains(">high-pass 200 Hz, slope 48<") && svg.contains("−6 dB, channels side<"))
    #expect(svg.contains(">mid<") && svg.contains(">side<"))
    let itself = try swiftlet.run("show", "song.yaml:tone", "--plot", "./song.yaml")
    #expect(itself.status == 2 && itself.messages.contains("is the manifest itself"), "\(itself)")
    #expect(scratch.text("song.yaml").hasPrefix("swiftlet: 1"))
    #expect(try lines("total", in: svg).count == 2)
    #expect(try swiftlet.run("show", "song.yaml:tone").output.contains("effect: equalizer"))
  }

  @Test func `a plot that cannot be drawn is an error of one line`() throws {
    func report(_ arguments: String...) throws -> String {
      let outcome = try swiftlet.run(program: Command.path, ["show"] + arguments, limit: 30)
      #expect(scratch.names.isEmpty)
      return "\(outcome.status) \(outcome.messages)"
    }
    #expect(
      try report("delay", "--plot", "a.svg")
        == "1 swiftlet: error: 'delay' has no frequency response to draw: it does more than filter\n")
    #expect(
      try report("http://lv2plug.in/plugins/eg-amp", "--plot", "a.svg").contains("has no frequency response"))
    #expect(
      try report("equalizer", "--preset", "vioce", "--plot", "a.svg")
        .hasPrefix("2 swiftlet: error: --preset: 'equalizer' has no preset 'vioce': it has "))
    #expect(
      try report("equalizer", "--set", "gian=3dB", "--plot", "a.svg")
        .hasPrefix("2 swiftlet: error: --set: 'equalizer' has no parameter 'gian'; did you mean 'gain'?"))
    #expect(try report("equalizer", "--set", "gain", "--plot", "a.svg").hasPrefix("2 "))
    // The nearest float to 0.05 is slightly greater.
    #expect(try report("equalizer", "--set", "bands[1].bandwidth=0.05", "--plot", "/dev/null") == "0 ")
    #expect(
      try report("equalizer", "--set", "bands[99999999999999999999].gain=1", "--plot", "a.svg").hasPrefix(
        "2 "))
    #expect(
      try report("equalizer", "--set", "gain=3dB").hasPrefix("2 swiftlet: error: --set and --preset go with"))
    #expect(try report("equalizer", "--json", "--plot", "a.svg").hasPrefix("2 "))
    #expect(try report("none.yaml:tone", "--plot", "a.svg").hasPrefix("1 "))
  }
}
