// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletManifest
internal import SwiftletSignal

/// Effects and plugins as text.
enum CatalogueText {
  /// Returns a list with one line for each item. Items that cannot be used are omitted.
  static func list(_ items: [Catalogue.Item], style: Style) -> [StyledText] {
    var table = Table()
    let usable = items.filter { $0.refusal == nil }
    for item in usable {
      let origin = style.paint(item.origin.rawValue, item.origin == .builtIn ? .green : .cyan)
      table.add(
        styled: origin, StyledText(item.name.shortened()),
        item.crash == nil
          ? StyledText(item.category)
          : style.paint(item.category.isEmpty ? "(crashes)" : "\(item.category) (crashes)", .red),
        StyledText(item.id))
    }
    return table.lines
  }

  /// Returns the complete description of an effect or plugin.
  static func page(
    _ info: ProcessorInfo, latency: Int?, _ programs: [PluginProgram] = [], style: Style
  ) -> [StyledText] {
    var lines = [style.paint(info.name.shortened(), .bold)]
    if !info.meaning.isEmpty { lines.append(StyledText(info.meaning.shortened(to: 1000))) }
    if let refusal = info.refusal { lines.append(style.paint("It cannot be used here: \(refusal)", .red)) }
    lines.append("")
    var facts = Table()
    facts.add("in a manifest", info.origin == .builtIn ? "effect: \(info.id)" : "lv2: \(info.id)")
    if !info.category.isEmpty { facts.add("kind", info.category) }
    facts.add("comes in", buses(info.inputs))
    facts.add("goes out", buses(info.outputs))
    if let latency {
      facts.add("latency", latency == 0 ? "none" : "\(Digits.count(latency, "frame")) at 48 kHz")
    }
    if !info.algorithms.isEmpty { facts.add("engines", algorithms(info.algorithms)) }
    if !info.requiredFeatures.isEmpty { facts.add("requires", info.requiredFeatures.joined(separator: " ")) }
    lines += facts.lines
    var files = Table(indent: "  ")
    for file in info.files {
      files.add(file.symbol, file.isRequired ? "needed" : "", file.meaning.shortened(to: 300))
    }
    lines += section("files", files.lines, style)
    lines += section("read from messages", properties(info.properties), style)
    lines += section("parameters", parameters(info.parameters), style)
    if let bands = info.bands {
      let (least, most) = (bands.count.lowerBound, bands.count.upperBound)
      let howMany =
        bands.followsChannels
        ? "one for each input channel, at most \(most)"
        : "\(least) to \(most), default \(bands.defaultCount)"
      let title = "\(bands.symbol): \(howMany), each with"
      lines += section(title, parameters(bands.parameters), style)
    }
    var meters = Table(indent: "  ")
    for meter in info.meters {
      meters.add(meter.symbol, range(meter.range, meter.unit), meter.name == meter.symbol ? "" : meter.name)
    }
    lines += section("shows while it runs", meters.lines, style)
    var presets = Table(indent: "  ")
    for preset in info.presets {
      presets.add(preset.label.shortened(), preset.id == preset.label ? "" : preset.id)
    }
    lines += section("presets", presets.lines, style)
    var listed = Table(indent: "  ")
    for program in programs {
      listed.add("\(program.change.bank + 1)/\(program.change.program + 1)", program.name.shortened())
    }
    lines += section("programs", listed.lines, style)
    return lines
  }

  private static func section(_ title: String, _ lines: [StyledText], _ style: Style) -> [StyledText] {
    lines.isEmpty ? [] : ["", style.paint(title, .bold)] + lines
  }

  private static func parameters(_ parameters: [ParameterInfo]) -> [StyledText] {
    var table = Table(indent: "  ")
    for parameter in parameters {
      let meaning = (parameter.meaning.isEmpty ? parameter.name : parameter.meaning).shortened(to: 300)
      let names = names(parameter)
      // A long list of names goes last, so that it does not push the description off the screen.
      let isLong = names.count > 40
      let values = [values(parameter), isLong ? "" : names].filter { !$0.isEmpty }.joined(separator: ", ")
      table.add(
        parameter.symbol, initial(parameter), values.isEmpty ? "a name" : values,
        isLong ? "\(meaning): \(names)" : meaning)
    }
    return table.lines
  }

