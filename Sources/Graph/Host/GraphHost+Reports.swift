// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization
import SwiftletSignal

/// What the audio thread has told since somebody asked, in the control thread's words.
package enum RenderReport: Sendable, Equatable {
  /// Why a way out was muted.
  package enum Reason: Sendable, Equatable, CustomStringConvertible {
    /// A sample that is no number, or infinite.
    case notANumber
    /// A level above +20 dBFS for 10 ms.
    case tooLoud

    package var description: String {
      switch self {
      case .notANumber: "a sample was no number"
      case .tooLoud: "the level was above +20 dBFS"
      }
    }
  }
  /// A way out was muted; `GraphHost.open` lets it sound again.
  case muted(NodeID, Reason)
  /// The first node in line whose output is to blame for that.
  case culprit(NodeID)
  /// A node was fed samples that are no sound, and took them for silence; told once for each node.
  case badInput(NodeID)
  /// A node has messages for people.
  case words(NodeID)
  /// So many events found no room.
  case eventsDropped(Int)
}

extension GraphHost {
  /// What the audio thread has told since the last call.
  package func takeReports() -> [RenderReport] {
    var reports: [RenderReport] = []
    while let report = renderer.reports.pop() {
      let node = NodeID(slot: Int(report.slot))
      switch report.kind {
      case .muted:
        let isLoud = report.count == OutputGuard.Fault.tooLoud.rawValue
        reports.append(.muted(node, isLoud ? .tooLoud : .notANumber))
      case .culprit: reports.append(.culprit(node))
      case .eventsDropped: reports.append(.eventsDropped(Int(report.count)))
      }
    }
    gatherReports()
    defer { unread = [] }
    return reports + unread
  }

  /// Has a processor report, also what it had to report before. `apply` does it for all that it is given.
  package func listen(to processor: Processor, as node: NodeID) {
    processor.reporter.join(reportList, as: node)
  }

  /// Reads what processors report.
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

  /// Lets a muted way out sound again, fading in.
  package func open(_ output: NodeID) { store.guards[output]?.requestOpen() }
}
