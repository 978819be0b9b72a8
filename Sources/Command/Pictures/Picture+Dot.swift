// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletManifest

extension Picture {
  /// Whether Graphviz' own layout would take minutes, so that ``PictureLayout`` places the boxes.
  var isLarge: Bool { wires.count > 500 || nodes.count + taps.count > 500 }

  /// Returns the picture in Graphviz' language, with the positions of a layout if there is one.
  func dot(_ layout: PictureLayout? = nil) -> String {
    var lines = [
      "digraph \(Self.quoted([title])) {",
      "  graph [rankdir=LR, bgcolor=\"transparent\", nodesep=0.35, ranksep=0.5, fontname=\"Helvetica\"\(routing)]",
      "  node [fontname=\"Helvetica\", fontsize=11, style=\"filled\", color=\"#44546a\", penwidth=1.1]",
      "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#44546a\", fontcolor=\"#44546a\", arrowsize=0.7]",
    ]
    for (index, node) in nodes.enumerated() {
      lines.append("  \(statement(node, index, position(index, layout)))")
    }
    for wire in wires { lines.append("  \(statement(wire))") }
    for (index, tap) in taps.enumerated() {
      lines += statements(tap, index, position(nodes.count + index, layout)).map { "  \($0)" }
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  /// The attribute for the shape of wires: curves around the nodes, but straight lines in a large picture, because
  /// Graphviz takes minutes for many curves.
  private var routing: String { isLarge ? ", splines=line" : "" }

  /// Returns the attribute for a box's position.
  private func position(_ box: Int, _ layout: PictureLayout?) -> String {
    guard let (x, y) = layout?.positions[box] else { return "" }
    return ", pos=\"\(Int(x)),\(Int(y))\""
  }

  private func statement(_ node: Node, _ index: Int, _ position: String) -> String {
    var notes = node.notes
    if node.isBypassed { notes.append("bypassed") }
    let below = notes.map { "<BR/><FONT POINT-SIZE=\"9\" COLOR=\"#5b6b80\">\(Markup.escaped($0))</FONT>" }
    let label = "<<B>\(Markup.escaped(node.name))</B>\(below.joined())>"
    let (shape, fill) = Self.appearance(node.kind)
    let style = node.isBypassed ? "filled,dashed" : node.kind == .effect ? "filled,rounded" : "filled"
    return "n\(index) [label=\(label), shape=\(shape), style=\"\(style)\", fillcolor=\"\(fill)\"\(position)]"
  }

  private static func appearance(_ kind: Kind) -> (shape: String, fill: String) {
    switch kind {
    case .capture: ("cds", "#e2f0d9")
    case .playback: ("cds", "#fbe5d6")
    case .effect: ("box", "#dae8fc")
    case .plugin: ("box", "#e8e0f3")
    case .mixer: ("ellipse", "#fff2cc")
    case .player: ("note", "#e2f0d9")
    }
  }

  private func statement(_ wire: Wire) -> String {
    var facts: [String] = []
    if !wire.notes.isEmpty { facts.append("label=\(Self.quoted(wire.notes))") }
    if wire.isFeedback { facts += ["style=\"dashed\"", "constraint=false"] }
    if wire.isEvents { facts += ["style=\"dotted\"", "arrowhead=\"vee\""] }
    let list = facts.isEmpty ? "" : " [\(facts.joined(separator: ", "))]"
    return "n\(wire.from) -> n\(wire.to)\(list)"
  }

  private func statements(_ tap: Tap, _ index: Int, _ position: String) -> [String] {
    let color = tap.file == nil ? "#7f7f7f" : "#c00000"
    let below = tap.file.map { "<BR/><FONT POINT-SIZE=\"8\">\(Markup.escaped($0))</FONT>" } ?? ""
    let box =
      "t\(index) [label=<\(Markup.escaped(tap.name))\(below)>, shape=plaintext, style=\"\", fontsize=9, "
      + "fontcolor=\"\(color)\"\(position)]"
    let line = "color=\"\(color)\", style=\"dotted\", arrowhead=\"dot\", arrowsize=0.5"
    // The line always starts at the node, so that a tap before a node does not push the node to the right.
    return [box, "n\(tap.node)\(tap.isBefore ? ":w" : "") -> t\(index) [\(line)]"]
  }

  /// Returns lines as one quoted string. Control characters are escaped as on a terminal.
  private static func quoted(_ lines: [String]) -> String {
    let inside = lines.map {
      PrintableText.escaped($0).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
    return "\"\(inside.joined(separator: "\\n"))\""
  }
}
