// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletGraph
import SwiftletSignal

@testable import SwiftletManifest

/// Effects, plugins and files that exist only in tests, so that messages do not depend on what is installed.
enum TestCatalog {
  static let effects = [
    ProcessorInfo(
      id: "gain", name: "Gain", origin: .builtIn, inputs: [ProcessorInfo.Bus("in", .matching)],
      outputs: [ProcessorInfo.Bus("out", .matching)], parameters: [number(0, "gain", .decibels, -96...24)]),
    ProcessorInfo(
      id: "equalizer", name: "Equalizer", origin: .builtIn, inputs: [ProcessorInfo.Bus("in", .matching)],
      outputs: [ProcessorInfo.Bus("out", .matching)], parameters: [number(0, "gain", .decibels, -96...24)],
      bands: ProcessorInfo.Bands(
        symbol: "bands", singular: "band", count: 1...32, defaultCount: 4,
        parameters: [
          choice(1, "type", ["parametric", "low-pass", "high-pass"]),
          number(2, "frequency", .hertz, 20...20000), number(3, "bandwidth", .octaves, 0.05...5),
          number(4, "gain", .decibels, -96...24), toggle(5, "enabled"),
          needing("type", ["low-pass", "high-pass"], choice(6, "slope", ["6", "12", "18", "24"])),
          stereoChoice(7, "channels", ["all", "left", "mid"]),
        ]), presets: [ProcessorInfo.Preset(id: "voice", label: "voice")]),
    ProcessorInfo(
      id: "room", name: "Room", origin: .builtIn, inputs: [ProcessorInfo.Bus("in", .matching)],
      outputs: [ProcessorInfo.Bus("out", .channels(2)), ProcessorInfo.Bus("reverb", .channels(1))],
      parameters: [number(0, "gain", .decibels, -96...24)],
      bands: ProcessorInfo.Bands(
        symbol: "sources", singular: "source", count: 1...4, defaultCount: 2, followsChannels: true,
        parameters: [number(1, "x", .metres, -1000...1000), toggle(2, "enabled")])),
    ProcessorInfo(
      id: "delay", name: "Delay", origin: .builtIn, inputs: [ProcessorInfo.Bus("in", .matching)],
      outputs: [ProcessorInfo.Bus("out", .matching)],
      parameters: [
        number(0, "time", .milliseconds, 0...5000), number(1, "feedback", .percent, -100...100),
        number(2, "low-pass", .hertz, 10...20000), number(3, "mix", .percent, 0...100),
      ]),
    ProcessorInfo(
      id: "ducker", name: "Ducker", origin: .builtIn,
      inputs: [
        ProcessorInfo.Bus("in", .matching), ProcessorInfo.Bus("sidechain", .matching, isSideChain: true),
      ],
      outputs: [ProcessorInfo.Bus("out", .matching)], parameters: [number(0, "depth", .decibels, 0...60)]),
    ProcessorInfo(
      id: "compressor", name: "Compressor", origin: .builtIn,
      inputs: [
        ProcessorInfo.Bus("in", .matching), ProcessorInfo.Bus("sidechain", .matching, isSideChain: true),
      ],
      outputs: [ProcessorInfo.Bus("out", .matching)],
      parameters: [
        number(0, "ratio", .none, 1...20), toggle(1, "sidechain", initial: 0),
      ], presets: [ProcessorInfo.Preset(id: "duck", label: "duck")]),
    ProcessorInfo(
      id: "pitch", name: "Pitch", origin: .builtIn, inputs: [ProcessorInfo.Bus("in", .matching)],
      outputs: [ProcessorInfo.Bus("out", .matching)], parameters: [], algorithms: ["fast", "finest"]),
    ProcessorInfo(
      id: "convolver", name: "Convolver", origin: .builtIn, inputs: [ProcessorInfo.Bus("in", .matching)],
      outputs: [ProcessorInfo.Bus("out", .matching)], parameters: [],
      files: [
        ProcessorInfo.File(symbol: "response", name: "Response", meaning: "The impulse response."),
        ProcessorInfo.File(symbol: "map", name: "Map", content: .path, isRequired: false),
      ]),
  ]

  /// A plugin that outputs at least two channels.
  static let room = ProcessorInfo(
    id: "http://example.org/room", name: "Room", origin: .lv2, inputs: [ProcessorInfo.Bus("in", .matching)],
    outputs: [ProcessorInfo.Bus("out", .atLeast(2))], parameters: [])

