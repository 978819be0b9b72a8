// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Checker {
  /// Reports loops without a feedback wire, and feedback wires that close no loop.
  mutating func checkLoops(_ routes: Routes) {
    if let loop = routes.loop(), let closing = loop.last {
      let names = loop.prefix(20).map { nodes[wires[$0].from.node].name }
      let end = loop.count > 20 ? ["…"] : names.prefix(1)
      let wire = wireSources[closing]
      problems.error(
        wire.from.position,
        "found nodes that feed back into each other: \((names + end).joined(separator: " → "));"
          + " expected 'feedback: true' on one of the wires, such as '\(wire.from) -> \(wire.to)'")
      return
    }
    for (index, wire) in wires.enumerated().filter({ $0.element.feedback != nil }).prefix(100) {
      guard !routes.reaches(from: wire.to.node, to: wire.from.node) else { continue }
      let source = wireSources[index]
      problems.warning(
        source.from.position,
        "the feedback wire '\(source.from) -> \(source.to)' closes no loop; it only delays"
      )
    }
  }
}
