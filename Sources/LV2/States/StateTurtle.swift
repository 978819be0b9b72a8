// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// Writes a state in LV2's preset format, which lilv and lilv-based hosts read.
struct StateTurtle {
  /// The property that cannot be written, and its type.
  struct Fault: Error {
    let property: String, type: String
  }

  private var text = """
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .


    """

  /// The complete file.
  var file: String { text }

  /// The manifest for a state in a folder, for hosts that scan bundles.
  static func manifest(of plugin: String) -> String {
    """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

    <state.ttl>
    \ta pset:Preset ;
    \tlv2:appliesTo <\(AtomTurtle.escaped(uri: plugin))> ;
    \trdfs:seeAlso <state.ttl> .

    """
  }

  /// Adds an instance's state.
  ///
  /// - Parameter subject: The subject relative to the file; empty for the first instance, the only one that other
  ///   hosts see as a preset.
  mutating func add(
    _ state: StateSnapshot?, of plugin: String, subject: String, title: StateTitle? = nil,
    values: [(symbol: String, value: Float)]
  ) throws(Fault) {
    text += "<\(subject)>\n\t\(subject.isEmpty ? "a pset:Preset ;\n\t" : "")"
    text += "lv2:appliesTo <\(AtomTurtle.escaped(uri: plugin))>"
    if let title { text += title.properties }
    for (symbol, value) in values {
      text +=
        " ;\n\tlv2:port [\n\t\tlv2:symbol \(AtomTurtle.quoted(symbol)) ;\n\t\tpset:value \"\(SerdDecimal.text(of: value))\"^^xsd:float\n\t]"
    }
    var lines: [String] = []
    for property in state?.properties ?? [] {
      let key = URIDMap.shared.name(of: property.key).map { String(cString: $0) } ?? ""
      let type = URIDMap.shared.name(of: property.type).map { String(cString: $0) } ?? ""
      guard !key.isEmpty,
        let object = AtomTurtle.object(property.type, UnsafeRawBufferPointer(property.bytes))
      else {
        throw Fault(property: key, type: type)
      }
      lines.append("\t\t<\(AtomTurtle.escaped(uri: key))> \(object)")
    }
    if !lines.isEmpty { text += " ;\n\tstate:state [\n" + lines.joined(separator: " ;\n") + "\n\t]" }
    text += " .\n\n"
    if let title { text += title.bankStatements }
  }
}
