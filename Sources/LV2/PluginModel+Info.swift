// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

extension PluginModel {
  /// The description as the rest of the house reads it. Ranges that follow the
  /// sample rate are for `sampleRate`.
  func info(sampleRate: Double, presets: [ProcessorInfo.Preset]) -> ProcessorInfo {
    ProcessorInfo(
      id: uri, name: name, meaning: Self.line(comment), origin: .lv2, category: category,
      inputs: busInfo(input: true), outputs: busInfo(input: false),
      parameters: parameters(sampleRate: sampleRate),
      meters: meters(sampleRate: sampleRate),
      presets: presets,
      properties: properties.map { $0.info(sampleRate: sampleRate) },
      requiredFeatures: requiredFeatures, refusal: refusal, needsInput: needsInput)
  }

  /// Whether the plugin does nothing useful while nothing is wired into it. Sources do without, and so do plugins whose
  /// inputs are optional, control voltages, side chains or events.
  private var needsInput: Bool {
    !isSource
      && ports.contains { $0.isInput && $0.kind == .audio && !$0.mayStayOpen && !$0.isSideChain }
  }

  /// The control inputs that the host does not set by itself, in the order of their ports, then the writable properties
  /// that are numbers.
  func parameters(sampleRate: Double) -> [ParameterInfo] {
    ports.filter(\.isParameter).map { $0.parameter(sampleRate: sampleRate) }
      + properties.filter { $0.isWritable && $0.kind.isNumeric }.map {
        $0.port.parameter(sampleRate: sampleRate)
      }
  }

  /// The control outputs, in the order of their ports.
  func meters(sampleRate: Double) -> [ProcessorInfo.Meter] {
    ports.filter(\.isMeter).map { port in
      ProcessorInfo.Meter(
        symbol: port.symbol, name: port.name, unit: port.measure.unit,
        range: port.range(sampleRate: sampleRate).range)
    }
  }

  /// The first paragraph of a text, on one line.
  static func line(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
    return lines.drop(while: \.isEmpty).prefix { !$0.isEmpty }.joined(separator: " ")
  }
}

extension PluginPort {
  /// A control input as the rest of the program reads it.
  func parameter(sampleRate: Double) -> ParameterInfo {
    let (range, initial) = range(sampleRate: sampleRate)
    let (unit, remark) = measure
    let meaning = [PluginModel.line(comment), remark].filter { !$0.isEmpty }.joined(separator: " ")
    return ParameterInfo(
      number: index, symbol: symbol, name: name, meaning: meaning, unit: unit, range: range, initial: initial,
      curve: curve(over: range), choices: points.map { ParameterInfo.Choice($0.label, $0.value) })
  }

  /// The values a port takes and the one it starts with, all finite.
  ///
  /// An end that is not stated is open. A default that is missing is 0, or the nearest value in the range;
  /// one outside the range widens it, since the plugin's word on its own default counts. Bounds that follow
  /// the sample rate are multiplied by it, and so is a default that lies within those bounds as written (LV2
  /// is silent on it; LADSPA's descendants write it so).
  func range(sampleRate: Double) -> (range: ClosedRange<Float>, initial: Float) {
    var low = minimum ?? -Float.greatestFiniteMagnitude
    var high = maximum ?? Float.greatestFiniteMagnitude
    if high < low { swap(&low, &high) }
    var start = initial
    if properties.contains(Name.sampleRateBounds) {
      let rate = Float(sampleRate)
      if let written = start, low <= written && written <= high { start = written * rate }
      if minimum != nil { low *= rate }
      if maximum != nil { high *= rate }
    }
    if properties.contains(Name.toggled) {
      return (0...1, (start ?? 0) > 0 ? 1 : 0)
    }
    let value = start ?? min(max(0, low), high)
    return (min(low, value)...max(high, value), value)
  }

  /// How the range is laid out.
  func curve(over range: ClosedRange<Float>) -> ParameterCurve {
    if properties.contains(Name.toggled) { return .toggle }
    if properties.contains(Name.enumeration), !points.isEmpty { return .choice }
    if properties.contains(Name.integer) { return .integer }
    if properties.contains(Name.logarithmic), range.lowerBound > 0 || range.upperBound < 0 {
      return .logarithmic
    }
    return .linear
  }

  /// The unit, if it is one of ours; else a remark that names it.
  var measure: (unit: ParameterUnit, remark: String) {
    guard let unit else { return (.none, "") }
    guard unit.hasPrefix(Name.unitPrefix) else {
      return (.none, unitSymbol.map { "In \($0)." } ?? "")
    }
    switch unit.dropFirst(Name.unitPrefix.count) {
    case "db": return (.decibels, "")
    case "hz": return (.hertz, "")
    case "ms": return (.milliseconds, "")
    case "s": return (.seconds, "")
    case "pc": return (.percent, "")
    case "semitone12TET": return (.semitones, "")
    case "cent": return (.cents, "")
    case "midiNote": return (.midiNote, "")
    case "oct": return (.octaves, "")
    case "bpm": return (.beatsPerMinute, "")
    case "degree": return (.degrees, "")
    case "m": return (.metres, "")
    case "frame": return (.frames, "")
    case "coef": return (.none, "")
    case let other: return (.none, "In \(unitSymbol ?? String(other)).")
    }
  }
}
