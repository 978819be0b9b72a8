// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import Testing

@testable import SwiftletFiles

/// The rounding error of few bits, compared with the theory of dither.
@Suite struct DitherTests {
  /// Returns the error of each sample in steps, for `samples` rounded to `bits` bits.
  private func errors(_ samples: [Float], dithers: Bool, bits: Int = 16) -> [Double] {
    var quantizer = Quantizer(bits: bits, dithers: dithers)
    quantizer.round(samples, samples.count)
    let scale = Double(1 << (bits - 1))
    return zip(samples, quantizer.whole).map { Double($1 >> Int32(32 - bits)) - Double($0) * scale }
  }

  private func mean(_ values: some Collection<Double>) -> Double {
    values.reduce(0, +) / Double(values.count)
  }

  /// Returns a sine with an amplitude of `steps` steps of 16 bits.
  private func sine(_ steps: Double, _ count: Int = 1 << 18) -> [Float] {
    (0..<count).map { Float(steps * sin(2 * .pi * 0.01237 * Double($0)) / 32_768) }
  }

  @Test(arguments: [0.4, 3.7, 1000.3])
  func `the error is noise with a power of 1/4 step², for any sound`(steps: Double) {
    let samples = sine(steps)
    let errors = errors(samples, dithers: true)
    // Triangular noise contributes 1/6, rounding 1/12.
    #expect(abs(mean(errors)) < 0.01)
    #expect(abs(mean(errors.map { $0 * $0 }) - 0.25) < 0.005)
    // Its power is the same where the sine is high and where it is low.
    let pairs = zip(samples, errors).map { (Double($0) * 32_768 / steps, $1) }
    for range in [-1.0 ..< -0.5, -0.5..<0, 0..<0.5, 0.5..<1] {
      let part = pairs.filter { range.contains($0.0) }.map(\.1)
      #expect(abs(mean(part)) < 0.02 && abs(mean(part.map { $0 * $0 }) - 0.25) < 0.01)
    }
    // Errors of different samples are uncorrelated.
    for distance in [1, 2, 7] {
      #expect(abs(mean(zip(errors, errors.dropFirst(distance)).map { $0 * $1 })) < 0.005)
    }
  }

  @Test func `without dither the error follows the sound`() {
    let samples = sine(0.4)
    // All samples are rounded to zero, so the error is the sound.
    let errors = errors(samples, dithers: false)
    #expect(zip(samples, errors).allSatisfy { abs(Double($0) * 32_768 + $1) < 1e-6 })
    #expect(
      abs(mean(zip(samples, self.errors(samples, dithers: true)).map { Double($0) * 32_768 * $1 })) < 0.002)
  }

  @Test(arguments: [8, 16, 24])
  func `samples with this many bits are unchanged, and silence stays silent`(bits: Int) {
    var generator = SeededGenerator(seed: 3)
    let scale = Float(1 << (bits - 1))
    let samples = (0..<10_000).map { _ in Float(Int.random(in: -100...100, using: &generator)) / scale }
    #expect(errors(samples, dithers: true, bits: bits).allSatisfy { $0 == 0 })
    // After sound this takes a moment.
    let ending = sine(20.3, 5000) + [Float](repeating: 0, count: 9000)
    let rest = errors(ending, dithers: true, bits: bits)[5000...]
    #expect(rest.prefix(4000).contains { $0 != 0 } && rest.dropFirst(4096).allSatisfy { $0 == 0 })
  }

  @Test func `blocks of any size give the same file, and full scale does not wrap`() {
    let samples = sine(3.3, 20_000) + [1, -1, 2, -2, .nan, 0.99999]
    var whole = Quantizer(bits: 16, dithers: true), sliced = whole
    whole.round(samples, samples.count)
    var result: [Int32] = [], position = 0
    while position < samples.count {
      let slice = Array(samples[position..<min(position + 777, samples.count)])
      sliced.round(slice, slice.count)
      result += sliced.whole.prefix(slice.count)
      position += slice.count
    }
    #expect(result == Array(whole.whole.prefix(samples.count)))
    let ends = result.suffix(6).map { $0 >> 16 }
    #expect(ends[0] > 32_000 && ends[1] < -32_000 && ends[2] == 32_767 && ends[3] == -32_768 && ends[4] == 0)
  }

  @Test func `a file is dithered on request`() throws {
    let samples = sine(0.4, 48_000), folder = try Folder()
    for (container, encoding) in [
      (AudioContainer.wav, SampleEncoding.int16), (.flac, .int16), (.m4a, .alac16),
    ] {
      for dithers in [false, true] {
        var format = RecordingFormat(container: container, encoding: encoding)
        format.isDithered = dithers
        let path = folder["\(dithers).\(container.rawValue)"]
        let writer = try AudioFileWriter(path, format: format, sampleRate: 48_000, channelCount: 1)
        try writer.write([samples])
        try writer.close()
        let read = try ConvertingReader(path).read(48_000)[0]
        #expect(read.contains { $0 != 0 } == dithers)
      }
    }
  }
}
