// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// The conformance suite that every effect must pass: checks that an effect fulfils the requirements of ``Effect``.
///
/// It depends on no test framework, and returns its findings.
///
/// ```swift
/// @Test func `the delay conforms`() throws {
///   #expect(try Conformance<Delay>().findings() == [])
/// }
/// ```
///
/// Run it in release builds: it renders some minutes of sound, which takes seventy times longer in debug builds.
public struct Conformance<E: Effect & ~Copyable>: Sendable {
  /// A parameter that is set before each check.
  public typealias Setting = (parameter: Int, value: Float)

  let sampleRates: [Double]
  let channels: Int
  let bandCount: Int
  let settings: [Setting]
  let files: [EffectFile?]
  let engine: Int
  let omitted: Set<Rule>

  /// Creates a run of the suite.
  ///
  /// - Parameters:
  ///   - sampleRates: The sample rates of the checks of extremes and presets, in Hz. All other checks use the first.
  ///   - channels: The number of channels of the main buses; default: 2.
  ///   - bandCount: The number of bands of an effect with bands; default: 0, for the effect's initial number.
  ///   - settings: The parameters that are set before each check; default: none, for the initial values.
  ///   - files: The effect's files; default: a decaying sound for each sound file.
  ///   - engine: The index of the effect's algorithm in the description's `algorithms`; default: 0.
  ///   - omitted: The rules that do not apply, such as `latency` for an effect without an undelayed path.
  public init(
    sampleRates: [Double] = [48_000, 44_100, 96_000, 192_000], channels: Int = 2, bandCount: Int = 0,
    settings: [Setting] = [], files: [EffectFile?] = [], engine: Int = 0, without omitted: Set<Rule> = []
  ) {
    self.sampleRates = sampleRates
    self.channels = channels
    self.bandCount = bandCount > 0 ? bandCount : E.bands?.count(channels: channels) ?? 0
    self.settings = settings
    self.files = files.isEmpty ? E.description.files.map(\.standIn) : files
    self.engine = engine
    self.omitted = omitted
  }

  /// Runs all checks. Returns an empty array if the effect conforms.
  ///
  /// - Throws: ``EffectError`` if the effect cannot be created.
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
  var parameters: [ParameterDescription] { E.parameters(bandCount: bandCount) }

  /// Creates an effect with the settings.
  func rig(at rate: Double? = nil) throws(EffectError) -> EffectRig<E> {
    var rig = try EffectRig<E>(layout(at: rate ?? sampleRate))
    for setting in settings { rig.set(setting.parameter, to: setting.value) }
    return rig
  }

  private func layout(at rate: Double) -> Layout {
    let description = E.description
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

  /// Returns white noise at −6 dBFS for each channel of the main input. It is deterministic.
  func noise(_ frameCount: Int) -> [[Float]] {
    let first = E.description.inputs.first.map(count) ?? 0
    return (0..<max(first, 1)).map { channel in
      var state = UInt64(channel + 1) &* 0x9E37_79B9_7F4A_7C15
      return (0..<frameCount).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 4_294_967_296
      }
    }
  }

  /// Returns a parameter's value at the start of a check.
  func value(of parameter: Int) -> Float {
    settings.last { $0.parameter == parameter }?.value ?? parameters[parameter].initial
  }

  /// Returns the parameter's number and name, for messages.
  func name(_ number: Int) -> String { "parameter \(number) (\(parameters[number].symbol))" }

  /// Returns the first difference between two renders; nil if they are identical. NaN equals NaN.
  func firstDifference(_ one: [[Float]], _ other: [[Float]]) -> String? {
    for channel in one.indices {
      for frame in one[channel].indices
      where one[channel][frame].bitPattern != other[channel][frame].bitPattern {
        return "channel \(channel), frame \(frame): \(one[channel][frame]) against \(other[channel][frame])"
      }
    }
    return nil
  }

  /// Returns the first sample that is not finite; nil if there is none.
  func firstBad(_ output: [[Float]]) -> String? {
    for (channel, samples) in output.enumerated() {
      if let frame = samples.firstIndex(where: { !$0.isFinite }) {
        return "channel \(channel), frame \(frame): \(samples[frame])"
      }
    }
    return nil
  }
}
