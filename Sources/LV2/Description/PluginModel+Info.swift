// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

extension PluginModel {
  /// The description for other modules. Ranges in multiples of the sample rate are computed for `sampleRate`.
  func info(sampleRate: Double, presets: [ProcessorInfo.Preset]) -> ProcessorInfo {
    ProcessorInfo(
      id: uri, name: name, meaning: Self.line(comment), origin: .lv2, category: category,
      inputs: busInfo(input: true), outputs: busInfo(input: false),
      parameters: parameters(sampleRate: sampleRate),
      meters: meters(sampleRate: sampleRate),
      presets: presets,
      properties: properties.map { $0.info(sampleRate: sampleRate) },
      requiredFeatures: requiredFeatures, refusal: refusal, needsInput: needsInput, hasPrograms: hasPrograms)
  }

  /// Whether the plugin is useless without a connected input. Generators are not, nor are plugins whose inputs are all
  /// optional, CV, side chains or events.
  private var needsInput: Bool {
    !isSource
      && ports.contains { $0.isInput && $0.kind == .audio && !$0.mayStayOpen && !$0.isSideChain }
  }

  /// The control inputs that the host does not set by itself, in port order, then the writable numeric properties.
  func parameters(sampleRate: Double) -> [ParameterInfo] {
    ports.filter(\.isParameter).map { $0.parameter(sampleRate: sampleRate) }
      + properties.filter { $0.isWritable && $0.kind.isNumeric }.map {
        $0.port.parameter(sampleRate: sampleRate)
      }
  }

  /// The control outputs, in port order.
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
  /// A control input's description for other modules.
  func parameter(sampleRate: Double) -> ParameterInfo {
    let (range, initial) = range(sampleRate: sampleRate)
    let (unit, remark) = measure
    let meaning = [PluginModel.line(comment), remark].filter { !$0.isEmpty }.joined(separator: " ")
    return ParameterInfo(
      number: index, symbol: symbol, name: name, meaning: meaning, unit: unit, range: range, initial: initial,
      curve: curve(over: range), choices: points.map { ParameterInfo.Choice($0.label, $0.value) })
  }

  /// A port's range and default value, all finite.
  ///
  /// A missing bound means unlimited. A missing default is 0, or the nearest value in the range. A default outside the
  /// range extends the range. Bounds in multiples of the sample rate are multiplied by it, and so is a default that
  /// lies within the written bounds (LV2 does not specify this; ports derived from LADSPA are written so).
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

  /// The scale of the range.
  func curve(over range: ClosedRange<Float>) -> ParameterCurve {
    if properties.contains(Name.toggled) { return .toggle }
    if properties.contains(Name.enumeration), !points.isEmpty { return .choice }
    if properties.contains(Name.integer) { return .integer }
    if properties.contains(Name.logarithmic), range.lowerBound > 0 || range.upperBound < 0 {
      return .logarithmic
    }
    return .linear
  }

  /// The unit, if the host has it; otherwise a remark that names it.
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
