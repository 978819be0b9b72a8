// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletGraph
import SwiftletSignal
import Testing

/// Changes of every parameter of every effect cause no click.
///
/// A sine of −6 dBFS has nothing above 6 kHz, so what is there around a change, less what is there without it at the
/// value before or after, is the click. The filter has a linear phase and attenuates the sine by more than 120 dB.
final class ClickTests {
  /// How a value is changed while the sine plays.
  enum Change: String, CaseIterable { case set, lane, preset, bypass, edit }

  /// Changes that click, with the reason, which the parameter's description states as well.
  static let exceptions: [String: Set<String>] = [
    // The sound passes the values in between, or consists of segments.
    "distortion": ["decimation", "rounding", "preset"], "pitch": ["pitch"],
    "generator": ["frequency", "end", "period"],
    // The gate opens or closes, with its attack and release, as it does for sound.
    "gate": ["threshold", "sidechain"],
    // The level follows at a limited speed.
    "environment": ["reference-distance"],
  ]

  static let rate = 48_000
  /// The frame of the change, on a block's edge and beyond all latencies, and the number of frames.
  private static let change = 86 * 512, frameCount = 215 * 512
  private static let tones = [100.0, 1000.0]
  private let paths: [String], impulse: String

  init() throws {
    paths = Self.tones.map { _ in
      FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"
    }
    impulse = paths[0] + "-impulse.wav"
    for (path, tone) in zip(paths, Self.tones) {
      // It begins slowly, since the beginning is repeated by echoes.
      try write(path) { frame, phase in
        let way = min(Double(frame) / 9600, 1)
        return 0.5 * way * way * (3 - 2 * way)
          * sin(2 * .pi * tone * Double(frame) / Double(Self.rate) + phase)
      }
    }
    try write(impulse, 2400) { frame, phase in
      frame == 0 ? 0.5 : 0.002 * exp(-Double(frame) / 400) * cos(phase)
    }
  }

  deinit { for path in paths + [impulse] { try? FileManager.default.removeItem(atPath: path) } }

