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
/// A sine of −6 dBFS has nothing above 6 kHz, so what is there around a change, less what is there at rest before or
/// after, is the click. The filter has a linear phase and attenuates the sine by more than 120 dB.
final class ClickTests {
  /// How a value is changed while the sine plays.
  enum Way: String, CaseIterable { case set, lane, preset, bypass, edit }

  /// Changes that click, with the reason, which the parameter's description states as well.
  static let exceptions: [String: Set<String>] = [:]

  static let rate = 48_000
  /// The frame of the change, on a block's edge and beyond all latencies, and the number of frames.
  private static let change = 86 * 512, frameCount = 215 * 512
  private static let tones = [100.0, 1000.0]
  private let paths: [String]

  init() throws {
    paths = Self.tones.map { _ in
      FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"
    }
    for (path, tone) in zip(paths, Self.tones) {
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: Double(Self.rate),
        channelCount: 2)
      try writer.write(
        [0, 0.7].map { phase in
          (0..<Self.frameCount).map { Float(0.5 * sin(2 * .pi * tone * Double($0) / Double(Self.rate) + phase)) }
        })
      try writer.close()
    }
  }

  deinit { for path in paths { try? FileManager.default.removeItem(atPath: path) } }

  /// `sine ──► effect ──► desk`
  private struct Stage {
    let engine: AudioEngine, sine: AudioNode, node: AudioNode, desk: AudioNode

    init(_ path: String, _ info: ProcessorInfo) throws {
      engine = try AudioEngine(.offline(sampleRate: Double(ClickTests.rate), longestBlock: 512))
      sine = try engine.attach(.player(path))
      desk = try engine.attach(.playback())
      let files = info.files.filter(\.isRequired).map { ($0.symbol, path) }
      node = try engine.attach(.effect(info.id, files: Dictionary(uniqueKeysWithValues: files)))
      if !info.inputs.isEmpty { try engine.connect(sine, node) }
      try engine.connect(node, to: desk)
    }

    /// Renders all frames, with a change on the way.
    func render(_ change: () throws -> Void) throws -> [[Float]] {
      var heard: [[Float]] = [[], []]
      while heard[0].count < ClickTests.frameCount {
        if heard[0].count == ClickTests.change { try change() }
        let block = try #require(try engine.render(512)[desk])
        for channel in 0..<2 { heard[channel] += block.channels[channel] }
      }
      return heard
    }
  }

  /// Returns the peak of a click in decibels of full scale.
  private func click(_ heard: [[Float]]) -> Double {
    var worst = 0.0
    for samples in heard {
      let start = Self.change - HighPart.reach, end = min(Self.change + 40_000, samples.count)
      let peaks = HighPart.peaks(samples, in: start..<end)
      let rests = [
        HighPart.peaks(samples, in: (start - 12_000)..<start).max() ?? 0,
        HighPart.peaks(samples, in: (samples.count - 12_000)..<samples.count - HighPart.reach).max() ?? 0,
      ]
      worst = max(worst, (peaks.max() ?? 0) - (rests.max() ?? 0))
    }
    return 20 * log10(max(worst, 1e-9))
  }

  /// The pairs of values between which a parameter is changed.
  private func moves(of parameter: ParameterInfo) -> [(from: Float, to: Float)] {
    let low = parameter.range.lowerBound, high = parameter.range.upperBound
    guard parameter.curve == .choice else { return [(low, high), (high, low)] }
    return (0..<Int(high)).map { (Float($0), Float($0 + 1)) } + [(high, low)]
  }

  private static let infos = EffectCatalog.builtIn.infos

  @Test(arguments: infos.map(\.id))
  func `no step and no lane of a parameter clicks`(id: String) throws {
    let info = try #require(Self.infos.first { $0.id == id })
    for parameter in try Stage(paths[0], info).node.parameterInfos {
      var worst: [Way: Double] = [:]
      for (tone, path) in zip(Self.tones, paths) {
        for (from, to) in moves(of: parameter) {
          for way in [Way.set, .lane] {
            let stage = try Stage(path, info), node = stage.node
            if let need = parameter.needs, let choice = need.choices.first {
              try node.set(need.parameter, to: choice)
            }
            try node.set(parameter.symbol, to: from, over: .zero)
            if way == .lane {
              var lane = Automation(from)
              try lane.set(to, at: MediaTime(frames: Int64(Self.change), at: Double(Self.rate)))
              try node.automate(parameter.symbol, with: lane)
            }
            let heard = try stage.render { if way == .set { try node.set(parameter.symbol, to: to) } }
            let click = click(heard)
            worst[way] = max(worst[way] ?? -200, click)
            log("\(id).\(parameter.symbol) \(way) \(tone) \(from) to \(to): \(click)")
          }
        }
      }
      for (way, click) in worst where !Self.isException(id, parameter.symbol) {
        #expect(click <= -80, "\(id).\(parameter.symbol) by \(way): \(click) dBFS")
      }
    }
  }

  @Test(arguments: infos.map(\.id))
  func `no preset, bypass or edit of an effect clicks`(id: String) throws {
    let info = try #require(Self.infos.first { $0.id == id })
    for (tone, path) in zip(Self.tones, paths) {
      for preset in info.presets {
        let stage = try Stage(path, info)
        let click = click(try stage.render { try stage.node.load(preset: preset.id) })
        log("\(id) preset \(preset.id) \(tone): \(click)")
        #expect(Self.isException(id, "preset") || click <= -80, "\(id) by preset \(preset.id): \(click) dBFS")
      }
      for way in [Way.bypass, .edit] where !info.inputs.isEmpty {
        let stage = try Stage(path, info)
        if let preset = info.presets.last { try stage.node.load(preset: preset.id) }
        let click = click(
          try stage.render {
            try stage.engine.edit { edit in
              if way == .bypass { try edit.setBypassed(true, of: stage.node) }
              if way == .edit { try edit.detach(stage.node) }
            }
          })
        log("\(id) \(way) \(tone): \(click)")
        #expect(Self.isException(id, way.rawValue) || click <= -80, "\(id) by \(way): \(click) dBFS")
      }
    }
  }

  private static func isException(_ id: String, _ symbol: String) -> Bool {
    // Bands have the same parameters.
    let name = symbol.split(separator: ".").last.map(String.init) ?? symbol
    return exceptions[id]?.contains(name) ?? false
  }

  private func log(_ line: String) {
    guard let path = ProcessInfo.processInfo.environment["SWIFTLET_CLICKS"] else { return }
    if !FileManager.default.fileExists(atPath: path) {
      FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let file = FileHandle(forWritingAtPath: path) else { return }
    file.seekToEndOfFile()
    file.write(Data((line + "\n").utf8))
    try? file.close()
  }
}

/// The part of a signal at 48 kHz above 6 kHz, by a filter of linear phase: a windowed sinc with a stop band below
/// 5 kHz, at −125 dB.
enum HighPart {
  /// The number of taps on each side of the middle one.
  static let reach = 200

  private static let taps: [Float] = {
    let cut = 2 * Double.pi * 5500 / 48_000
    return (-reach...reach).map { place in
      let x = Double(place), ideal = place == 0 ? 1 - cut / .pi : -sin(cut * x) / (.pi * x)
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
          for place in stride(from: 0, to: taps.count - 1, by: 8) {
            var one = SIMD8<Float>(), other = SIMD8<Float>()
            for lane in 0..<8 {
              one[lane] = taps[place + lane]
              other[lane] = samples[first + place + lane]
            }
            sums += one * other
          }
          let last = taps.count - 1
          return Double(abs(sums.sum() + taps[last] * samples[first + last]))
        }
      }
    }
  }
}
