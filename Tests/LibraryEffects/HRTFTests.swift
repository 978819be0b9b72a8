// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLibraryEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// The output at both ears, compared with the SOFA file as another program reads it.
struct HRTFTests {
  private func impulse(_ count: Int) -> [[Float]] { [[1] + [Float](repeating: 0, count: count - 1)] }

  /// The difference of `heard` from `expected`, in dB relative to the energy of `expected`.
  private func error(_ heard: ArraySlice<Float>, _ expected: [Double]) -> Double {
    let wrong = zip(heard, expected).reduce(0) { $0 + pow(Double($1.0) - $1.1, 2) }
    return 10 * log10(max(wrong, 1e-30) / expected.reduce(0) { $0 + $1 * $1 })
  }

  @Test func `an impulse at each measured direction yields the file's response, at its own rate`() throws {
    let dump = try SOFADump()
    try #require(dump.directionCount == 710 && dump.taps == 512 && dump.rate == 44_100)
    var rig = try EnvironmentRig(rate: dump.rate)
    rig.set(.rendering, 1)
    for number in stride(from: 0, to: dump.directionCount, by: Effort.of(1, debug: 23)) {
      rig.put(at: dump.point(number, distance: 0.7))
      rig.reset()
      let heard = rig.render(impulse(1024))
      for ear in 0..<2 {
        let worst = error(heard[ear][0..<512], Array(dump.impulse(number, ear: ear)))
        #expect(worst < -100, "direction \(number), ear \(ear): \(worst) dB")
        #expect(heard[ear][512...].allSatisfy { $0 == 0 })
      }
    }
  }

