// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTimeline
import Testing

struct AudioMixTests {
  @Test func `an unlisted track plays at unity gain in the centre`() throws {
    var mix = AudioMix()
    #expect(mix["music"].gain(at: .seconds(3)) == 1 && mix["music"].pan.value(at: .seconds(3)) == 0)
    try mix["music"].setVolume(0.5, at: .seconds(1))
    #expect(mix["music"].gain(at: .seconds(3)) == 0.5 && mix["voice"].gain(at: .seconds(3)) == 1)
    mix["music"] = TrackMix()
    #expect(mix == AudioMix())
  }

  @Test func `a volume ramp is linear and holds its last value`() throws {
    var mix = AudioMix()
    try mix.master.setVolume(0.5, at: .zero)
    try mix.master.setVolumeRamp(from: 0.1, to: 0.9, in: .seconds(3)..<(.seconds(6)))
    for (time, value) in [(2990, 0.5), (3000, 0.1), (4500, 0.5), (6000, 0.9)] as [(Int, Float)] {
      #expect(abs(mix.master.gain(at: .milliseconds(time)) - value) < 1e-6)
    }
  }

  @Test func `negative volumes and pans beyond ±1 are refused`() throws {
    var mix = TrackMix()
    let range = MediaTime.zero..<MediaTime.seconds(1)
    #expect(throws: AutomationError.negativeLevel(-0.1)) { try mix.setVolume(-0.1, at: .zero) }
    #expect(throws: AutomationError.negativeLevel(-2)) { try mix.setVolumeRamp(from: 1, to: -2, in: range) }
    #expect(throws: AutomationError.badPan(1.5)) { try mix.setPan(1.5, at: .zero) }
    #expect(throws: AutomationError.badPan(-2)) { try mix.setPanRamp(from: 1, to: -2, in: range) }
    for bad in [Float.nan, .infinity] {
      #expect(throws: AutomationError.self) { try mix.setVolume(bad, at: .zero) }
      #expect(throws: AutomationError.self) { try mix.setVolumeRamp(from: 0, to: bad, in: range) }
      #expect(throws: AutomationError.self) { try mix.setPan(bad, at: .zero) }
      #expect(throws: AutomationError.self) { try mix.setPanRamp(from: bad, to: 0, in: range) }
    }
    #expect(mix == TrackMix())
    try mix.setPanRamp(from: -1, to: 1, in: range)
    #expect(mix.pan.value(at: .milliseconds(500)) == 0)
  }

  @Test func `a mix round-trips through JSON, keyed by track and parameter names`() throws {
    var mix = AudioMix()
    try mix["music"].setVolume(0.5, at: .zero)
    mix["music"].duck(under: [.seconds(1)..<(.seconds(2))])
    try mix["voice"].setPan(-0.5, at: .seconds(1))
    try mix.master.setVolumeRamp(from: 1, to: 0, in: .seconds(8)..<(.seconds(9)), curve: .equalPower)
    var feedback = Automation(0.3)
    try feedback.ramp(to: 0.9, in: .seconds(2)..<(.seconds(3)))
    mix[lane: try ParameterPath("tone.bands[2].gain")] = feedback
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(mix), text = String(decoding: data, as: UTF8.self)
    #expect(text.contains(#""lanes":{"tone.bands[2].gain":{"#) && text.contains(#""voice":{"pan":{"#))
    #expect(try JSONDecoder().decode(AudioMix.self, from: data) == mix)
    #expect(try JSONDecoder().decode(AudioMix.self, from: Data("{}".utf8)) == AudioMix())
  }

  @Test func `a parameter path splits into node and parameter at its first dot`() throws {
    let path = try ParameterPath("tone.bands[2].gain")
    #expect(
      path.node == "tone" && path.parameter == "bands[2].gain" && path.description == "tone.bands[2].gain")
    for text in ["", "tone", ".gain", "tone.", "."] {
      #expect(throws: AutomationError.badPath(text)) { try ParameterPath(text) }
    }
  }
}
