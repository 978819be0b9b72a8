// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletStretch
import Testing

#if RubberBand
  /// The engine that only a program with the trait has: `swift test --traits RubberBand --filter Finest`.
  struct FinestTests {
    private func stretcher(
      _ stretch: Stretch, at rate: Double = 48_000, isPrompt: Bool = false
    ) throws -> Stretcher {
      try #require(
        Stretcher(
          channelCount: 1, sampleRate: rate, stretch, engine: .finest, isPrompt: isPrompt, isBest: true))
    }

    /// What comes out of `input`, and how many frames wait at most.
    private func run(
      _ input: [Float], _ stretcher: Stretcher, changes: [Int: Stretch] = [:]
    ) -> (output: [Float], waiting: Int) {
      var output: [Float] = [], piece = [Float](repeating: 0, count: 4096), waiting = 0
      for start in stride(from: 0, to: input.count - 127, by: 128) {
        if let change = changes[start] { stretcher.stretch = change }
        Array(input[start..<start + 128]).withUnsafeBufferPointer { frames in
          if let base = frames.baseAddress { stretcher.push(base, count: 128) }
        }
        while true {
          let got = stretcher.pull(into: &piece, count: 4096)
          if got == 0 { break }
          output += piece[..<got]
        }
        waiting = max(waiting, start + 128 - output.count)
      }
      return (output, waiting)
    }

    /// A tone of so many overtones, softer by 9 dB an octave.
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

    private func strength(_ samples: ArraySlice<Float>, _ frequency: Double, at rate: Double) -> Double {
      var real = 0.0, imaginary = 0.0
      for (place, sample) in samples.enumerated() {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(place) / Double(samples.count))
        let phase = 2 * .pi * frequency * Double(place) / rate
        real += window * Double(sample) * cos(phase)
        imaginary += window * Double(sample) * sin(phase)
      }
      return hypot(real, imaginary)
    }

    /// How many cents the strongest frequency within a semitone lies above `wanted`.
    private func cents(_ samples: ArraySlice<Float>, above wanted: Double, at rate: Double = 48_000) -> Double
    {
      var (low, high) = (-100.0, 100.0)
      for step in [10.0, 1, 0.1] {
        let all = stride(from: low, through: high, by: step).map { cents in
          (cents: cents, strength: strength(samples, wanted * exp2(cents / 1200), at: rate))
        }
        let best = all.max { $0.strength < $1.strength }?.cents ?? 0
        (low, high) = (best - step, best + step)
      }
      return (low + high) / 2
    }

    @Test(arguments: [-24.0, -12, -5, -0.5, 0, 3, 7, 12, 24])
    func `sines and tones sound as much higher as was asked for, to two cents`(semitones: Double) throws {
      for overtones in [1, 20] {
        let input = tone(220, overtones: overtones, seconds: 2)
        let output = run(input, try stretcher(Stretch(pitch: semitones), isPrompt: true)).output
        #expect(abs(cents(output[24_000..<72_000], above: 220 * exp2(semitones / 12))) < 2)
      }
    }

    @Test(arguments: [Stretch(speed: 0.25), Stretch(speed: 0.8), Stretch(speed: 1.5), Stretch(speed: 4)])
    func `at another speed the pitch stays, and the length is right`(stretch: Stretch) throws {
      let input = tone(440, seconds: 2 * stretch.speed + 1)
      let stretcher = try stretcher(stretch)
      let output = run(input, stretcher).output
      #expect(abs(cents(output[24_000..<72_000], above: 440)) < 2)
      let owed = Double(input.count) / stretch.speed - Double(output.count)
      #expect(owed >= 0 && owed < Double(stretcher.lag) / stretch.speed + 2048, "\(owed) frames are missing")
    }

    @Test(arguments: [32_000.0, 44_100, 48_000, 96_000, 192_000])
    func `sound left as it is comes out as it went in, frame by frame, at every rate`(rate: Double) throws {
      var input = [Float](repeating: 0, count: Int(rate))
      input[777] = 1
      let output = run(input, try stretcher(Stretch(), at: rate, isPrompt: true)).output
      #expect(output.indices.max { abs(output[$0]) < abs(output[$1]) } == 777)
      #expect(output[777] > 0.85)
    }

    @Test(arguments: [44_100.0, 48_000])
    func `no more sound waits than is promised`(rate: Double) throws {
      for semitones in [-24.0, -12, 0, 12, 24] {
        let stretcher = try stretcher(Stretch(pitch: semitones), at: rate, isPrompt: true)
        let waiting = run(tone(220, seconds: 1, at: rate), stretcher).waiting
        #expect(waiting <= stretcher.lag, "\(waiting) frames at \(semitones) semitones")
      }
    }

    @Test func `however the pitch moves, the sound is off by no more than half of half a window`() throws {
      var input = tone(220, seconds: 30) + [Float](repeating: 0, count: 3 * 48_000)
      let impulse = input.count - 48_000
      input[impulse] = 1
      var changes: [Int: Stretch] = [:], state: UInt64 = 5
      for start in stride(from: 0, to: 30 * 48_000, by: 640) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        changes[start] = Stretch(pitch: -24 + 48 * Double(state >> 40) / Double(1 << 24))
      }
      changes[30 * 48_000] = Stretch()
      let stretcher = try stretcher(Stretch(), isPrompt: true)
      let (output, waiting) = run(input, stretcher, changes: changes)
      let peak = (output.count - 60_000..<output.count).max { abs(output[$0]) < abs(output[$1]) } ?? 0
      #expect(abs(peak - impulse) <= 1024, "it lies \(peak - impulse) frames off")
      #expect(waiting <= stretcher.lag, "\(waiting) frames wait")
    }

    @Test func `what is no number, or too much of one, is soon forgotten`() throws {
      var input = tone(220, seconds: 3)
      for (frame, bad) in [
        Float.nan, .infinity, -Float.infinity, .greatestFiniteMagnitude,
      ].enumerated() {
        input[24_000 + 100 * frame] = bad
      }
      let output = run(input, try stretcher(Stretch(pitch: 5), isPrompt: true)).output
      #expect(abs(cents(output[72_000..<120_000], above: 220 * exp2(5.0 / 12))) < 2)
      #expect((output[72_000..<120_000].map(abs).max() ?? 0) < 0.5)
    }
  }
#endif