  /// Returns the plugin's properties that messages set or report: files, texts, vectors, and values that only the
  /// plugin sets.
  private static func properties(_ properties: [ProcessorInfo.Property]) -> [StyledText] {
    var table = Table(indent: "  ")
    for property in properties where !property.isWritable || property.parameter == nil {
      let access = property.isWritable ? "" : ", which the plugin alone sets"
      table.add(
        property.symbol, property.kind.words + access,
        (property.meaning.isEmpty ? property.name : property.meaning).shortened(to: 300))
    }
    return table.lines
  }

  /// Returns the names of a parameter's values.
  private static func names(_ parameter: ParameterInfo) -> String {
    let isChoice = parameter.curve == .choice
    return parameter.choices.map { isChoice ? $0.name : "\($0.name) = \(Digits.short(Double($0.value)))" }
      .joined(separator: isChoice ? " | " : ", ")
  }

  /// Returns the default value of a parameter.
  static func initial(_ parameter: ParameterInfo) -> String {
    switch parameter.curve {
    case .toggle: parameter.initial > 0 ? "true" : "false"
    case .choice:
      parameter.choices.first { $0.value == parameter.initial }?.name
        ?? Digits.short(Double(parameter.initial))
    default: quantity(parameter.initial, parameter.unit)
    }
  }

  /// Returns the range of a parameter's numbers; empty if the parameter has named values only.
  static func values(_ parameter: ParameterInfo) -> String {
    switch parameter.curve {
    case .toggle: return "true or false"
    case .choice: return ""
    default: return range(parameter.range, parameter.unit, isWhole: parameter.curve == .integer)
    }
  }

  /// Returns a range: `-96 to 24 dB`. Unbounded ends are omitted.
  static func range(_ range: ClosedRange<Float>, _ unit: ParameterUnit, isWhole: Bool = false) -> String {
    let hasStart = range.lowerBound > -.greatestFiniteMagnitude
    let hasEnd = range.upperBound < .greatestFiniteMagnitude
    let (low, high) = (Digits.short(Double(range.lowerBound)), quantity(range.upperBound, unit))
    let whole = isWhole ? "whole, " : ""
    switch (hasStart, hasEnd) {
    case (true, true): return "\(whole)\(low) to \(high)"
    case (true, false): return "\(whole)from \(quantity(range.lowerBound, unit))"
    case (false, true): return "\(whole)up to \(high)"
    case (false, false):
      return isWhole ? "any whole number" : "any\(unit.written.map { " \($0.rawValue)" } ?? " number")"
    }
  }

  /// Returns a number with its unit: `350 ms`.
  static func quantity(_ value: Float, _ unit: ParameterUnit) -> String {
    Digits.short(Double(value)) + (unit.written.map { " \($0.rawValue)" } ?? "")
  }

  /// Returns the stretch algorithms, with a remark on those that are not in this build.
  private static func algorithms(_ names: [String]) -> String {
    names.map { name in
      StretchAlgorithm(rawValue: name)?.isBuilt == false ? "\(name) (not in this build)" : name
    }.joined(separator: ", ")
  }

  private static func buses(_ buses: [ProcessorInfo.Bus]) -> String {
    if buses.isEmpty { return "nothing" }
    return buses.map { bus in
      let what =
        switch bus.content {
        case .matching: "as many channels as are wired"
        case .atLeast(let fewest): "as many channels as are wired, at least \(fewest)"
        case .channels(1): "1 channel"
        case .channels(let count): "\(count) channels"
        case .events: "events"
        }
      return "\(bus.symbol) (\(what)\(bus.isSideChain ? ", side-chain" : ""))"
    }.joined(separator: ", ")
  }
}
