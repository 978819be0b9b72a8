// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletLV2

/// The same plugins with the same input in Swiftlet and in two other hosts.
@Suite struct OtherHostOutputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var uri: String
    var channels: Int
    var values: [String: Float] = [:]
    var testDescription: String { uri }
  }

  static let cases = [
    Case(uri: "http://lv2plug.in/plugins/eg-amp", channels: 1, values: ["gain": -7.5]),
    Case(uri: "http://drobilla.net/plugins/mda/Ambience", channels: 2, values: ["size": 0.4]),
    Case(uri: "http://drobilla.net/plugins/mda/Overdrive", channels: 2),
    Case(uri: "http://gareus.org/oss/lv2/darc#stereo", channels: 2),
    Case(uri: "http://calf.sourceforge.net/plugins/Equalizer5Band", channels: 2, values: ["hs_active": 1]),
    Case(uri: "http://plugin.org.uk/swh-plugins/foverdrive", channels: 1, values: ["drive": 2.5]),
    Case(uri: "http://guitarix.sourceforge.net/plugins/gx_echo_stereo#_echo_stereo", channels: 2),
    Case(uri: "http://drobilla.net/plugins/mda/Combo", channels: 2, values: ["drive": 0.8]),
    Case(uri: "http://guitarix.sourceforge.net/plugins/gx_bossds1_#_bossds1_", channels: 1),
  ]

  /// Plugins with event ports, which lv2apply refuses.
  static let casesWithEvents = [
    Case(uri: "http://gareus.org/oss/lv2/fil4#mono", channels: 1, values: ["HPfreq": 300, "highpass": 1]),
    Case(uri: "http://gareus.org/oss/lv2/dpl#stereo", channels: 2, values: ["gain": 12]),
  ]

  /// Returns noise that fades out, so that dynamics processors act.
  private func input(_ channels: Int, frames: Int) -> [[Float]] {
    (0..<channels).map { channel in
      noise(frames, seed: UInt32(channel + 1)).enumerated().map { $1 * (1 - Float($0) / Float(frames)) }
    }
  }

  /// Returns the values of all controls, so that both hosts set the same values regardless of defaults.
  private func settings(_ test: Case) throws -> [(symbol: String, value: Float)] {
    try PluginWorld.shared.info(uri: test.uri).parameters.map {
      ($0.symbol, test.values[$0.symbol] ?? $0.initial)
    }
  }

  private func expectSame(_ output: [[Float]], _ expected: [[Float]], _ tolerance: Float) throws {
    try #require(output.count == expected.count)
    var worst: Float = 0, peak: Float = 0, worstFrame = 0
    for (samples, other) in zip(output, expected) {
      #expect(other.count >= samples.count)
      for (frame, (a, b)) in zip(samples, other).enumerated() {
        if !(abs(a - b) <= worst) { (worst, worstFrame) = (abs(a - b), frame) }
        peak = max(peak, abs(b))
      }
    }
    #expect(peak > 0.01, "the other host gives silence, so nothing is compared")
    #expect(worst <= tolerance, "differs by \(worst) at frame \(worstFrame), where the peak is \(peak)")
  }

  // lv2apply runs a plugin one frame at a time.
  @Test(arguments: cases) func `the output equals that of lv2apply`(_ test: Case) throws {
    let folder = try FixtureFolder()
    let input = input(test.channels, frames: 4800)
    try WaveFile.write(input, rate: 48_000, to: folder.path + "/in.wav")
    let controls = try settings(test).flatMap { ["-c", $0.symbol, "\($0.value)"] }
    try command(
      "lv2apply", ["-i", folder.path + "/in.wav", "-o", folder.path + "/out.wav"] + controls + [test.uri])
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1, channels: test.channels)
    let (_, rig) = try PluginWorld.shared.rig(test.uri, layout, values: test.values)
    let output = rig.play(input, blocks: [1])
    try expectSame(output, WaveFile.read(folder.path + "/out.wav", channels: output.count), 1e-6)
  }

  @Test(arguments: cases + casesWithEvents) func `the output equals that of ffmpeg`(_ test: Case) throws {
    let folder = try FixtureFolder()
    let input = input(test.channels, frames: 24 * 1024)
    try WaveFile.write(input, rate: 48_000, to: folder.path + "/in.wav")
    let controls = try settings(test).map { "\($0.symbol)=\($0.value)" }.joined(separator: "|")
    let uri = test.uri.replacing(":", with: "\\:")
    let filter = "asetnsamples=1024,lv2=p='\(uri)':c=\(controls)"
    try command(
      "ffmpeg",
      [
        "-loglevel", "error", "-nostdin", "-i", folder.path + "/in.wav", "-af", filter, "-c:a", "pcm_f32le",
        folder.path + "/out.wav",
      ])
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 1024, channels: test.channels)
    let (_, rig) = try PluginWorld.shared.rig(test.uri, layout, values: test.values)
    let output = rig.play(input, blocks: [1024])
    try expectSame(output, WaveFile.read(folder.path + "/out.wav", channels: output.count), 1e-6)
  }
}
