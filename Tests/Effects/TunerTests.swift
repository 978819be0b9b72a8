// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct TunerTests {
  private static let rate = 48_000.0

  /// Returns the tuner's display for a sound: pitch, note, cents, clarity.
  private func shown(
    _ sound: [Float], rate: Double = rate, reference: Float = 440, blockSize: Int = 256
  ) throws -> [Float] {
    var rig = try EffectRig<Tuner>(Layout(sampleRate: rate, longestBlock: 1024, channels: 1))
    rig.set(.reference, to: reference)
    _ = rig.render([sound], blockSize: blockSize)
    return rig.meters
  }

  /// Returns a tone of harmonics, each `fall` times the previous one, up to a third of the rate.
  private func tone(_ frequency: Double, fall: Double, rate: Double = rate, seconds: Double = 0.6) -> [Float]
  {
    let count = min(20, Int(rate / 3 / frequency))
    return (0..<Int(seconds * rate)).map { frame in
      var sum = 0.0
      for harmonic in 1...max(count, 1) {
        let phase = 2 * Double.pi * frequency * Double(harmonic) * Double(frame) / rate
        sum += pow(fall, Double(harmonic - 1)) * sin(phase + Double(harmonic * harmonic))
      }
      return Float(0.2 * sum)
    }
  }

  private func cents(_ found: Float, from requested: Double) -> Double {
    1200 * log2(Double(found) / requested)
  }

  @Test(arguments: [0.0, 0.6, 0.9])
  func `the pitch of sines and of rich tones is found within a cent`(fall: Double) throws {
    for step in stride(from: 0.0, through: 88, by: 3.7) {
      let frequency = 27.5 * pow(2, step / 12), found = try shown(tone(frequency, fall: fall))
      #expect(abs(cents(found[0], from: frequency)) < 1, "\(frequency) Hz: \(found)")
      #expect(found[3] > 95, "\(frequency) Hz: \(found)")
    }
  }

  @Test(arguments: [8000.0, 22_050, 44_100, 88_200, 96_000, 192_000])
  func `the tuner works at every rate`(rate: Double) throws {
    for frequency in [55.0, 196, 987.77] {
      let found = try shown(tone(frequency, fall: 0.5, rate: rate), rate: rate)
      #expect(abs(cents(found[0], from: frequency)) < 1, "\(frequency) Hz: \(found)")
    }
  }

  @Test func `the display shows the note and its deviation`() throws {
    // The E of a guitar's lowest string, 12 cents flat, with a reference of 442 Hz.
    let e = 442 * pow(2, (40.0 - 69) / 12),
      found = try shown(tone(e * pow(2, -12.0 / 1200), fall: 0.8), reference: 442)
    #expect(found[1] == 40)
    #expect(abs(found[2] - -12) < 1)
  }

  @Test func `a missing fundamental is detected`() throws {
    let sound = (0..<28_800).map { frame in
      Float((3...7).reduce(0.0) { $0 + 0.1 * sin(2 * .pi * 110 * Double($1 * frame) / Self.rate) })
    }
    #expect(abs(cents(try shown(sound)[0], from: 110)) < 1)
  }

  @Test func `noise, silence and very quiet sound have no pitch`() throws {
    #expect(try shown(Signals.noise(48_000))[0] == 0)
    #expect(try shown([Float](repeating: 0, count: 48_000)) == [0, 0, 0, 0])
    #expect(try shown(Signals.sine(440, at: Self.rate, 48_000, amplitude: 1e-5))[0] == 0)
  }

  @Test func `noise beside a tone shifts it by a few cents at most`() throws {
    let noise = Signals.noise(48_000), sine = tone(220, fall: 0.5, seconds: 1)
    let found = try shown(zip(noise, sine).map { 0.02 * $0 + $1 })
    #expect(abs(cents(found[0], from: 220)) < 5)
    #expect(found[3] < 100)
  }

  @Test func `the tuner follows a pitch that changes`() throws {
    let found = try shown(tone(196, fall: 0.7) + tone(247, fall: 0.7, seconds: 0.3))
    #expect(abs(cents(found[0], from: 247)) < 1)
  }

  @Test func `the display does not depend on the block size`() throws {
    let sound = tone(147, fall: 0.7), whole = try shown(sound, blockSize: 1024)
    for size in [1, 7, 64, 333] { #expect(try shown(sound, blockSize: size) == whole) }
  }

  @Test func `the sound passes unchanged, or is muted`() throws {
    var rig = try EffectRig<Tuner>(Layout(sampleRate: Self.rate, longestBlock: 256))
    let sound = [Signals.noise(1000), Signals.noise(1000, seed: 2)]
    #expect(rig.render(sound) == sound)
    rig.set(.mute, to: 1)
    #expect(rig.render(sound) == [[Float]](repeating: [Float](repeating: 0, count: 1000), count: 2))
  }
}
