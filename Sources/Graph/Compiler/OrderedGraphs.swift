// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The results of the first two passes for the most recently compiled graphs.
///
/// One edit compiles the same one or two graphs several times: for the check, and for each step of the transition.
/// The passes that depend on the graph alone run once; processors and their latencies are looked up for each plan.
final class OrderedGraphs {
  /// The number of cached results: for the graph after an edit, and for its union with the graph before.
  private static let most = 2
  /// The results, newest last, without processors: the processors of removed nodes must be freed.
  private var kept: [(parts: Compiler.Parts, order: Compiler.Order)] = []

  /// The results for a graph, without processors; nil if they are not cached.
  subscript(graph: Graph) -> (parts: Compiler.Parts, order: Compiler.Order)? {
    // Arrays that share their storage are compared by address.
    kept.last { $0.parts.graph == graph }
  }

  /// Caches the results for a graph, and drops the oldest.
  func keep(_ parts: Compiler.Parts, _ order: Compiler.Order) {
    var bare = parts
    bare.processors = []
    if kept.count == Self.most { kept.removeFirst() }
    kept.append((bare, order))
  }
}

extension Compiler {
  /// Runs passes 1 and 2; for a graph with cached results, only looks up the processors.
  func ordered(_ graph: Graph) throws(GraphError) -> (parts: Parts, order: Order) {
    if var known = orderedGraphs[graph] {
      known.parts.processors = try processors(of: graph, known.parts.nodeIndices)
      return known
    }
    let parts = try resolve(graph), order = try order(parts)
    orderedGraphs.keep(parts, order)
    return (parts, order)
  }
}
