// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// Runs the suite over every effect in a list, so that new effects are included automatically.
package struct ConformanceOfList: EffectVisitor {
  /// The findings, each with the effect's name.
  package private(set) var findings: [String] = []
  private let omitted: [String: Set<Rule>]

  /// Creates a run over a list.
  ///
  /// - Parameter omitted: The rules that do not apply, by the effect's symbol.
  package init(without omitted: [String: Set<Rule>]) { self.omitted = omitted }

  package mutating func visit<E: Effect & ~Copyable>(_ effect: E.Type) {
    let rates = Effort.of([48_000.0, 44_100, 96_000, 192_000], debug: [48_000])
    for channels in Effort.of([1, 2, 5], debug: [2]) {
      do {
        let suite = Conformance<E>(
          sampleRates: rates, channels: channels, without: omitted["\(E.description.symbol)"] ?? [])
        findings += try suite.findings().map { "\(E.self): \($0)" }
      } catch {
        findings.append("\(E.self) with \(channels) channels: \(error)")
      }
    }
  }
}
