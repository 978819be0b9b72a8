// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// Runs the suite over every unit of the list, so that a new effect cannot be forgotten.
private struct Everything: UnitVisitor {
  var findings: [String] = []

  mutating func visit<Unit: EffectUnit & ~Copyable>(_ unit: Unit.Type) {
    for channels in [1, 2, 5] {
      do {
        findings += try Conformance<Unit>(channels: channels).findings().map { "\(Unit.self): \($0)" }
      } catch {
        findings.append("\(Unit.self) with \(channels) channels: \(error)")
      }
    }
  }
}

struct ConformanceTests {
  @Test func `every unit of the list keeps its promises`() {
    var everything = Everything()
    forEachUnit(&everything)
    #expect(everything.findings == [])
  }

  /// An equalizer whose four bands are at work, so that every move is heard.
  private func working(_ kind: Filter.Kind) -> [Conformance<Equalizer>.Setting] {
    (0..<4).flatMap { band -> [Conformance<Equalizer>.Setting] in
      [
        (Equalizer.Parameter.band(band, .type).rawValue, Float(kind.rawValue)),
        (Equalizer.Parameter.band(band, .frequency).rawValue, [80, 300, 1200, 5000][band]),
        (Equalizer.Parameter.band(band, .bandwidth).rawValue, 1),
        (Equalizer.Parameter.band(band, .gain).rawValue, [6, -6, 9, -3][band]),
      ]
    }
  }

  @Test(arguments: Filter.Kind.allCases)
  func `an equalizer at work keeps its promises`(kind: Filter.Kind) throws {
    let findings = try Conformance<Equalizer>(settings: working(kind), without: [.latency]).findings()
    #expect(findings == [])
  }

  private func expect<Wrong: Fault>(_ fault: Wrong.Type) throws {
    let findings = try Conformance<Broken<Wrong>>().findings()
    let rules = Set(findings.map(\.rule))
    #expect(Wrong.kind == .none ? rules.isEmpty : rules.contains(Wrong.rule), "\(Wrong.self): \(findings)")
  }

  @Test func `each fault is found under its rule, and a good unit has none`() throws {
    try expect(NoFault.self)
    try expect(TooManyNames.self)
    try expect(CutsAtBlocks.self)
    try expect(KeepsSound.self)
    try expect(RingsOn.self)
    try expect(LetsNaNIn.self)
    try expect(Explodes.self)
    try expect(PresetOutside.self)
    try expect(Steps.self)
    try expect(WritesInput.self)
    try expect(Lies.self)
  }
}