  static let plugins = [
    room,
    ProcessorInfo(
      id: "http://example.org/gate", name: "Gate", origin: .lv2,
      inputs: [
        ProcessorInfo.Bus("in", .matching), ProcessorInfo.Bus("sidechain", .channels(1), isSideChain: true),
      ],
      outputs: [ProcessorInfo.Bus("out", .matching)],
      parameters: [
        number(2, "threshold", .decibels, -70...0), number(3, "hold", .seconds, 0.005...3),
        choice(4, "mode", ["gate", "expand"]), toggle(5, "listen"), integer(6, "poles", 1...8),
        number(7, "amount", .none, -.greatestFiniteMagnitude ... .greatestFiniteMagnitude),
      ], presets: [ProcessorInfo.Preset(id: "http://example.org/gate#voice", label: "Voice")]),
    ProcessorInfo(
      id: "http://example.org/synth", name: "Synth", origin: .lv2,
      inputs: [ProcessorInfo.Bus("events", .events)],
      outputs: [ProcessorInfo.Bus("out", .channels(2))], parameters: []),
    ProcessorInfo(
      id: "http://example.org/wide", name: "Wide", origin: .lv2,
      inputs: [ProcessorInfo.Bus("in", .channels(2))],
      outputs: [ProcessorInfo.Bus("out", .channels(2))], parameters: []),
    ProcessorInfo(
      id: "http://example.org/oscillator", name: "Oscillator", origin: .lv2,
      inputs: [ProcessorInfo.Bus("fm", .channels(1))], outputs: [ProcessorInfo.Bus("out", .channels(1))],
      parameters: [], needsInput: false),
    ProcessorInfo(
      id: "http://example.org/needy", name: "Needy", origin: .lv2, inputs: [], outputs: [], parameters: [],
      refusal: "it asks for http://example.org/moon"),
  ]

  static var catalog: ManifestCatalog {
    ManifestCatalog(
      effects: effects, plugin: { uri in plugins.first { $0.id == uri } }, pluginURIs: { plugins.map(\.id) },
      player: { path in
        path.hasSuffix("bed.flac") ? .sound(channels: 2, length: .seconds(60)) : .problem("is not there")
      },
      movie: { path in
        path.hasSuffix("movie.mp4") ? .movie(length: .seconds(20)) : .problem("has no picture")
      },
      effectTrial: { node in
        if node.inputs.first?.format.channelCount == 9 { return (nil, "'gain' does not support 9 channels") }
        return node.files.values.first { $0.hasSuffix("broken.wav") }.map { ($0, "is broken") }
      }, algorithms: [.fast])
  }

  static func number(
    _ number: Int, _ symbol: String, _ unit: ParameterUnit, _ range: ClosedRange<Float>
  ) -> ParameterInfo {
    ParameterInfo(
      number: number, symbol: symbol, name: symbol, unit: unit, range: range,
      initial: min(max(0, range.lowerBound), range.upperBound))
  }

  static func integer(_ number: Int, _ symbol: String, _ range: ClosedRange<Float>) -> ParameterInfo {
    ParameterInfo(
      number: number, symbol: symbol, name: symbol, range: range, initial: range.lowerBound, curve: .integer)
  }

  static func toggle(_ number: Int, _ symbol: String, initial: Float = 1) -> ParameterInfo {
    ParameterInfo(
      number: number, symbol: symbol, name: symbol, range: 0...1, initial: initial, curve: .toggle)
  }

  static func needing(
    _ symbol: String, _ choices: [String], _ parameter: ParameterInfo
  ) -> ParameterInfo {
    var parameter = parameter
    parameter.needs = ParameterInfo.Need(symbol, choices)
    return parameter
  }

  static func stereoChoice(_ number: Int, _ symbol: String, _ names: [String]) -> ParameterInfo {
    var parameter = choice(number, symbol, names)
    parameter.isForStereo = true
    return parameter
  }

  static func choice(_ number: Int, _ symbol: String, _ names: [String]) -> ParameterInfo {
    ParameterInfo(
      number: number, symbol: symbol, name: symbol, range: 0...Float(names.count - 1), initial: 0,
      curve: .choice,
      choices: names.enumerated().map { ParameterInfo.Choice($1, Float($0)) })
  }
}
