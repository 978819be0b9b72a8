// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletLibraryEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// Runs the suite over every unit of the list, so that none can be forgotten.
private struct Everything: UnitVisitor {
  var findings: [String] = []

  mutating func visit<Unit: EffectUnit & ~Copyable>(_ unit: Unit.Type) {
    let rates = Effort.of([48_000.0, 44_100, 96_000, 192_000], debug: [48_000])
    for channels in Effort.of([1, 2, 5], debug: [2]) {
      do {
        // A sine whose pitch moves by four octaves bends by itself.
        let omitted: Set<Rule> = "\(Unit.description.symbol)" == "pitch" ? [.clicks] : []
        let suite = Conformance<Unit>(sampleRates: rates, channels: channels, without: omitted)
        findings += try suite.findings().map { "\(Unit.self): \($0)" }
      } catch {
        findings.append("\(Unit.self) with \(channels) channels: \(error)")
      }
    }
  }
}

struct ConformanceTests {
  @Test func `every unit of the list keeps its promises`() {
    var everything = Everything()
    forEachLibraryUnit(&everything)
    #expect(everything.findings == [])
  }
}
