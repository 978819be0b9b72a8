// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletLV2

/// The report of an audit as text.
struct AuditText {
  let style: Style
  /// Whether all details are shown.
  let isVerbose: Bool

  private static let paints: [AuditVerdict: Style.Paint] = [.fail: .red, .warn: .yellow, .note: .cyan]
  /// The maximum number of lines of details for a finding, unless verbose.
  private static let mostDetails = 3

  /// Returns the lines about one plugin.
  func lines(_ report: AuditReport) -> [StyledText] {
    let verdict = report.verdict.map { $0.rawValue } ?? "pass"
    let paint = report.verdict.flatMap { Self.paints[$0] } ?? .green
    var lines = [style.paint(verdict.padded, paint) + StyledText("\(report.name) <\(report.uri)>")]
    for finding in report.sorted {
      lines.append(
        StyledText("  ") + style.paint(finding.verdict.rawValue.padded, Self.paints[finding.verdict] ?? .dim)
          + StyledText("\(finding.text) [\(finding.check.rawValue)]"))
      let shown = isVerbose ? finding.details[...] : finding.details.prefix(Self.mostDetails)
      lines += shown.map { StyledText("          ") + style.paint(String($0.prefix(400)), .dim) }
    }
    let measured = Self.measures(report)
    if !measured.isEmpty { lines.append(StyledText("  ") + style.paint(measured, .dim)) }
    return lines
  }

  /// Returns the measurements: `12 ns a frame (40 at worst), 0.06 % of real time at 48 kHz`.
  static func measures(_ report: AuditReport) -> String {
    var parts: [String] = []
    if let mean = report["cost-mean"] {
      let worst = report["cost-worst"].map { " (\(Digits.short($0.rounded3)) at worst)" } ?? ""
      parts.append("\(Digits.short(mean.rounded3)) ns a frame\(worst)")
    }
    if let stated = report["latency-stated"] {
      parts.append("states a latency of \(Digits.short(stated)) frames")
    }
    if let measured = report["latency-measured"] { parts.append("measured \(Digits.short(measured)) frames") }
    if let start = report["start"] { parts.append("starts in \(Digits.short(start.rounded3)) ms") }
    return parts.joined(separator: ", ")
  }
}

extension String {
  fileprivate var padded: String { self + String(repeating: " ", count: max(6 - count, 1)) }
}

extension Double {
  /// The number rounded to three significant digits.
  fileprivate var rounded3: Double {
    guard self != 0, isFinite else { return self }
    var scale = 1.0
    while abs(self) * scale < 100, scale < 1e6 { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
