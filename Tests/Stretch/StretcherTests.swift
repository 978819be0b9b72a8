// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletStretch
import Testing

struct StretcherTests {
  private let rate = 48_000.0

  private func stretcher(_ stretch: Stretch, isPrompt: Bool = false) throws -> Stretcher {
    try #require(
      Stretcher(channelCount: 1, sampleRate: rate, stretch, isPrompt: isPrompt, isBest: true))
  }

  private func sine(_ frequency: Double, seconds: Double) -> [Float] {
    (0..<Int(seconds * rate)).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
  }

  /// The frequency of a sine, measured between the first and last rising zero crossing of its middle part.
  private func frequency(_ samples: [Float]) -> Double {
    var zeros: [Double] = []
    for frame in Int(rate / 2)..<samples.count - Int(rate / 2)
    where samples[frame] < 0 && samples[frame + 1] >= 0 {
      zeros.append(Double(frame) - Double(samples[frame] / (samples[frame + 1] - samples[frame])))
    }
    guard let first = zeros.first, let last = zeros.last, zeros.count > 1 else { return 0 }
    return Double(zeros.count - 1) * rate / (last - first)
  }

  private func cents(_ measured: Double, _ expected: Double) -> Double { 1200 * log2(measured / expected) }

  @Test(arguments: [-24.0, -12, -7, -1, -0.5, 0, 0.3, 1, 5, 12, 19, 24])
  func `the pitch is right within 2 cents, and the length is kept`(semitones: Double) throws {
    for isPrompt in [false, true] {
      let input = sine(440, seconds: 4)
      let output = try stretcher(Stretch(pitch: semitones), isPrompt: isPrompt).play(input).output
      #expect(abs(cents(frequency(output), 440 * exp2(semitones / 12))) < 2)
      #expect(input.count - output.count < Int(0.25 * rate) && output.count <= input.count)
    }
  }

  @Test(arguments: [0.25, 0.5, 0.8, 0.95, 1.1, 1.5, 2, 4])
  func `the speed is right, and the pitch is kept`(speed: Double) throws {
    let input = sine(440, seconds: 4 * speed)
    let output = try stretcher(Stretch(speed: speed)).play(input).output
    #expect(abs(cents(frequency(output), 440)) < 2)
    #expect(abs(Double(output.count) - 4 * rate) < 0.5 * rate)
  }

  @Test(arguments: [0.25, 0.5, 0.8, 1.5, 2, 4])
  func `varispeed changes the pitch with the speed`(varispeed: Double) throws {
    let input = sine(440, seconds: 4 * varispeed)
    let output = try stretcher(Stretch(varispeed: varispeed)).play(input).output
    #expect(abs(cents(frequency(output), 440 * varispeed)) < 0.1)
    #expect(abs(Double(output.count) - 4 * rate) < 0.6 * rate)
  }

  // At twice the speed a sine of 18 kHz would be at 36 kHz and alias to 12 kHz.
  @Test(arguments: [(18_000.0, 2.0), (13_000, 2), (9_000, 3.7), (15_000, 1.9)])
  func `varispeed attenuates aliases by 100 dB`(frequency: Double, varispeed: Double) throws {
    let output = try stretcher(Stretch(varispeed: varispeed)).play(sine(frequency, seconds: 4)).output
    let middle = output[4800..<output.count - 4800]
    let power = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
    #expect(10 * log10(power / 0.125) < -100)
  }

  @Test func `without a change the output is aligned with the input`() throws {
    var input = [Float](repeating: 0, count: 96_000)
    input[48_000] = 1
    let output = try stretcher(Stretch(), isPrompt: true).play(input).output
    #expect(output.indices.max { abs(output[$0]) < abs(output[$1]) } == 48_000)
    #expect(output[48_000] > 0.9)
  }

  @Test func `a changing pitch causes no drift and little buffering`() throws {
    var input = sine(220, seconds: 40) + [Float](repeating: 0, count: 3 * 48_000)
    let impulse = input.count - 48_000
    input[impulse] = 1
    let stretcher = try stretcher(Stretch(), isPrompt: true)
    let (output, most) = stretcher.play(input, changes: restlessPitch(until: 40 * 48_000))
    let end = output.count - 90_000
    let peak = (end..<output.count).max { abs(output[$0]) < abs(output[$1]) } ?? 0
    #expect(abs(peak - impulse) <= 48)
    #expect(most <= stretcher.lag + 128)
  }
}
