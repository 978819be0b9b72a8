// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import Testing

@testable import SwiftletFiles

/// Conversions between formats.
@Suite struct AudioConverterTests {
  typealias Rates = (from: Double, to: Double)
  static let rates: [Rates] = [
    (44_100, 48_000), (48_000, 44_100), (48_000, 16_000), (8000, 48_000), (96_000, 44_100),
    (44_100, 96_000.5),
  ]

  private func format(
    _ rate: Double, _ channels: Int = 1, _ type: AudioFormat.SampleType = .float32,
    isInterleaved: Bool = false
  ) throws -> AudioFormat {
    try AudioFormat(sampleRate: rate, channelCount: channels, sampleType: type, isInterleaved: isInterleaved)
  }

  /// Returns a sine at half of full scale.
  private func sine(_ frequency: Double, _ rate: Double, _ count: Int) -> [Double] {
    (0..<count).map { 0.5 * sin(2 * .pi * frequency * Double($0) / rate) }
  }

  private func decibels(_ power: Double) -> Double { 10 * log10(power) }

  /// Returns the power of the difference of two sounds, relative to the second, in decibels.
  private func distance(_ sound: some Collection<Float>, _ expected: some Collection<Double>) -> Double {
    let error = zip(sound, expected).reduce(0) { $0 + pow(Double($1.0) - $1.1, 2) }
    return decibels(error / expected.reduce(0) { $0 + $1 * $1 })
  }

  // A sine is known at every rate, so its error can be computed.
  @Test(arguments: rates) func `a sine stays the same sine at another rate`(rates: Rates) throws {
    let band = min(rates.from, rates.to) / 2
    for part in [0.05, 0.3, 0.9] {
      let frequency = part * band
      let input = sine(frequency, rates.from, Int(rates.from)).map { Float($0) }
      let output = try AudioBuffer([input], sampleRate: rates.from).converted(to: format(rates.to))
      let expected = sine(frequency, rates.to, output.frameCount)
      // Away from both ends, where the sound begins and stops abruptly.
      let inside = output.frameCount / 4..<output.frameCount * 3 / 4
      let distance = distance(output[0][inside], expected[inside])
      // Four errors add up to −139 dB: 144 dB of libsamplerate's best filter, and floats of 24 bits, 6.02 × 24 + 1.76
      // = 146 dB, for input, filter and output. Towards the edge of the band another error grows with the frequency:
      // the filter's positions are rounded to 2⁻¹² of a table step of 1/2381 frame. Each limit has a margin of a few
      // decibels.
      #expect(distance < (part < 0.5 ? -135 : -130), "\(rates) \(frequency) Hz: \(distance) dB")
    }
  }

  @Test func `frequencies above the lower rate's band are removed`() throws {
    let input = sine(10_000, 48_000, 48_000).map { Float($0) }
    let output = try AudioBuffer([input]).converted(to: format(16_000))
    let inside = output[0][4000..<12_000]
    let level = decibels(inside.reduce(0) { $0 + Double($1 * $1) } / Double(inside.count) / 0.125)
    #expect(level < -135, "\(level) dB")
  }

  @Test(arguments: rates)
  func `the number of frames is exact, and frames keep their positions`(rates: Rates) throws {
    for count in [0, 1, 2, 3, 99, 100, 1000, 10_007] {
      let silence = AudioBuffer([[Float](repeating: 0, count: count)])
      let input = try AudioBuffer(silence.channels, sampleRate: rates.from)
      let made = try input.converted(to: format(rates.to)).frameCount
      #expect(made == Int((Double(count) * rates.to / rates.from).rounded()), "\(count)")
    }
    guard rates.to == rates.to.rounded() else { return }
    // A frame that exists at both rates.
    let divisor = greatestCommonDivisor(Int(rates.from), Int(rates.to))
    let (own, other) = (Int(rates.from) / divisor, Int(rates.to) / divisor), periods = 3000 / own + 1
    var impulse = [Float](repeating: 0, count: 3 * own * periods)
    impulse[own * periods] = 1
    let output = try AudioBuffer([impulse], sampleRate: rates.from).converted(to: format(rates.to))[0]
    let peak = output.indices.max { abs(output[$0]) < abs(output[$1]) }
    #expect(peak == other * periods)
    // The filter is symmetric, so its delay is accurate to less than a frame.
    for step in 1...50 where peak != nil {
      #expect(abs(output[(peak ?? 0) - step] - output[(peak ?? 0) + step]) < 1e-6)
    }
  }

