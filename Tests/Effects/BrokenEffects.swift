// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTesting

/// A fault in an otherwise correct effect.
protocol Fault {
  /// The rule that the suite must report as broken.
  static var rule: Rule { get }
  static var kind: FaultKind { get }
}

/// The fault of a ``Broken`` effect.
enum FaultKind {
  case none, tooManyNames, cutsAtBlocks, keepsSound, ringsOn, lets, explodes, presetOutside, presetMisnamed,
    claimsRest, steps, writesInput, lies
}

enum NoFault: Fault { static let rule = Rule.description, kind = FaultKind.none }
enum TooManyNames: Fault { static let rule = Rule.description, kind = FaultKind.tooManyNames }
enum CutsAtBlocks: Fault { static let rule = Rule.blockSizes, kind = FaultKind.cutsAtBlocks }
enum KeepsSound: Fault { static let rule = Rule.reset, kind = FaultKind.keepsSound }
enum RingsOn: Fault { static let rule = Rule.silence, kind = FaultKind.ringsOn }
enum LetsNaNIn: Fault { static let rule = Rule.badSamples, kind = FaultKind.lets }
enum Explodes: Fault { static let rule = Rule.extremes, kind = FaultKind.explodes }
enum PresetOutside: Fault { static let rule = Rule.presets, kind = FaultKind.presetOutside }
enum PresetMisnamed: Fault { static let rule = Rule.presets, kind = FaultKind.presetMisnamed }
enum ClaimsRest: Fault { static let rule = Rule.needs, kind = FaultKind.claimsRest }
enum Steps: Fault { static let rule = Rule.clicks, kind = FaultKind.steps }
enum WritesInput: Fault { static let rule = Rule.memory, kind = FaultKind.writesInput }
enum Lies: Fault { static let rule = Rule.latency, kind = FaultKind.lies }

/// A one-pole echo of the input: a correct effect with at most one fault.
struct Broken<Wrong: Fault>: Effect {
  enum Parameter: Int, CaseIterable, Sendable {
    case level, other
  }

  struct Parameters: ParameterList {
    /// The level; with the fault `claimsRest` it claims to need `other`.
    var level: TypedParameter<Parameter, Float> {
      .init(
        .level, "level", name: "Level", "How loud", range: 0...1, default: 1,
        needs: Wrong.kind == .claimsRest ? ParameterCondition("other", ["on"]) : nil)
    }
    /// A parameter without effect; with the fault `tooManyNames` its symbol is invalid.
    var other: TypedParameter<Parameter, Float> {
      .init(
        .other, Wrong.kind == .tooManyNames ? "Other One" : "other", name: "Other", "Does nothing",
        range: 0...1, default: 0)
    }
    /// `other` as a choice, which `level` can claim to need.
    var otherChoice: TypedParameter<Parameter, Other> {
      .init(.other, "other", name: "Other", "Does nothing", default: .off)
    }

    func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .level: level.description
      case .other: Wrong.kind == .claimsRest ? otherChoice.description : other.description
      }
    }
  }

  enum Preset: PresetList {
    case loud

    func describe() -> EffectPreset {
      EffectPreset(
        Wrong.kind == .presetMisnamed ? "very-loud" : "loud", [(0, Wrong.kind == .presetOutside ? 2 : 1)])
    }
  }

  enum Other: Int, ParameterChoice {
    case off, on

    var symbol: StaticString {
      switch self {
      case .off: "off"
      case .on: "on"
      }
    }
  }

  static var description: EffectDescription {
    EffectDescription(
      "broken", name: "Broken", "Has one fault", uri: "urn:swiftlet:test:broken", lv2Class: "Plugin")
  }

  private var level = Ramp(1)
  private var memory: [Float]
  private var limit: Float = 1

  init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    memory = Array(repeating: 0, count: layout.outputs[0])
  }

  var latency: Int { Wrong.kind == .lies ? 3 : 0 }
  // 0.5 to the power of 17 lies below -100 dB.
  var tail: Int { Wrong.kind == .ringsOn ? 2 : 24 }

  mutating func reset() {
    level.finish()
    if Wrong.kind != .keepsSound { for channel in memory.indices { memory[channel] = 0 } }
  }

  mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    guard parameter == .level else { return }
    level.glide(to: value, over: Wrong.kind == .steps ? 0 : frames)
    if Wrong.kind == .explodes { limit = value }
  }

  mutating func process(_ block: Block) {
    let source = block.input(), sink = block.output()
    for channel in 0..<sink.channelCount {
      if Wrong.kind == .cutsAtBlocks { memory[channel] = 0 }
      for frame in 0..<block.frameCount {
        let sample = Wrong.kind == .lets ? source[channel][frame] : source[channel][clean: frame]
        let factor = level.value(after: frame + 1)
        memory[channel] = sample + 0.5 * memory[channel]
        sink[channel][frame] = memory[channel] * factor / limit
      }
      if Wrong.kind == .writesInput { block.input().overwrite(channel) }
    }
    level.skip(block.frameCount)
  }
}

extension InputBus {
  /// Writes to the input, which no effect may do.
  fileprivate func overwrite(_ channel: Int) {
    UnsafeMutablePointer(mutating: self[channel].unsafeBase)[0] = 9
  }
}
