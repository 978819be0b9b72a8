// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Writes Turtle: a subject, then its properties, one on each line.
struct TurtleWriter {
  private(set) var text: String

  init() {
    text = ""
    let prefixes: [(String, String)] = [
      ("atom", "http://lv2plug.in/ns/ext/atom#"), ("doap", "http://usefulinc.com/ns/doap#"),
      ("lv2", "http://lv2plug.in/ns/lv2core#"), ("midi", "http://lv2plug.in/ns/ext/midi#"),
      ("patch", "http://lv2plug.in/ns/ext/patch#"), ("state", "http://lv2plug.in/ns/ext/state#"),
      ("work", "http://lv2plug.in/ns/ext/worker#"),
      ("pg", "http://lv2plug.in/ns/ext/port-groups#"), ("pprops", "http://lv2plug.in/ns/ext/port-props#"),
      ("pset", "http://lv2plug.in/ns/ext/presets#"), ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
      ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"), ("time", "http://lv2plug.in/ns/ext/time#"),
      ("units", "http://lv2plug.in/ns/extensions/units#"), ("urid", "http://lv2plug.in/ns/ext/urid#"),
    ]
    for (prefix, uri) in prefixes { text += "@prefix " + prefix + ": <" + uri + "> .\n" }
  }

  /// Begins a subject with its classes.
  mutating func begin(_ subject: String, _ classes: String) { text += "\n" + subject + "\n\ta " + classes }

  /// Adds a statement about the subject.
  mutating func add(_ property: String, _ object: String) { text += " ;\n\t" + property + " " + object }

  /// Adds a statement for each of several blank nodes.
  mutating func add(_ property: String, _ nodes: [BlankNode]) {
    for (index, node) in nodes.enumerated() {
      text += index == 0 ? " ;\n\t" + property + " " : " , "
      text += "[\n\t\t" + node.text + "\n\t]"
    }
  }

  /// Ends the subject.
  mutating func end() { text += " .\n" }
}

/// A blank node.
struct BlankNode {
  private(set) var text = ""

  init(_ property: String, _ object: String) { add(property, object) }

  mutating func add(_ property: String, _ object: String) {
    if !text.isEmpty { text += " ;\n\t\t" }
    text += property + " " + object
  }
}

/// Returns a text as a quoted Turtle literal.
func quoted(_ text: String) -> String {
  var bytes: [UInt8] = [UInt8(ascii: "\"")]
  for byte in text.utf8 {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
    bytes.append(byte)
  }
  bytes.append(UInt8(ascii: "\""))
  return String(decoding: bytes, as: UTF8.self)
}
