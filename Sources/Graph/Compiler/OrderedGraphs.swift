// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The results of the first two passes for the graphs that were compiled last.
///
/// One edit compiles the same one or two graphs several times: for the trial, and for each stage of the fade. The passes
/// that depend on the graph alone run once. Processors and their latencies are looked up for each plan.
final class OrderedGraphs {
  /// How many results are kept: for the graph after an edit, and for its union with the graph before.
  private static let most = 2
  /// The results, the newest last, without processors: those of removed nodes must be freed.
  private var kept: [(parts: Compiler.Parts, order: Compiler.Order)] = []

  /// The results for a graph, without processors; nil if none are kept.
  subscript(graph: Graph) -> (parts: Compiler.Parts, order: Compiler.Order)? {
    // Arrays that share their storage are compared by its address.
    kept.last { $0.parts.graph == graph }
  }

  /// Keeps the results for a graph, and drops the oldest.
  func keep(_ parts: Compiler.Parts, _ order: Compiler.Order) {
    var bare = parts
    bare.processors = []
    if kept.count == Self.most { kept.removeFirst() }
    kept.append((bare, order))
  }
}

extension Compiler {
  /// Runs passes 1 and 2; for a graph whose results are kept, only the part that looks processors up.
  func ordered(_ graph: Graph) throws(GraphError) -> (parts: Parts, order: Order) {
    if var known = orderedGraphs[graph] {
      known.parts.processors = try processors(of: graph, known.parts.places)
      return known
    }
    let parts = try resolve(graph), order = try order(parts)
    orderedGraphs.keep(parts, order)
    return (parts, order)
  }
}
