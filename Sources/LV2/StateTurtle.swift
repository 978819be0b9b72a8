// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Foundation
internal import SwiftletGraph

/// The text of a state, in LV2's format for presets: lilv and the hosts that rest on it read it.
struct StateTurtle {
  /// Why a state cannot be written.
  struct Fault: Error {
    let property: String, type: String
  }

  private var text = """
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .


    """

  /// The whole file.
  var file: String { text }

  /// What a host that lists bundles reads of a state in a folder.
  static func manifest(of plugin: String) -> String {
    """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

    <state.ttl>
    \ta pset:Preset ;
    \tlv2:appliesTo <\(escaped(uri: plugin))> ;
    \trdfs:seeAlso <state.ttl> .

    """
  }

  /// Adds the state of an instance.
  ///
  /// - Parameter subject: relative to the file; empty for the first instance.
  mutating func add(
    _ state: StateSnapshot?, of plugin: String, subject: String, values: [(symbol: String, value: Float)]
  ) throws(Fault) {
    text += "<\(subject)>\n\ta pset:Preset ;\n\tlv2:appliesTo <\(Self.escaped(uri: plugin))>"
    for (symbol, value) in values {
      text +=
        " ;\n\tlv2:port [\n\t\tlv2:symbol \(Self.quoted(symbol)) ;\n\t\tpset:value \(Self.literal(value))\n\t]"
    }
    var lines: [String] = []
    for property in state?.properties ?? [] {
      let key = URIDMap.shared.name(of: property.key).map { String(cString: $0) } ?? ""
      let type = URIDMap.shared.name(of: property.type).map { String(cString: $0) } ?? ""
      guard !key.isEmpty, let object = Self.object(property, type) else {
        throw Fault(property: key, type: type)
      }
      lines.append("\t\t<\(Self.escaped(uri: key))> \(object)")
    }
    if !lines.isEmpty { text += " ;\n\tstate:state [\n" + lines.joined(separator: " ;\n") + "\n\t]" }
    text += " .\n\n"
  }

  /// A value as the object of a statement; nil for a type that has no text.
  private static func object(_ property: StateSnapshot.Property, _ type: String) -> String? {
    let bytes = UnsafeRawBufferPointer(property.bytes)
    if type == Name.chunk { return "\"\(Data(bytes).base64EncodedString())\"^^xsd:base64Binary" }
    guard let value = PropertyValue(type: property.type, body: bytes) else { return nil }
    return object(value)
  }

  private static func object(_ value: PropertyValue) -> String? {
    switch value {
    case .path(let path):
      if path.hasPrefix("/") { return "<\(escaped(uri: URL(filePath: path).absoluteString))>" }
      let steps = path.split(separator: "/", omittingEmptySubsequences: false)
      return "<\(steps.map { percentEncoded($0) }.joined(separator: "/"))>"
    case .text(let text): return quoted(text)
    case .uri(let uri): return "\(quoted(uri))^^xsd:anyURI"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return "\"\(value)\"^^xsd:int"
    case .long(let value): return "\"\(value)\"^^xsd:long"
    case .float(let value): return literal(value)
    case .double(let value): return "\"\(text(of: value) { serd_strtod($0, nil) })\"^^xsd:double"
    case .vector(let values):
      let items = values.compactMap { object($0) }
      guard items.count == values.count, let type = values.first?.atom.type else { return nil }
      return
        "[\n\t\t\ta atom:Vector ;\n\t\t\tatom:childType <\(type)> ;\n\t\t\trdf:value ( "
        + items.joined(separator: " ") + " )\n\t\t]"
    }
  }

  private static func literal(_ value: Float) -> String {
    "\"\(text(of: value) { Float(serd_strtod($0, nil)) })\"^^xsd:float"
  }

  /// A number's text from which lilv reads the same bits, if one is found: always for floats; of doubles some are read as a
  /// neighbour, since serd 0.30 rounds more than once.
  private static func text<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    of value: Number, _ read: (String) -> Number
  ) -> String {
    var (above, below) = (value, value)
    for _ in 0..<64 {
      for candidate in [above, below] where candidate.isFinite {
        let digits = [16, 20, 24].map { String(format: "%.\($0)e", Double(candidate)) }
        if let text = (["\(candidate)"] + digits).first(where: { read($0) == value }) { return text }
      }
      (above, below) = (above.nextUp, below.nextDown)
    }
    return "\(value)"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func percentEncoded(_ step: Substring) -> String {
    let plain = CharacterSet(
      charactersIn: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~")
    return step.addingPercentEncoding(withAllowedCharacters: plain) ?? String(step)
  }

  private static func escaped(uri: String) -> String {
    uri.unicodeScalars.map { scalar in
      "<>\"{}|^`\\ ".unicodeScalars.contains(scalar) || scalar.value < 0x20
        ? "%" + String(scalar.value, radix: 16, uppercase: true) : String(scalar)
    }.joined()
  }
}
