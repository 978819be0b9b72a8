// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Checks that a unit keeps the promises of ``Effect``: the suite that every effect passes, yours too.
///
/// It needs no test framework: it gives back what it found.
///
/// ```swift
/// @Test func `the delay conforms`() throws {
///   #expect(try Conformance<Delay>().findings() == [])
/// }
/// ```
///
/// Run it in release: it renders some minutes of sound, which debug builds do seventy times slower.
public struct Conformance<Unit: Effect & ~Copyable>: Sendable {
  /// A parameter that is set before each check.
  public typealias Setting = (parameter: Int, value: Float)

  let sampleRates: [Double]
  let channels: Int
  let bandCount: Int
  let settings: [Setting]
  let files: [UnitFile?]
  let engine: Int
  let omitted: Set<Rule>

  /// A run of the suite.
  ///
  /// - Parameters:
  ///   - sampleRates: the rates at which extremes and presets are tried; all else is at the first.
  ///   - channels: how many channels the main buses have.
  ///   - bandCount: how many bands a unit with bands has; 0 means as many as it asks for.
  ///   - settings: what is set before each check, in place of initial values.
  ///   - files: the unit's files; where nothing is said, a sound that decays for each that is a sound.
  ///   - engine: which of the description's engines the unit works with.
  ///   - omitted: rules that do not apply, such as `latency` for a unit that lets nothing through undelayed.
  public init(
    sampleRates: [Double] = [48_000, 44_100, 96_000, 192_000], channels: Int = 2, bandCount: Int = 0,
    settings: [Setting] = [], files: [UnitFile?] = [], engine: Int = 0, without omitted: Set<Rule> = []
  ) {
    self.sampleRates = sampleRates
    self.channels = channels
    self.bandCount = bandCount > 0 ? bandCount : Unit.bands?.count(channels: channels) ?? 0
    self.settings = settings
    self.files = files.isEmpty ? Unit.description.files.map(\.standIn) : files
    self.engine = engine
    self.omitted = omitted
  }

  /// Everything that is wrong with the unit; empty for a good one.
  ///
  /// - Throws: ``EffectError`` where the unit cannot be made at all.
  public func findings() throws(EffectError) -> [Finding] {
    var findings: [Finding] = []
    for rule in Rule.allCases where !omitted.contains(rule) {
      let messages: [String] =
        switch rule {
        case .description: checkDescription()
        case .blockSizes: try checkBlockSizes()
        case .reset: try checkReset()
        case .silence: try checkSilence()
        case .badSamples: try checkBadSamples()
        case .extremes: try checkExtremes()
        case .presets: try checkPresets()
        case .needs: try checkNeeds()
        case .clicks: try checkClicks()
        case .memory: try checkMemory()
        case .latency: try checkLatency()
        }
      findings += messages.map { Finding(rule: rule, message: $0) }
    }
    return findings
  }

  // MARK: - What the checks share

  var sampleRate: Double { sampleRates.first ?? 48_000 }
  var parameters: [ParameterDescription] { Unit.parameters(bandCount: bandCount) }

  /// A new unit with the settings made.
  func rig(at rate: Double? = nil) throws(EffectError) -> UnitRig<Unit> {
    var rig = try UnitRig<Unit>(layout(at: rate ?? sampleRate))
    for setting in settings { rig.set(setting.parameter, to: setting.value) }
    return rig
  }

  private func layout(at rate: Double) -> Layout {
    let description = Unit.description
    return Layout(
      sampleRate: rate, longestBlock: 1024, inputs: description.inputs.map(count),
      outputs: description.outputs.map(count), bandCount: bandCount, files: files, engine: engine)
  }

  private func count(_ bus: EffectBus) -> Int {
    switch bus.content {
    case .matching: channels
    case .atLeast(let fewest): max(channels, fewest)
    case .channels(let count): count
    case .events: 0
    }
  }

  /// White noise for each channel of the main input, at −6 dBFS, the same each time.
  func noise(_ frameCount: Int) -> [[Float]] {
    let first = Unit.description.inputs.first.map(count) ?? 0
    return (0..<max(first, 1)).map { channel in
      var state = UInt64(channel + 1) &* 0x9E37_79B9_7F4A_7C15
      return (0..<frameCount).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 4_294_967_296
      }
    }
  }

  /// What `parameter` is before a check touches it.
  func value(of parameter: Int) -> Float {
    settings.last { $0.parameter == parameter }?.value ?? parameters[parameter].initial
  }

  /// The parameter's number and name, for messages.
  func name(_ number: Int) -> String { "parameter \(number) (\(parameters[number].symbol))" }

  /// Where two renders differ first; nil where they do not, NaN being equal to NaN.
  func firstDifference(_ one: [[Float]], _ other: [[Float]]) -> String? {
    for channel in one.indices {
      for frame in one[channel].indices
      where one[channel][frame].bitPattern != other[channel][frame].bitPattern {
        return "channel \(channel), frame \(frame): \(one[channel][frame]) against \(other[channel][frame])"
      }
    }
    return nil
  }

  /// The first sample that is no finite number.
  func firstBad(_ output: [[Float]]) -> String? {
    for (channel, samples) in output.enumerated() {
      if let frame = samples.firstIndex(where: { !$0.isFinite }) {
        return "channel \(channel), frame \(frame): \(samples[frame])"
      }
    }
    return nil
  }
}