  private func write(
    _ path: String, _ count: Int = frameCount, _ sample: (Int, Double) -> Double
  ) throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: Double(Self.rate),
      channelCount: 2)
    try writer.write([0, 0.7].map { phase in (0..<count).map { Float(sample($0, phase)) } })
    try writer.close()
  }

  /// `sine ──► effect ──► desk`
  private struct Setup {
    let engine: AudioEngine, sine: AudioNode, node: AudioNode, output: AudioNode

    init(_ path: String, _ info: ProcessorInfo, impulse: String) throws {
      engine = try AudioEngine(.offline(sampleRate: Double(ClickTests.rate), longestBlock: 512))
      sine = try engine.attach(.player(path))
      output = try engine.attach(.playback())
      let files = info.files.filter(\.isRequired).map { ($0.symbol, impulse) }
      node = try engine.attach(.effect(info.id, files: Dictionary(uniqueKeysWithValues: files)))
      if !info.inputs.isEmpty { try engine.connect(sine, node) }
      try engine.connect(node, to: output)
    }

    /// Renders all frames, with a change on the way.
    func render(_ change: () throws -> Void = {}) throws -> [[Float]] {
      var heard: [[Float]] = [[], []]
      while heard[0].count < ClickTests.frameCount {
        if heard[0].count == ClickTests.change { try change() }
        let block = try #require(try engine.render(512)[output])
        for channel in 0..<2 { heard[channel] += block.channels[channel] }
      }
      return heard
    }
  }

  /// Returns the peaks above 6 kHz around the change, in all channels.
  private func peak(_ heard: [[Float]]) -> Double {
    let window = Self.change - HighPart.reach..<Self.change + 40_000
    return heard.map { HighPart.peaks($0, in: window).max() ?? 0 }.max() ?? 0
  }

  /// Returns a click in decibels of full scale: what exceeds the sound at rest.
  private func click(_ heard: [[Float]], resting rests: [[[Float]]]) -> Double {
    20 * log10(max(peak(heard) - (rests.map { peak($0) }.max() ?? 0), 1e-9))
  }

  private func setup(_ path: String, _ info: ProcessorInfo) throws -> Setup {
    try Setup(path, info, impulse: impulse)
  }

  /// The pairs of values between which a parameter is changed.
  private func moves(of parameter: ParameterInfo) -> [(from: Float, to: Float)] {
    // Above +20 dBFS the output guard would mute the sound.
    let low = parameter.range.lowerBound
    let high = parameter.unit == .decibels ? min(parameter.range.upperBound, 12) : parameter.range.upperBound
    guard parameter.curve == .choice else { return [(low, high), (high, low)] }
    return (0..<Int(high)).map { (Float($0), Float($0 + 1)) } + [(high, low)]
  }

  private static let infos = EffectCatalog.builtIn.infos

  @Test(arguments: infos.map(\.id))
  func `no step and no lane of a parameter clicks`(id: String) throws {
    let info = try #require(Self.infos.first { $0.id == id })
    // All bands are alike.
    let parameters = try setup(paths[0], info).node.parameterInfos.filter {
      !$0.symbol.contains("[") || $0.symbol.contains("[1]")
    }
    for parameter in parameters {
      var worst: [Change: Double] = [:]
      for path in paths {
        for (from, to) in moves(of: parameter) {
          let rests = try [from, to].map { try setup(path, info, parameter, at: $0).render() }
          for way in [Change.set, .lane] {
            let setup = try setup(path, info, parameter, at: from), node = setup.node
            if way == .lane {
              var lane = Automation(from)
              try lane.set(to, at: MediaTime(frames: Int64(Self.change), at: Double(Self.rate)))
              try node.automate(parameter.symbol, with: lane)
            }
            let heard = try setup.render { if way == .set { try node.set(parameter.symbol, to: to) } }
            let click = click(heard, resting: rests)
            worst[way] = max(worst[way] ?? -200, click)
          }
        }
      }
      for (way, click) in worst where !Self.isException(id, parameter.symbol) {
        #expect(click <= -80, "\(id).\(parameter.symbol) by \(way): \(click) dBFS")
      }
    }
  }

  /// Returns a setup whose effect has a value, and what the parameter needs to have an effect.
  private func setup(
    _ path: String, _ info: ProcessorInfo, _ parameter: ParameterInfo, at value: Float
  ) throws -> Setup {
    let setup = try setup(path, info)
    if let need = parameter.needs, let choice = need.choices.first {
      let band = parameter.symbol.contains("[1]") ? parameter.symbol.prefix { $0 != "." } + "." : ""
      try setup.node.set(band + need.parameter, to: choice)
    }
    try setup.node.set(parameter.symbol, to: value, over: .zero)
    return setup
  }

  @Test(arguments: infos.map(\.id))
  func `no preset, bypass or edit of an effect clicks`(id: String) throws {
    let info = try #require(Self.infos.first { $0.id == id })
    for path in paths {
      for preset in info.presets {
        let after = try setup(path, info), changed = try setup(path, info)
        try after.node.load(preset: preset.id)
        let rests = [try setup(path, info).render(), try after.render()]
        let click = click(try changed.render { try changed.node.load(preset: preset.id) }, resting: rests)
        #expect(Self.isException(id, "preset") || click <= -80, "\(id) by preset \(preset.id): \(click) dBFS")
      }
      for way in [Change.bypass, .edit] where !info.inputs.isEmpty {
        let before = try setup(path, info), changed = try setup(path, info)
        if let preset = info.presets.last {
          for setup in [before, changed] { try setup.node.load(preset: preset.id) }
        }
        let heard = try changed.render {
          try changed.engine.edit { edit in
            if way == .bypass { try edit.setBypassed(true, of: changed.node) }
            if way == .edit { try edit.detach(changed.node) }
          }
        }
        let click = click(heard, resting: [try before.render()])
        #expect(Self.isException(id, way.rawValue) || click <= -80, "\(id) by \(way): \(click) dBFS")
      }
    }
  }

  private static func isException(_ id: String, _ symbol: String) -> Bool {
    // Bands have the same parameters.
    let name = symbol.split(separator: ".").last.map(String.init) ?? symbol
    return exceptions[id]?.contains(name) ?? false
  }
}

/// The part of a signal at 48 kHz above 6 kHz, by a filter of linear phase: a windowed sinc with a stop band below
/// 5 kHz, at −125 dB.
enum HighPart {
  /// The number of taps on each side of the middle one.
  static let reach = 200

  private static let taps: [Float] = {
    let cut = 2 * Double.pi * 5500 / 48_000
    return (-reach...reach).map { tap in
      let x = Double(tap), ideal = tap == 0 ? 1 - cut / .pi : -sin(cut * x) / (.pi * x)
      let side = max(1 - x * x / Double(reach * reach), 0).squareRoot()
      return Float(ideal * bessel(12.8 * side) / bessel(12.8))
    }
  }()

  /// I₀, the modified Bessel function of the first kind.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0, term = 1.0
    for order in 1..<60 {
      term *= (x / 2 / Double(order)) * (x / 2 / Double(order))
      sum += term
    }
    return sum
  }

  /// Returns the magnitudes of the filtered signal around frames of a range.
  static func peaks(_ samples: [Float], in range: Range<Int>) -> [Double] {
    taps.withUnsafeBufferPointer { taps in
      samples.withUnsafeBufferPointer { samples in
        range.filter { $0 >= reach && $0 + reach < samples.count }.map { frame in
          var sums = SIMD8<Float>()
          let first = frame - reach
          guard let row = taps.baseAddress, let sound = samples.baseAddress else { return 0 }
          for tap in stride(from: 0, to: taps.count - 1, by: 8) {
            let one = UnsafeRawPointer(row + tap).loadUnaligned(as: SIMD8<Float>.self)
            sums += one * UnsafeRawPointer(sound + first + tap).loadUnaligned(as: SIMD8<Float>.self)
          }
          let last = taps.count - 1
          return Double(abs(sums.sum() + taps[last] * samples[first + last]))
        }
      }
    }
  }
}
