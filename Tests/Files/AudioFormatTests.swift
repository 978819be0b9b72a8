// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import Testing

@testable import SwiftletFiles

/// Formats, and buffers of any format.
@Suite struct AudioFormatTests {
  @Test(arguments: [
    .nan, .infinity, -.infinity, 0, -1, 999.9, 1_536_000.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ])
  func `a sample rate outside of 1,000 to 1,536,000 Hz is refused`(rate: Double) {
    #expect { try AudioFormat(sampleRate: rate, channelCount: 1) } throws: {
      guard case .sampleRate(let refused) = $0 as? FormatError else { return false }
      return refused.bitPattern == rate.bitPattern
    }
    #expect(throws: FormatError.self) { try AudioBuffer([[0]], sampleRate: rate) }
  }

  @Test(arguments: [0, -1, 129, 1000, .max, .min]) func `a channel count outside of 1 to 128 is refused`(
    count: Int
  ) {
    #expect(throws: FormatError.channelCount(count)) {
      try AudioFormat(sampleRate: 48_000, channelCount: count)
    }
  }

  @Test func `a layout fits its channel count, and the count determines the default layout`() throws {
    for layout in AudioFormat.Layout.allCases {
      for count in 1...9 {
        let fits = layout.channelCount == nil || layout.channelCount == count
        let format = try? AudioFormat(sampleRate: 44_100, channelCount: count, layout: layout)
        #expect(format?.layout == (fits ? layout : nil))
      }
    }
    #expect(try AudioFormat(sampleRate: 8000, channelCount: 1).layout == .mono)
    #expect(try AudioFormat(sampleRate: 8000, channelCount: 2).layout == .stereo)
    #expect(try AudioFormat(sampleRate: 8000, channelCount: 6).layout == .discrete)
  }

  @Test func `a format with one channel is not interleaved`() throws {
    let one = try AudioFormat(sampleRate: 8000, channelCount: 1, isInterleaved: true)
    #expect(try one == AudioFormat(sampleRate: 8000, channelCount: 1))
  }

  @Test(arguments: AudioFormat.SampleType.allCases, [false, true])
  func `a buffer keeps its bytes`(type: AudioFormat.SampleType, isInterleaved: Bool) throws {
    var generator = SeededGenerator(seed: 5)
    for channels in [1, 2, 3] {
      let format = try AudioFormat(
        sampleRate: 44_100, channelCount: channels, sampleType: type, isInterleaved: isInterleaved)
      let bytes = (0..<100 * format.bytesPerFrame).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let buffer = try AudioBuffer(bytes: bytes, format: format)
      #expect(buffer.frameCount == 100 && buffer.bytes == bytes && buffer.channelCount == channels)
      #expect(buffer.channels.count == channels && buffer.channels.allSatisfy { $0.count == 100 })
      var twice = buffer
      twice.append(buffer)
      #expect(twice.frameCount == 200)
      for size in 1..<format.bytesPerFrame {
        #expect(
          throws: FormatError.partialFrame(byteCount: bytes.count - size, bytesPerFrame: format.bytesPerFrame)
        ) {
          try AudioBuffer(bytes: bytes.dropLast(size), format: format)
        }
      }
    }
  }

  @Test func `samples have their position and value in every format`() throws {
    let left: [Float] = [0, 0.5, -1], right: [Float] = [0.25, -0.5, 0.75]
    let source = AudioBuffer([left, right])
    for type in AudioFormat.SampleType.allCases {
      for isInterleaved in [false, true] {
        let format = try AudioFormat(
          sampleRate: 48_000, channelCount: 2, sampleType: type, isInterleaved: isInterleaved)
        var buffer = try AudioBuffer(format: format, frameCount: 0)
        buffer.append(source)
        #expect(
          buffer.channels == source.channels && buffer[1] == right && buffer[2] == [] && buffer[-1] == [])
        let size = type.byteCount, second = isInterleaved ? size..<2 * size : 3 * size..<4 * size
        // A quarter of full scale, lowest byte first.
        let quarter: [UInt8] =
          switch type {
          case .float32: [0, 0, 0x80, 0x3E]
          case .float64: [0, 0, 0, 0, 0, 0, 0xD0, 0x3F]
          case .int16: [0, 0x20]
          case .int24: [0, 0, 0x20]
          case .int32: [0, 0, 0, 0x20]
          }
        #expect(Array(buffer.bytes[second]) == quarter)
      }
    }
  }

  @Test func `sizes that exceed memory are refused`() throws {
    for count in [Int.max, 1 << 60, 1 << 50] {
      let format = try AudioFormat(sampleRate: 48_000, channelCount: 128, sampleType: .float64)
      #expect(throws: FormatError.self) { try AudioBuffer(format: format, frameCount: count) }
    }
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    #expect(try AudioBuffer(format: format, frameCount: -1).frameCount == 0)
    #expect(try AudioBuffer(format: format, frameCount: 3).channels == [[0, 0, 0], [0, 0, 0]])
    let wide = AudioBuffer(Array(repeating: [1], count: 1000))
    #expect(wide.channelCount == 1000 && wide.format.sampleRate == 48_000)
    #expect(throws: FormatError.channelCount(1000)) { try wide.converted(to: format) }
    #expect(throws: FormatError.channelCount(0)) { try AudioBuffer([]).converted(to: format) }
    #expect(throws: FormatError.channelCount(0)) { try AudioBuffer([], sampleRate: 48_000) }
    #expect(try AudioBuffer(format: AudioBuffer([]).format, frameCount: 10).frameCount == 0)
    #expect(throws: FormatError.self) { try AudioBuffer(bytes: [], format: AudioBuffer([]).format) }
  }
}
