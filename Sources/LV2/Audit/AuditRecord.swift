// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The severity of a finding.
package enum AuditVerdict: String, Codable, Sendable, Comparable, CaseIterable {
  /// Information; many good plugins have such findings.
  case note
  /// A fault that some hosts or users will encounter.
  case warn
  /// A fault that breaks a host, a recording or the LV2 specification.
  case fail

  package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
  private var rank: Int { self == .fail ? 2 : self == .warn ? 1 : 0 }
}

/// A finding of an audit in one plugin.
package struct AuditFinding: Codable, Sendable, Equatable {
  package var verdict: AuditVerdict
  package var check: AuditCheck
  /// The finding, as a sentence without a period.
  package var text: String
  /// Further lines, such as stack frames.
  package var details: [String]

  package init(_ verdict: AuditVerdict, _ check: AuditCheck, _ text: String, _ details: [String] = []) {
    (self.verdict, self.check, self.text, self.details) = (verdict, check, text, details)
  }
}

/// A measurement of an audit.
package struct AuditMeasure: Codable, Sendable, Equatable {
  package var name: String
  package var value: Double
  package var unit: String
}

/// A record that the auditing process writes as one line of JSON.
package enum AuditRecord: Codable, Sendable {
  /// A step begins.
  case step(AuditStep)
  /// The next action. A crash is reported with the last action before it.
  case action(String)
  /// The plugin accessed a guard page and is about to crash. The text names the buffer.
  case fault(String)
  /// The location of a crash that is about to end the process: library, offset, and the function if it is known.
  case location(String)
  case finding(AuditFinding)
  case measure(AuditMeasure)
  /// The step is complete. The value is the CPU time that the process has used, in seconds.
  case stepEnd(Double)
  /// No further step will be run.
  case end

  private enum CodingKeys: String, CodingKey {
    case step, action, fault, finding, measure, stepEnd, end, location = "place"
  }
}

/// The order for an auditing process.
package struct AuditOrder: Codable, Sendable {
  package var uri: String
  /// The search path, with folders separated by colons; nil for the default one.
  package var path: String?
  /// The steps, in order.
  package var steps: [AuditStep]
  /// The seed for random parameter settings.
  package var seed: UInt64
  /// Whether to test more parameter settings and longer signals, which takes more time.
  package var isThorough: Bool
  /// The limit of the process's CPU time, in seconds.
  package var cpuTime: Double
  /// An empty folder in which states are written; nil if there is none.
  package var folder: String?

  package init(
    uri: String, path: String?, steps: [AuditStep], seed: UInt64, isThorough: Bool, cpuTime: Double,
    folder: String?
  ) {
    (self.uri, self.path, self.steps, self.folder) = (uri, path, steps, folder)
    (self.seed, self.isThorough, self.cpuTime) = (seed, isThorough, cpuTime)
  }
}

/// The program that audits a plugin.
package enum AuditHostProgram {
  /// The name of its file, which is in this program's folder.
  package static let name = "swiftlet-audit-host"
  /// The environment variable with another path of it.
  package static let variable = "SWIFTLET_AUDIT_HOST"
}
