// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLibraryEffects
import SwiftletSignal
import SwiftletStretch
import SwiftletTesting
import Testing

@Suite(.enabled(if: Effort.isFull, "renders much sound; runs in release"))
struct PitchTests {
  private let rate = 48_000.0

  /// The indices of the stretch algorithms that are built.
  private static let algorithms = Array(0..<StretchAlgorithm.built.count)

  private func rig(
    _ semitones: Float = 0, at rate: Double = 48_000, engine: Int = 0
  ) throws -> EffectRig<Pitch> {
    var rig = try EffectRig<Pitch>(Layout(sampleRate: rate, longestBlock: 1024, channels: 1, engine: engine))
    rig.set(.pitch, to: semitones)
    rig.reset()
    return rig
  }

  /// Returns a tone with the spectrum of a voice: 30 harmonics that fall by 9 dB per octave.
  private func voice(_ frequency: Double, seconds: Double, at rate: Double = 48_000) -> [Float] {
    (0..<Int(seconds * rate)).map { frame in
      (1...30).reduce(Float(0)) { sum, harmonic in
        let phase = 2 * .pi * frequency * Double(harmonic * frame) / rate
        return sum + Float(0.2 * pow(Double(harmonic), -1.5) * sin(phase + Double(harmonic)))
      }
    }
  }

  @Test(arguments: [-24, -12, -5, -1, 0.5, 3, 7, 12, 24] as [Float], algorithms)
  func `a voice-like tone is shifted by the given semitones`(semitones: Float, engine: Int) throws {
    var rig = try rig(semitones, engine: engine)
    let output = rig.render([voice(220, seconds: 3)])[0]
    let wanted = 220 * exp2(Double(semitones) / 12)
    let cents = ToneMeasure(output[48_000..<144_000], at: rate).cents(above: wanted)
    #expect(abs(cents) < 2, "\(cents) cents from \(wanted) Hz")
  }

  @Test(arguments: [44_100.0, 48_000, 88_200, 96_000, 192_000], algorithms)
  func `an impulse is delayed exactly by the latency, at every rate and time`(rate: Double, engine: Int)
    throws
  {
    for seconds in [0.017, 0.45, 0.6] {
      var rig = try rig(at: rate, engine: engine)
      let frame = Int(seconds * rate), end = frame + rig.latency
      var input = [Float](repeating: 0, count: end + rig.latency)
      input[frame] = 1
      let output = rig.render([input])[0]
      #expect(output.indices.max { abs(output[$0]) < abs(output[$1]) } == end, "at \(seconds) s")
      #expect(output[end] > 0.85)
    }
  }

  @Test(arguments: algorithms)
  func `bursts stay in time at any pitch, regardless of earlier pitch changes`(engine: Int) throws {
    // A burst of 30 ms every half second. The centre of its energy must be at its position plus the latency, within
    // the 40 ms by which SoundTouch moves its segments, or the 60 ms of Rubber Band's windows.
    let most = [1920.0, 2880][engine]
    var input = [Float](repeating: 0, count: 480_000)
    for start in stride(from: 24_000, to: 480_000, by: 24_000) {
      for frame in 0..<1440 {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / 1440)
        input[start + frame] = Float(0.5 * window * sin(2 * .pi * 600 * Double(frame) / rate))
      }
    }
    var rig = try rig(engine: engine)
    let pitches: [Float] = [12, -12, 7, -24, 24, -3, 0, 19, -19]
    let changes = (0..<18).map { Change(at: 6000 + 24_000 * $0, 0, to: pitches[$0 % 9], over: 960) }
    let output = rig.render([input], changes: changes)[0]
    for start in stride(from: 48_000, to: 456_000, by: 24_000) {
      let from = start + rig.latency - 9600
      let energies: [Double] = output[from..<from + 19_200].map { Double($0) * Double($0) }
      let total: Double = energies.reduce(0, +)
      var moment = 0.0
      for (index, energy) in energies.enumerated() { moment += Double(index) * energy }
      let middle = moment / total - 9600
      #expect(abs(middle - 720) < most, "the burst at \(start) lies \(middle - 720) frames off")
    }
  }

  @Test(arguments: algorithms) func `a moving pitch does not click`(engine: Int) throws {
    var rig = try rig(engine: engine)
    let omega = 2 * Double.pi * 220 / rate
    let sine = (0..<192_000).map { Float(0.5 * sin(omega * Double($0))) }
    let pitches: [Float] = [5, -7, 12, -12, 0]
    let changes = (0..<15).map { Change(at: 24_000 + 9600 * $0, 0, to: pitches[$0 % 5], over: 960) }
    let output = rig.render([sine], changes: changes)[0]
    // A sine of 440 Hz at half of full scale has second differences of 0.0017; a click in it reaches 0.5.
    let slopes = zip(output, output.dropFirst()).map { $1 - $0 }
    let bends = zip(slopes, slopes.dropFirst()).map { abs($1 - $0) }.dropFirst(rig.latency + 2400)
    let worst = bends.max() ?? 1
    #expect(worst < 0.02, "it bends by \(worst)")
  }

  @Test(arguments: algorithms)
  func `rendering on the side thread gives the same samples as offline`(engine: Int) throws {
    let input = voice(200, seconds: 1.5)
    var offline = try rig(4, engine: engine), live = try rig(4, engine: engine)
    live.transport = Transport()
    let expected = offline.render([input], blockSize: 480)[0]
    var output: [Float] = []
    for start in stride(from: 0, to: input.count, by: 480) {
      output += live.render([Array(input[start..<start + 480])], blockSize: 480)[0]
      usleep(10_000)
    }
    #expect(output == expected)
  }

  @Test func `late output is replaced by silence, and the rest stays in time`() throws {
    let input = voice(200, seconds: 2)
    var offline = try rig(4), live = try rig(4)
    live.transport = Transport()
    let expected = offline.render([input], blockSize: 480)[0]
    var output: [Float] = []
    for start in stride(from: 0, to: input.count, by: 480) {
      // A sixth of a second arrives at once, faster than the thread can process it.
      output += live.render([Array(input[start..<start + 480])], blockSize: 480)[0]
      if !(24_000..<31_680 ~= start) { usleep(10_000) }
    }
    #expect(output.indices.allSatisfy { output[$0] == expected[$0] || output[$0] == 0 })
    #expect(output[..<48_000] != expected[..<48_000], "something did come too late")
    #expect(output[72_000...] == expected[72_000...])
  }
}