  /// An impulse response at another rate, by the formula of band-limited interpolation.
  private func resampled(_ impulse: ArraySlice<Double>, from: Double, to: Double, _ count: Int) -> [Double] {
    let cutoff = min(1, to / from)
    return (0..<count).map { frame in
      let position = Double(frame) * from / to
      return impulse.enumerated().reduce(0) { sum, sample in
        let x = cutoff * (position - Double(sample.offset))
        return sum + sample.element * (x == 0 ? 1 : sin(.pi * x) / (.pi * x))
      } * from / to * cutoff
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: [48_000.0, 96_000])
  func `at another rate the response has the same spectrum`(rate: Double) throws {
    let dump = try SOFADump()
    var rig = try EnvironmentRig(rate: rate)
    rig.set(.rendering, 1)
    for number in stride(from: 0, to: dump.directionCount, by: 13) {
      rig.put(at: dump.point(number, distance: 1))
      rig.reset()
      let heard = rig.render(impulse(1400))
      for ear in 0..<2 {
        let ideal = resampled(dump.impulse(number, ear: ear), from: dump.rate, to: rate, 1400)
        // Within the passband of the resampling, frequency by frequency.
        for frequency in stride(from: 200.0, through: 16_000, by: 790) {
          let (one, other) = (
            tone(heard[ear].map(Double.init), frequency / rate), tone(ideal, frequency / rate)
          )
          let way = hypot(one.0 - other.0, one.1 - other.1)
          #expect(way < 3e-3, "direction \(number), ear \(ear), \(frequency) Hz: \(way)")
        }
      }
    }
  }

  private func tone(_ samples: [Double], _ cycles: Double) -> (Double, Double) {
    samples.enumerated().reduce((0, 0)) { sum, sample in
      let angle = 2 * .pi * cycles * Double(sample.offset)
      return (sum.0 + sample.element * cos(angle), sum.1 + sample.element * sin(angle))
    }
  }

  @Test func `between two directions level and delay change gradually`() throws {
    let dump = try SOFADump()
    var rig = try EnvironmentRig(rate: dump.rate)
    rig.set(.rendering, 1)
    // Measured directions on the horizon are 5° apart; 2.5° to the right of the front the left ear should hear the
    // source slightly later and softer.
    var powers: [Double] = [], onsets: [Double] = []
    for degrees in stride(from: 0.0, through: Effort.of(60, debug: 10), by: 0.5) {
      let angle = degrees * .pi / 180
      rig.put(at: SIMD3(Float(sin(angle)), 0, Float(-cos(angle))))
      rig.reset()
      let heard = rig.render(impulse(1024))
      func middle(_ samples: [Float]) -> Double {
        let weights = samples.prefix(80).enumerated().map { ($0.offset, pow(Double($0.element), 2)) }
        return weights.reduce(0) { $0 + Double($1.0) * $1.1 } / weights.reduce(0) { $0 + $1.1 }
      }
      powers.append(10 * log10(heard[1].reduce(0) { $0 + Double($1 * $1) }))
      onsets.append(middle(heard[0]) - middle(heard[1]))
    }
    // Neither level nor delay jumps between steps of half a degree, and both end at the expected side.
    for step in 1..<powers.count {
      #expect(abs(powers[step] - powers[step - 1]) < 0.5, "level at \(Double(step) / 2)°")
      #expect(abs(onsets[step] - onsets[step - 1]) < 1.5, "delay at \(Double(step) / 2)°")
    }
    guard Effort.isFull else { return }
    #expect(powers[powers.count - 1] - powers[0] > 2 && onsets[onsets.count - 1] - onsets[0] > 10)
  }

  @Test func `a source that circles fast does not click`() throws {
    // A click lies far above the low sine. One turn takes half a second, in steps that are no multiple of a block.
    let rate = 48_000.0, count = 48_000
    let sine = [(0..<count).map { Float(0.5 * sin(2 * .pi * 100 * Double($0) / rate)) }]
    for rendering in [Float(0), 1] {
      var rig = try EnvironmentRig(rate: rate)
      rig.set(.rendering, rendering)
      var changes: [Change] = []
      for step in 0..<100 {
        let angle = 2 * Double.pi * Double(step + 1) / 50, frame = 480 * step
        changes.append(EnvironmentRig.change(at: frame, .x, to: Float(sin(angle)), over: 480))
        changes.append(EnvironmentRig.change(at: frame, .z, to: Float(-cos(angle)), over: 480))
      }
      let heard = rig.render(sine, changes: changes)
      #expect(roughness(heard, from: 2000) < 4e-4, "\(rendering)")
    }
  }

  /// The largest second difference of the samples.
  private func roughness(_ heard: [[Float]], from start: Int) -> Float {
    heard.prefix(2).map { samples in
      (start..<samples.count - 1).map { abs(samples[$0 - 1] - 2 * samples[$0] + samples[$0 + 1]) }.max() ?? 0
    }.max() ?? 0
  }

  @Test func `a source that jumps does not click`() throws {
    let rate = 48_000.0, count = 24_000
    let sine = [(0..<count).map { Float(0.5 * sin(2 * .pi * 100 * Double($0) / rate)) }]
    for rendering in [Float(0), 1] {
      for point in [
        SIMD3<Float>(0, 0, 1), SIMD3(-1, 0, 0), SIMD3(0, 0, -900), SIMD3(0, 0, 0), SIMD3(2, -3, 0),
      ] {
        var rig = try EnvironmentRig(rate: rate)
        rig.set(.rendering, rendering)
        let changes = zip([Environment.SourceParameter.x, .y, .z], [point.x, point.y, point.z]).map {
          EnvironmentRig.change(at: 9013, $0, to: $1, over: 0)
        }
        let heard = rig.render(sine, changes: changes)
        #expect(roughness(heard, from: 2000) < 2e-3, "to \(point), \(rendering)")
      }
    }
  }

  @Test(arguments: [Float(0), 1]) func `blocks of any size give the same samples while sources move`(
    _ rendering: Float
  ) throws {
    let input = [Signals.noise(6000), Signals.noise(6000, seed: 2)]
    var changes: [Change] = []
    for step in 0..<40 {
      let frame = 37 + 113 * step, position = Float(sin(Double(step)))
      changes.append(
        EnvironmentRig.change(at: frame, .x, of: step % 2, to: 3 * position, over: step * 30 % 200))
      changes.append(
        EnvironmentRig.change(at: frame + 11, .obstruction, of: step % 2, to: -20 * abs(position), over: 90))
    }
    func render(_ blockSize: Int) throws -> [[Float]] {
      var rig = try EnvironmentRig(channels: 2)
      rig.set(.rendering, of: 0, rendering)
      rig.set(.rendering, of: 1, 1)
      rig.set(.reverbBlend, of: 1, 30)
      return rig.render(input, blockSize: blockSize, changes: changes)
    }
    let whole = try render(1024)
    for size in [1, 7, 64, 100, 256] { #expect(try render(size) == whole, "blocks of \(size)") }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"))
  func `HRTF rendering with occlusion and obstruction conforms`() throws {
    let settings = (0..<2).flatMap { source -> [Conformance<Environment>.Setting] in
      [
        (Environment.Parameter.source(source, .rendering).rawValue, 1),
        (Environment.Parameter.source(source, .x).rawValue, source == 0 ? -1.3 : 0.2),
        (Environment.Parameter.source(source, .reverbBlend).rawValue, 40),
        (Environment.Parameter.source(source, .occlusion).rawValue, -6),
        (Environment.Parameter.source(source, .obstruction).rawValue, -12),
      ]
    }
    let findings = try Conformance<Environment>(
      sampleRates: [48_000], settings: settings, without: [.latency]
    ).findings()
    #expect(findings == [])
  }
}
