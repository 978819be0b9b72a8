// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletStretch
import SwiftletTesting
import Testing

#if RubberBand
  /// The algorithm `finest`, which needs the trait: `swift test --traits RubberBand --filter Finest`.
  struct FinestTests {
    private func stretcher(
      _ stretch: Stretch, at rate: Double = 48_000, isPrompt: Bool = false
    ) throws -> Stretcher {
      try #require(
        Stretcher(
          channelCount: 1, sampleRate: rate, stretch, engine: .finest, isPrompt: isPrompt, isBest: true))
    }

    /// A tone with `overtones` harmonics that fall by 9 dB per octave.
    private func tone(
      _ frequency: Double, overtones: Int = 1, seconds: Double, at rate: Double = 48_000
    ) -> [Float] {
      (0..<Int(seconds * rate)).map { frame in
        (1...overtones).reduce(Float(0)) { sum, harmonic in
          let phase = 2 * .pi * frequency * Double(harmonic * frame) / rate
          return sum + Float(0.3 * pow(Double(harmonic), -1.5) * sin(phase + Double(harmonic - 1)))
        }
      }
    }

    private func cents(_ samples: ArraySlice<Float>, above expected: Double) -> Double {
      ToneMeasure(samples, at: 48_000).cents(above: expected)
    }

    @Test(arguments: [-24.0, -12, -5, -0.5, 0, 3, 7, 12, 24])
    func `sines and tones are shifted by the requested pitch within 2 cents`(semitones: Double) throws {
      for overtones in [1, 20] {
        let input = tone(220, overtones: overtones, seconds: 2)
        let output = try stretcher(Stretch(pitch: semitones), isPrompt: true).play(input).output
        #expect(abs(cents(output[24_000..<72_000], above: 220 * exp2(semitones / 12))) < 2)
      }
    }

    @Test(arguments: [Stretch(speed: 0.25), Stretch(speed: 0.8), Stretch(speed: 1.5), Stretch(speed: 4)])
    func `a change of speed keeps the pitch and scales the length`(stretch: Stretch) throws {
      let input = tone(440, seconds: 2 * stretch.speed + 1)
      let stretcher = try stretcher(stretch)
      let output = stretcher.play(input).output
      #expect(abs(cents(output[24_000..<72_000], above: 440)) < 2)
      let owed = Double(input.count) / stretch.speed - Double(output.count)
      #expect(owed >= 0 && owed < Double(stretcher.lag) / stretch.speed + 2048, "\(owed) frames are missing")
    }

    @Test(arguments: [32_000.0, 44_100, 48_000, 96_000, 192_000])
    func `without a change the output is aligned with the input at every sample rate`(rate: Double) throws {
      var input = [Float](repeating: 0, count: Int(rate))
      input[777] = 1
      let output = try stretcher(Stretch(), at: rate, isPrompt: true).play(input).output
      #expect(output.indices.max { abs(output[$0]) < abs(output[$1]) } == 777)
      #expect(output[777] > 0.85)
    }

    @Test(arguments: [44_100.0, 48_000])
    func `the buffered sound never exceeds the reported lag`(rate: Double) throws {
      for semitones in [-24.0, -12, 0, 12, 24] {
        let stretcher = try stretcher(Stretch(pitch: semitones), at: rate, isPrompt: true)
        let waiting = stretcher.play(tone(220, seconds: 1, at: rate)).waiting
        #expect(waiting <= stretcher.lag, "\(waiting) frames at \(semitones) semitones")
      }
    }

    @Test func `a changing pitch shifts the output by at most 1024 frames`() throws {
      var input = tone(220, seconds: 30) + [Float](repeating: 0, count: 3 * 48_000)
      let impulse = input.count - 48_000
      input[impulse] = 1
      let stretcher = try stretcher(Stretch(), isPrompt: true)
      let (output, waiting) = stretcher.play(input, changes: restlessPitch(until: 30 * 48_000))
      let peak = (output.count - 60_000..<output.count).max { abs(output[$0]) < abs(output[$1]) } ?? 0
      #expect(abs(peak - impulse) <= 1024, "it lies \(peak - impulse) frames off")
      #expect(waiting <= stretcher.lag, "\(waiting) frames wait")
    }

    @Test func `NaN, infinities and extreme samples do not affect later output`() throws {
      var input = tone(220, seconds: 3)
      for (frame, bad) in [
        Float.nan, .infinity, -Float.infinity, .greatestFiniteMagnitude,
      ].enumerated() {
        input[24_000 + 100 * frame] = bad
      }
      let output = try stretcher(Stretch(pitch: 5), isPrompt: true).play(input).output
      #expect(abs(cents(output[72_000..<120_000], above: 220 * exp2(5.0 / 12))) < 2)
      #expect((output[72_000..<120_000].map(abs).max() ?? 0) < 0.5)
    }
  }
#endif
