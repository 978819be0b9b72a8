// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct ConformanceTests {
  @Test func `every listed effect passes the conformance suite`() {
    var list = ConformanceOfList(without: [
      // All-passes turn the phase without a delay; their impulse response peaks a frame later.
      "multiband": [.latency], "phaser": [.latency],
      // A generator has no impulse to find, and its sound bends more than the check's sine.
      "generator": [.clicks, .latency],
      // Decimation and rounding make steps; DistortionGlideTests covers all other parameters.
      "distortion": [.clicks],
    ])
    forEachEffect(&list)
    #expect(list.findings == [])
  }

  /// Settings of an equalizer with four active bands, so that every change is audible.
  private func working(_ kind: Filter.Kind, slope: Float = 1, channels: Float = 0)
    -> [Conformance<Equalizer>.Setting]
  {
    (0..<4).flatMap { band -> [Conformance<Equalizer>.Setting] in
      [
        (Equalizer.Parameter.band(band, .type).rawValue, Float(kind.rawValue)),
        (Equalizer.Parameter.band(band, .frequency).rawValue, [80, 300, 1200, 5000][band]),
        (Equalizer.Parameter.band(band, .bandwidth).rawValue, 1),
        (Equalizer.Parameter.band(band, .gain).rawValue, [6, -6, 9, -3][band]),
        (Equalizer.Parameter.band(band, .slope).rawValue, slope),
        (Equalizer.Parameter.band(band, .channels).rawValue, channels),
      ]
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: Filter.Kind.allCases)
  func `an active equalizer passes the conformance suite`(kind: Filter.Kind) throws {
    let findings = try Conformance<Equalizer>(settings: working(kind), without: [.latency]).findings()
    #expect(findings == [])
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: [0, 2, 5, 7] as [Float])
  func `an equalizer at any slope, also on the mid, passes the conformance suite`(slope: Float) throws {
    for (kind, channels) in [(.lowPass, 0), (.resonantHighPass, 3)] as [(Filter.Kind, Float)] {
      let settings = working(kind, slope: slope, channels: channels)
      let findings = try Conformance<Equalizer>(settings: settings, without: [.latency]).findings()
      #expect(findings == [])
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"))
  func `dynamics with extreme settings pass the conformance suite`() throws {
    typealias C = Compressor.Parameter
    let byMean = Conformance<Compressor>(
      settings: [(C.detector.rawValue, 1), (C.threshold.rawValue, -50), (C.ratio.rawValue, 20)])
    try expectNothing(byMean)
    let aside = Conformance<Compressor>(
      settings: [(C.sidechain.rawValue, 1), (C.attack.rawValue, 0.05), (C.release.rawValue, 5)])
    try expectNothing(aside)
    let loud = Conformance<Limiter>(
      settings: [(Limiter.Parameter.gain.rawValue, 24), (Limiter.Parameter.release.rawValue, 10)])
    try expectNothing(loud)
    let chattering = Conformance<Gate>(
      settings: [
        (Gate.Parameter.threshold.rawValue, -6), (Gate.Parameter.hold.rawValue, 0),
        (Gate.Parameter.hysteresis.rawValue, 0), (Gate.Parameter.release.rawValue, 5),
      ])
    try expectNothing(chattering)
    let ahead = Conformance<Ducker>(
      settings: [(Ducker.Parameter.lookAhead.rawValue, 50), (Ducker.Parameter.depth.rawValue, 60)])
    try expectNothing(ahead)
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: [1, 2, 4])
  func `a convolver with every kind of response passes the conformance suite`(channels: Int) throws {
    let response = EffectFile.sound(.decay(channels: channels, frameCount: 60_000))
    let settings = [
      (Convolver.Parameter.mix.rawValue, Float(100)), (Convolver.Parameter.preDelay.rawValue, 0),
    ]
    for width in channels == 1 ? [1, 2, 5] : [1, 2] {
      try expectNothing(Conformance<Convolver>(channels: width, settings: settings, files: [response]))
    }
  }

  private func expectNothing<E: Effect & ~Copyable>(_ suite: Conformance<E>) throws {
    let findings = try suite.findings()
    #expect(findings == [])
  }

  private func expect<Wrong: Fault>(_ fault: Wrong.Type) throws {
    let findings = try Conformance<Broken<Wrong>>(sampleRates: [48_000], channels: 1).findings()
    let rules = Set(findings.map(\.rule))
    #expect(Wrong.kind == .none ? rules.isEmpty : rules.contains(Wrong.rule), "\(Wrong.self): \(findings)")
  }

  @Test func `each fault is reported under its rule, and a correct effect has none`() throws {
    try expect(NoFault.self)
    try expect(TooManyNames.self)
    try expect(CutsAtBlocks.self)
    try expect(KeepsSound.self)
    try expect(RingsOn.self)
    try expect(LetsNaNIn.self)
    try expect(Explodes.self)
    try expect(PresetOutside.self)
    try expect(PresetMisnamed.self)
    try expect(ClaimsRest.self)
    try expect(Steps.self)
    try expect(WritesInput.self)
    try expect(Lies.self)
  }
}
