// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Where the auditing process writes its records.
// @unchecked: an encoder and a descriptor, used under the lock.
final class AuditOutput: @unchecked Sendable {
  let descriptor: Int32
  private let encoder = JSONEncoder()
  private let lock = ControlLock()
  private var sent: Set<String> = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The line of a record, with its end.
  func line(_ record: AuditRecord) -> [UInt8] {
    lock.locked { (try? encoder.encode(record)).map { Array($0) + [10] } ?? [] }
  }

  func send(_ record: AuditRecord) {
    let line = line(record)
    lock.locked {
      var rest = line[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        // Nobody reads any more.
        guard count > 0 else { _exit(0) }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Reports a finding; the same text once.
  func find(_ verdict: AuditVerdict, _ check: AuditCheck, _ text: String, _ details: [String] = []) {
    guard lock.locked({ sent.insert(check.rawValue + text).inserted }) else { return }
    send(.finding(AuditFinding(verdict, check, text, details)))
  }

  /// Reports a number, unless it is none.
  func measure(_ name: String, _ value: Double, _ unit: String) {
    if value.isFinite { send(.measure(AuditMeasure(name: name, value: value, unit: unit))) }
  }
}
