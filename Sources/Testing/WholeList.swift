// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// Runs the suite over every unit that a list shows it, so that a new one cannot be forgotten.
package struct WholeList: UnitVisitor {
  /// What was found, each with the unit's name.
  package private(set) var findings: [String] = []
  private let omitted: [String: Set<Rule>]

  /// A run over a list.
  ///
  /// - Parameter omitted: the rules that do not apply to a unit, by its symbol.
  package init(without omitted: [String: Set<Rule>]) { self.omitted = omitted }

  package mutating func visit<Unit: Effect & ~Copyable>(_ unit: Unit.Type) {
    let rates = Effort.of([48_000.0, 44_100, 96_000, 192_000], debug: [48_000])
    for channels in Effort.of([1, 2, 5], debug: [2]) {
      do {
        let suite = Conformance<Unit>(
          sampleRates: rates, channels: channels, without: omitted["\(Unit.description.symbol)"] ?? [])
        findings += try suite.findings().map { "\(Unit.self): \($0)" }
      } catch {
        findings.append("\(Unit.self) with \(channels) channels: \(error)")
      }
    }
  }
}
