// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc

/// Writes the records of the auditing process.
// @unchecked: the encoder and the descriptor are used under the lock.
final class AuditOutput: @unchecked Sendable {
  let descriptor: Int32
  private let encoder = JSONEncoder()
  private let lock = ControlLock()
  private let process = getpid()
  private var sent: Set<String> = []
  private var counts: [AuditCheck: Int] = [:]

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// A record's line, including the newline.
  func line(_ record: AuditRecord) -> [UInt8] {
    lock.locked { (try? encoder.encode(record)).map { Array($0) + [10] } ?? [] }
  }

  func send(_ record: AuditRecord) {
    // A process that the plugin has forked ends here.
    guard getpid() == process else { _exit(0) }
    let line = line(record)
    lock.locked {
      var rest = line[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        // The reader has closed the pipe.
        guard count > 0 else { _exit(0) }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Reports a finding. Each text is reported once, and at most ``most`` findings of one check. Texts are truncated,
  /// since those from a plugin may have any length.
  func find(_ verdict: AuditVerdict, _ check: AuditCheck, _ text: String, _ details: [String] = []) {
    let text = Self.cut(text, 1000)
    let count = lock.locked { () -> Int in
      guard sent.insert(check.rawValue + text).inserted else { return .max }
      counts[check, default: 0] += 1
      return counts[check] ?? 0
    }
    guard count <= Self.most else { return }
    send(.finding(AuditFinding(verdict, check, text, details.prefix(64).map { Self.cut($0, 4000) })))
    if count == Self.most {
      send(
        .finding(
          AuditFinding(.note, .skipped, "further findings of the kind '\(check.rawValue)' are left out")))
    }
  }

  private static let most = 64

  private static func cut(_ text: String, _ length: Int) -> String {
    text.utf8.count <= length ? text : String(text.prefix(length)) + "…"
  }

  /// Reports a measurement if it is finite.
  func measure(_ name: String, _ value: Double, _ unit: String) {
    if value.isFinite { send(.measure(AuditMeasure(name: name, value: value, unit: unit))) }
  }
}
