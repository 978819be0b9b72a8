// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletFiles
internal import SwiftletManifest
internal import SwiftletGraph
internal import SwiftletPlayback

/// The value of `--set`, such as `echo.time=350ms`, `tone.bands[2].gain=-3dB` or `mic->main.gain=-6dB`.
struct Setting: Equatable, Sendable {
  /// The node's name, or a wire with its arrow.
  var node: String
  /// The parameter's symbol; for a band `bands[2].gain`, counted from 1.
  var parameter: String
  /// The new value as text.
  var value: String

  /// Parses `echo.time=350ms`.
  init?(_ argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    // The name of a wire may have dots before its buses, too.
    let name = argument[..<equals]
    guard let dot = name.contains("->") ? name.lastIndex(of: ".") : name.firstIndex(of: ".") else {
      return nil
    }
    node = String(argument[..<dot])
    parameter = String(argument[argument.index(after: dot)..<equals])
    value =
      argument[argument.index(after: equals)...].trimmingSuffix(while: \.isWhitespace)
      .trimmingPrefix(while: \.isWhitespace).description
    guard !node.isEmpty, !parameter.isEmpty, !value.isEmpty else { return nil }
  }

  /// Sets the value in a manifest.
  ///
  /// - Throws: A ``Failure`` with the status of a wrong command line: an unknown name, or an invalid value.
  func apply(to manifest: inout ResolvedManifest) throws(Failure) {
    if node.contains("->") { return try applyToWire(of: &manifest) }
    guard let index = manifest.nodes.firstIndex(where: { $0.name == node }) else {
      throw unknown("there is no node '\(node.shortened())'", node, among: manifest.nodes.map(\.name))
    }
    var target = manifest.nodes[index]
    if case .plugin(let info) = target.kind, let property = info.property(parameter), property.isSetByMessage
    {
      target.set(property: property.number, to: try value(for: property))
      manifest.nodes[index] = target
      return
    }
    let (found, number) = try resolved(among: target.settable)
    switch target.kind {
    case .effect, .plugin: target.set(found.number, to: Float(number))
    case .playback: target.ceiling = number
    default:
      switch found.symbol {
      case StreamSource.speed.symbol: target.stretch.speed = number
      case StreamSource.varispeed.symbol: target.stretch.varispeed = number
      case StreamSource.pitch.symbol: target.stretch.pitch = number
      default: target.gain = number
      }
    }
    manifest.nodes[index] = target
  }

  /// Returns the parameter, and the value in its unit.
  ///
  /// - Throws: The errors of ``apply(to:)``.
  func resolved(among parameters: [ParameterInfo]) throws(Failure) -> (ParameterInfo, value: Double) {
    guard let found = parameters.first(where: { $0.symbol == parameter }) else {
      throw unknown(
        "'\(node)' has no parameter '\(parameter.shortened())'", parameter, among: parameters.map(\.symbol))
    }
    return (found, try number(for: found))
  }

  /// Returns the value of a property. A relative path is relative to the current folder.
  private func value(for property: ProcessorInfo.Property) throws(Failure) -> PropertyValue {
    let read: PropertyValue
    do throws(ProcessorInfo.Property.Misfit) { read = try property.value(of: value) } catch {
      throw refusal(error.reason)
    }
    guard case .path(let path) = read else { return read }
    let expanded = HomeFolder.expanded(path)
    if let fault = PropertyFile.fault(expanded) {
      throw Failure(
        .badCommandLine, "--set \(node).\(parameter): the file '\(path.shortened())' \(fault.detail)")
    }
    return .path(expanded)
  }

  /// Returns the value in the parameter's unit.
  private func number(for parameter: ParameterInfo) throws(Failure) -> Double {
    if let choice = parameter.choices.first(where: { $0.name == value }) { return Double(choice.value) }
    switch parameter.curve {
    case .toggle:
      if value == "true" || value == "false" { return value == "true" ? 1 : 0 }
      throw refusal("expected true or false")
    case .choice:
      throw unknown(
        "'\(self.parameter)' of '\(node)' cannot be '\(value.shortened())'", value,
        among: parameter.choices.map(\.name))
    case .linear, .logarithmic, .integer:
      let range = CatalogueText.range(parameter.range, parameter.unit, isWhole: parameter.curve == .integer)
      guard let number = Quantity(value)?.value(in: parameter.unit) else {
        throw refusal("expected \(range)")
      }
      // The range is of 32-bit floats, so the value is compared as one: a minimum of 0.05 is the float nearest to
      // 0.05.
      guard parameter.range ~= Float(number), parameter.curve != .integer || number == number.rounded() else {
        throw refusal("expected \(range)")
      }
      return min(max(number, Double(parameter.range.lowerBound)), Double(parameter.range.upperBound))
    }
  }

  private func refusal(_ expected: String) -> Failure {
    Failure(.badCommandLine, "--set \(node).\(parameter): found '\(value.shortened())'; \(expected)")
  }

  func unknown(_ text: String, _ word: String, among known: [String]) -> Failure {
    let near = NearestName.nearest(to: String(word.prefix(100)), among: known)
    let some = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? ", …" : "")
    let list = ": there \(known.count == 1 ? "is" : "are") \(some)"
    let hint = near.map { "; did you mean '\($0)'?" } ?? (known.isEmpty ? ": it has none" : list)
    return Failure(.badCommandLine, "--set: \(text)\(hint)")
  }
}

extension ResolvedManifest.Node {
  /// The parameters that `--set` can change. Those of bands have symbols such as `bands[2].gain`.
  var settable: [ParameterInfo] {
    switch kind {
    case .effect(let info), .plugin(let info):
      guard let bands = info.bands else { return info.parameters }
      return info.parameters
        + (0..<bandCount).flatMap { band in
          bands.parameters.map { parameter in
            var parameter = parameter
            parameter.symbol = "\(bands.symbol)[\(band + 1)].\(parameter.symbol)"
            parameter.number += band * bands.parameters.count
            return parameter
          }
        }
    case .mixer: return [StreamSource.gain]
    case .player, .track: return StreamSource.parameters
    case .playback: return [NodeKind.ceiling]
    case .capture, .midiIn, .midiOut: return []
    }
  }
}

extension StringProtocol {
  /// Returns the text without the trailing characters for which `predicate` holds.
  func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    var end = endIndex
    while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
    return String(self[..<end])
  }
}
