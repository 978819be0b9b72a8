// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletLV2
internal import SwiftletManifest

/// The result of an audit of one plugin.
struct AuditReport: Codable, Equatable {
  var uri: String
  var name: String
  var findings: [AuditFinding] = []
  var measures: [AuditMeasure] = []

  /// The most severe verdict; nil without findings.
  var verdict: AuditVerdict? { findings.map(\.verdict).max() }
  /// The findings, the most severe first.
  var sorted: [AuditFinding] {
    AuditVerdict.allCases.sorted(by: >).flatMap { verdict in findings.filter { $0.verdict == verdict } }
  }

  /// Returns a measured number; nil if it was not measured.
  subscript(measure: String) -> Double? { measures.first { $0.name == measure }?.value }

  /// The report as JSON.
  var json: JSONValue {
    .object([
      ("uri", .string(uri)), ("name", .string(name)),
      ("verdict", .string(verdict?.rawValue ?? "pass")),
      ("findings", .list(sorted.map(\.json))),
      (
        "measures",
        .list(
          measures.map {
            .object([("name", .string($0.name)), ("value", .number($0.value)), ("unit", .string($0.unit))])
          })
      ),
    ])
  }
}

extension AuditFinding {
  fileprivate var json: JSONValue {
    .object([
      ("verdict", .string(verdict.rawValue)), ("check", .string(check.rawValue)), ("text", .string(text)),
      ("details", .list(details.map(JSONValue.string))),
    ])
  }
}

/// The reports of several plugins, and their number by verdict.
struct AuditTally {
  var reports: [AuditReport]

  func count(_ verdict: AuditVerdict?) -> Int { reports.count { $0.verdict == verdict } }

  /// A summary: `12 plugins audited: 1 fails, 2 have warnings, 3 have notes, 6 have no findings`.
  var text: String {
    let parts = [
      (count(.fail), "fails", "fail"), (count(.warn), "has warnings", "have warnings"),
      (count(.note), "has notes", "have notes"), (count(nil), "has no findings", "have no findings"),
    ]
    let counts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    return "\(Digits.count(reports.count, "plugin")) audited: \(counts.joined(separator: ", "))"
  }
}