  @Test(arguments: rates) func `buffers of any size give the same bits`(rates: Rates) throws {
    var generator = SeededGenerator(seed: 11)
    let noise = (0..<3).map { _ in (0..<9001).map { _ in Float.random(in: -1...1, using: &generator) } }
    for type in [AudioFormat.SampleType.float32, .int16] {
      for width in [1, 3, 4] {
        let input = try format(rates.from, 3), output = try format(rates.to, width, type, isInterleaved: true)
        let converter = try AudioConverter(from: input, to: output)
        var whole = try converter.convert(AudioBuffer(noise, sampleRate: rates.from))
        whole.append(try converter.finish())
        // The converter starts over each time.
        for most in [1, 7, 4096, 5000] {
          var joined = AudioBuffer(empty: output), position = 0
          while position < 9001 {
            let end = min(position + Int.random(in: 0...most, using: &generator), 9001)
            joined.append(
              try converter.convert(
                AudioBuffer(noise.map { Array($0[position..<end]) }, sampleRate: rates.from))
            )
            position = end
          }
          joined.append(try converter.finish())
          #expect(joined.bytes == whole.bytes, "\(type), \(width) channels, up to \(most) frames")
        }
      }
    }
  }

  @Test(arguments: AudioFormat.SampleType.allCases) func `equal formats give the same bits`(
    type: AudioFormat.SampleType
  ) throws {
    var generator = SeededGenerator(seed: 7)
    for isInterleaved in [false, true] {
      let format = try format(44_100, 2, type, isInterleaved: isInterleaved)
      // Arbitrary bits, including floats that are not finite.
      let bytes = (0..<1000 * format.bytesPerFrame).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let buffer = try AudioBuffer(bytes: bytes, format: format)
      #expect(try buffer.converted(to: format).bytes == bytes)
      let converter = try AudioConverter(from: format, to: format, channelMap: [0, 1])
      #expect(try converter.convert(buffer).bytes == bytes && converter.finish().frameCount == 0)
    }
    guard type.bits != nil else { return }
    // Integers survive a conversion to any type with at least as many bits, without dither.
    let own = try format(44_100, 2, type, isInterleaved: true)
    let bytes = (0..<5000 * own.bytesPerFrame).map { _ in UInt8.random(in: 0...255, using: &generator) }
    for other in AudioFormat.SampleType.allCases where other.holds(type) {
      let there = try AudioBuffer(bytes: bytes, format: own).converted(to: format(44_100, 2, other))
      #expect(try there.converted(to: own).bytes == bytes, "\(other)")
    }
  }

  // Triangular noise of two steps has a variance of 1/6 steps², rounding adds 1/12.
  @Test(arguments: [16, 24])
  func `integers are dithered: the error is noise independent of the sound`(bits: Int) throws {
    let count = 1 << 18, scale = Double(1 << (bits - 1))
    let tone = (0..<count).map { Float(0.37 * sin(0.1237 * Double($0)) * (bits == 16 ? 1 : 1e-4)) }
    let type: AudioFormat.SampleType = bits == 16 ? .int16 : .int24
    let output = try AudioBuffer([tone, tone]).converted(to: format(48_000, 2, type, isInterleaved: true))
    let errors = (0..<2).map { channel in
      zip(tone, output[channel]).map { (Double($0.1) - Double($0.0)) * scale }
    }
    for errors in errors {
      let mean = errors.reduce(0, +) / Double(count)
      let power = errors.reduce(0) { $0 + $1 * $1 } / Double(count)
      // Five standard deviations of the mean of 2¹⁸ values: 5 × 0.5 / √2¹⁸.
      #expect(abs(mean) < 0.0049 && abs(power - 0.25) < 0.005, "\(mean), \(power)")
      #expect(errors.allSatisfy { abs($0) <= 1.5 })
      for lag in [1, 2, 3] {
        #expect(
          abs(zip(errors, errors.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 }) / Double(count) < 0.0049)
      }
    }
    // Channels with equal sound get independent noise.
    let common = zip(errors[0], errors[1]).reduce(0) { $0 + $1.0 * $1.1 } / Double(count)
    #expect(abs(common) < 0.0049)
    let plain = try AudioConverter(from: format(48_000, 2), to: output.format, dithers: false)
    let rounded = try plain.convert(AudioBuffer([tone, tone]))
    #expect(zip(tone, rounded[0]).allSatisfy { abs(Double($0.1) - Double($0.0)) * scale <= 0.5 })
    let silence = try AudioBuffer([[Float](repeating: 0, count: 5000)]).converted(to: format(48_000, 1, type))
    #expect(silence.bytes.allSatisfy { $0 == 0 })
  }

  @Test func `integers clip at full scale, and NaN becomes silence`() throws {
    let sound: [Float] = [2, 1, -1, -2, .infinity, -.infinity, .nan, 0]
    for type in [AudioFormat.SampleType.int16, .int24, .int32] {
      let top = Float(1 - 1 / Double(1 << ((type.bits ?? 0) - 1)))
      let converter = try AudioConverter(from: format(48_000), to: format(48_000, 1, type), dithers: false)
      #expect(try converter.convert(AudioBuffer([sound]))[0] == [top, top, -1, -1, top, -1, 0, 0])
    }
  }
}

extension AudioFormat.SampleType {
  /// Whether this type can represent all integers of another type.
  fileprivate func holds(_ other: AudioFormat.SampleType) -> Bool {
    let bits =
      switch self {
      case .float32: 24
      case .float64: 53
      case .int16: 16
      case .int24: 24
      case .int32: 32
      }
    return bits >= other.bits ?? .max
  }
}
