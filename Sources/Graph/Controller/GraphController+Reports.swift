// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization
import SwiftletSignal

/// A report of the audio thread or of a processor, for the control thread.
package enum RenderReport: Sendable, Equatable {
  /// The reason why an output node was muted.
  package enum Reason: Sendable, Equatable, CustomStringConvertible {
    /// A sample is NaN or infinite.
    case notANumber
    /// The level was above +20 dBFS for 10 ms.
    case tooLoud

    package var description: String {
      switch self {
      case .notANumber: "a sample was NaN or infinite"
      case .tooLoud: "the level was above +20 dBFS"
      }
    }
  }
  /// An output node was muted; `GraphController.open` unmutes it.
  case muted(NodeID, Reason)
  /// The first node in processing order whose output caused the muting.
  case cause(NodeID)
  /// A node received invalid samples (NaN, infinite, or larger than 10¹⁵ in magnitude) and treated them as silence;
  /// reported once per node.
  case badInput(NodeID)
  /// A node has messages for the user.
  case words(NodeID)
  /// This number of events did not fit into buffers.
  case eventsDropped(Int)
}

extension GraphController {
  /// Returns the reports since the last call.
  package func takeReports() -> [RenderReport] {
    var reports: [RenderReport] = []
    while let report = renderer.reports.pop() {
      let node = NodeID(slot: Int(report.slot))
      switch report.kind {
      case .muted:
        let isLoud = report.count == OutputGuard.Fault.tooLoud.rawValue
        reports.append(.muted(node, isLoud ? .tooLoud : .notANumber))
      case .cause: reports.append(.cause(node))
      case .eventsDropped: reports.append(.eventsDropped(Int(report.count)))
      }
    }
    gatherReports()
    defer { unread = [] }
    return reports + unread
  }

  /// Receives a processor's reports, including earlier ones. `apply` calls this for all processors that it is given.
  package func subscribe(to processor: Processor, as node: NodeID) {
    processor.reporter.join(reportList, as: node)
  }

  /// Collects the reports of processors.
  func gatherReports() {
    for (node, matters) in reportList.take() {
      for matter in matters {
        switch matter {
        case .badInput: unread.append(.badInput(node))
        case .latency: latenciesMayDiffer = true
        case .words: if !unread.contains(.words(node)) { unread.append(.words(node)) }
        }
      }
    }
  }

  /// Unmutes a muted output node, with a fade-in.
  package func open(_ output: NodeID) { store.guards[output]?.requestOpen() }
}
