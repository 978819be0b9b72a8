// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How grave a finding of an audit is.
package enum AuditVerdict: String, Codable, Sendable, Comparable, CaseIterable {
  /// Worth knowing; many good plugins have such findings.
  case note
  /// A fault that some hosts or users will meet.
  case warn
  /// A fault that breaks a host, a recording or the LV2 specification.
  case fail

  package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
  private var rank: Int { self == .fail ? 2 : self == .warn ? 1 : 0 }
}

/// What an audit found in one plugin.
package struct AuditFinding: Codable, Sendable, Equatable {
  package var verdict: AuditVerdict
  package var check: AuditCheck
  /// What was found, as a sentence without a point.
  package var text: String
  /// Lines that say more, such as the frames of a stack.
  package var details: [String]

  package init(_ verdict: AuditVerdict, _ check: AuditCheck, _ text: String, _ details: [String] = []) {
    (self.verdict, self.check, self.text, self.details) = (verdict, check, text, details)
  }
}

/// A number that an audit measured.
package struct AuditMeasure: Codable, Sendable, Equatable {
  package var name: String
  package var value: Double
  package var unit: String
}

/// What the auditing process writes, one JSON line for each.
package enum AuditRecord: Codable, Sendable {
  /// A step begins.
  case step(AuditStep)
  /// What is done next; a crash is reported with the last action before it.
  case action(String)
  /// The plugin touched a guard page and is about to crash; the text says which.
  case fault(String)
  /// The process is about to die at a place, which the text names: library, offset, and function where that is known.
  case place(String)
  case finding(AuditFinding)
  case measure(AuditMeasure)
  /// Nothing of the step remains to be done; with the CPU time that the process has used, in seconds.
  case stepEnd(Double)
  /// No further step can be taken.
  case end
}

/// What the auditing process is to do.
package struct AuditOrder: Codable, Sendable {
  package var uri: String
  /// The folders to look in, joined by colons; nil for those of LV2.
  package var path: String?
  /// The steps, in their order.
  package var steps: [AuditStep]
  /// Where the random settings of parameters begin.
  package var seed: UInt64
  /// Whether it takes more time, with more settings of parameters and longer signals.
  package var isThorough: Bool
  /// The CPU time that the process may use, in seconds.
  package var cpuTime: Double
  /// An empty folder, where states are written; nil if there is none.
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
  /// The name of its file, which is beside this program.
  package static let name = "swiftlet-audit-host"
  /// The environment variable that says where it is instead.
  package static let variable = "SWIFTLET_AUDIT_HOST"
}
