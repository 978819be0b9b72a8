// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletLV2

/// The report of an audit as a web page in one file, without scripts. All text from plugins is escaped.
struct AuditPage {
  let tally: AuditTally
  let runner: AuditRunner

  /// The beginning of the file, which identifies its origin.
  static let head = "<!DOCTYPE html><!-- swiftlet audit -->"

  private static let style = """
    body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
    table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .2em .6em; vertical-align: top; }
    tr { border-top: 1px solid #ddd; } code, pre { font: 13px/1.4 ui-monospace, monospace; } pre { white-space: pre-wrap; }
    b { border-radius: 3px; padding: 0 .4em; color: #fff; background: #2a7d3f; }
    b.fail { background: #b3261e; } b.warn { background: #9a6700; } b.note { background: #4a6785; }
    section { border-top: 1px solid #ddd; margin-top: 2em; } h2 { font-size: 1.1em; }
    @media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } a { color: #8bf; } }
    """

  /// The page.
  var text: String {
    let thorough = runner.isThorough ? ", thorough" : ""
    return """
      \(Self.head)
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Audit of LV2 plugins</title><style>
      \(Self.style)
      </style></head><body>
      <h1>Audit of LV2 plugins</h1>
      <p>\(Markup.escaped(tally.text)). Swiftlet \(Markup.escaped(Version.number)), seed \(runner.seed)\(thorough).</p>
      <table><tr><th>Verdict</th><th>Plugin</th><th>Fails</th><th>Warnings</th><th>Notes</th><th>Cost</th></tr>
      \(tally.reports.enumerated().map(Self.row).joined(separator: "\n"))
      </table>
      \(tally.reports.enumerated().map(Self.section).joined(separator: "\n"))
      </body></html>

      """
  }

  private static func badge(_ verdict: AuditVerdict?) -> String {
    let word = verdict?.rawValue ?? "pass"
    return "<b class=\"\(word)\">\(word)</b>"
  }

  private static func row(_ number: Int, _ report: AuditReport) -> String {
    let counts = [AuditVerdict.fail, .warn, .note].map { verdict in
      "<td>\(report.findings.count { $0.verdict == verdict })</td>"
    }
    let cost = report["cost-mean"].map { "\(Digits.fixed($0, 1)) ns/frame" } ?? ""
    return
      "<tr><td>\(badge(report.verdict))</td><td><a href=\"#p\(number)\">\(Markup.escaped(report.name))</a></td>"
      + "\(counts.joined())<td>\(cost)</td></tr>"
  }

  private static func section(_ number: Int, _ report: AuditReport) -> String {
    let findings = report.sorted.map { finding in
      let details = finding.details.map(Markup.escaped).joined(separator: "\n")
      return "<tr><td>\(badge(finding.verdict))</td><td><code>\(finding.check.rawValue)</code></td>"
        + "<td>\(Markup.escaped(finding.text))\(details.isEmpty ? "" : "<pre>\(details)</pre>")</td></tr>"
    }
    let measures = AuditText.measures(report)
    return """
      <section id="p\(number)"><h2>\(badge(report.verdict)) \(Markup.escaped(report.name))</h2>
      <p><code>\(Markup.escaped(report.uri))</code>\(measures.isEmpty ? "" : "<br>" + Markup.escaped(measures))</p>
      \(findings.isEmpty ? "<p>No findings.</p>" : "<table>\(findings.joined())</table>")
      </section>
      """
  }
}
