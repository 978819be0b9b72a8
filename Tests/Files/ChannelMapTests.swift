// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// The channel mapping of converters.
@Suite struct ChannelMapTests {
  private func format(_ channels: Int, _ layout: AudioFormat.Layout? = nil) throws -> AudioFormat {
    try AudioFormat(sampleRate: 48_000, channelCount: channels, layout: layout)
  }

  /// Returns the gain from each input channel to each output channel.
  private func gains(_ converter: AudioConverter) throws -> [[Float]] {
    let count = converter.inputFormat.channelCount
    let impulses = (0..<count).map { channel in (0..<count).map { $0 == channel ? Float(1) : 0 } }
    return try converter.convert(AudioBuffer(impulses)).channels
  }

  @Test func `a map names the input channel of each output channel`() throws {
    let (two, three) = (try format(2), try format(3))
    #expect(try gains(AudioConverter(from: two, to: two, channelMap: [1, 0])) == [[0, 1], [1, 0]])
    #expect(
      try gains(AudioConverter(from: two, to: three, channelMap: [1, nil, 1])) == [[0, 1], [0, 0], [0, 1]])
    #expect(try gains(AudioConverter(from: three, to: two, channelMap: [2, 0])) == [[0, 0, 1], [1, 0, 0]])
    #expect(try gains(AudioConverter(from: two, to: two, channelMap: [nil, nil])) == [[0, 0], [0, 0]])
  }

  @Test func `a map of the wrong size or with a missing channel is refused`() throws {
    let two = try format(2)
    for map in [[], [0], [0, 1, 0], Array(repeating: 0, count: 1000)] as [[Int?]] {
      #expect(throws: FormatError.mapLength(map.count, outputChannels: 2)) {
        try AudioConverter(from: two, to: two, channelMap: map)
      }
    }
    for channel in [-1, 2, .min, .max] {
      #expect(throws: FormatError.mapChannel(channel, inputChannels: 2)) {
        try AudioConverter(from: two, to: two, channelMap: [0, channel])
      }
    }
  }

  @Test func `without a map, channels follow the rule of wires`() throws {
    #expect(try gains(AudioConverter(from: format(1), to: format(3))) == [[1], [1], [1]])
    #expect(try gains(AudioConverter(from: format(4), to: format(1))) == [[0.25, 0.25, 0.25, 0.25]])
    #expect(try gains(AudioConverter(from: format(3), to: format(2))) == [[1, 0, 0], [0, 1, 0]])
    #expect(try gains(AudioConverter(from: format(2), to: format(3))) == [[1, 0], [0, 1], [0, 0]])
  }

  // ITU-R BS.775-3: centre and surround at −3 dB; divided by the sum of the gains.
  @Test func `surround sound keeps its centre in stereo and mono`() throws {
    let half = 0.5.squareRoot(), total = 1 + 2 * half
    let expected = [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]].map { $0.map { Float($0 / total) } }
    #expect(try gains(AudioConverter(from: format(6, .surround51), to: format(2))) == expected)
    let mono = try gains(AudioConverter(from: format(6, .surround51), to: format(1)))[0]
    let wanted = [0.5, 0.5, half, 0, half / 2, half / 2].map { Float($0 / total) }
    #expect(zip(mono, wanted).allSatisfy { abs($0 - $1) < 1e-7 })
    for (count, layout) in [(4, AudioFormat.Layout.quad), (6, .surround51), (8, .surround71)] {
      for width in [1, 2] {
        for row in try gains(AudioConverter(from: format(count, layout), to: format(width))) {
          #expect(abs(row.reduce(0, +) - 1) < 1e-6)
        }
      }
    }
  }

  @Test func `a buffer of another format than the converter's is refused`() throws {
    let converter = try AudioConverter(from: format(2), to: format(1))
    for buffer in [
      AudioBuffer([[1]]), AudioBuffer([]), try AudioBuffer([[1], [1]], sampleRate: 44_100),
      try AudioBuffer(
        bytes: [0, 0, 0, 0], format: AudioFormat(sampleRate: 48_000, channelCount: 2, sampleType: .int16)),
    ] {
      #expect(throws: FormatError.buffer(buffer.format, expected: try format(2))) {
        try converter.convert(buffer)
      }
    }
    #expect(try converter.convert(AudioBuffer([[], []])).frameCount == 0)
    // The layout of a buffer is ignored.
    let surround = try AudioConverter(from: format(6, .surround51), to: format(2))
    #expect(try surround.convert(AudioBuffer(Array(repeating: [0.5], count: 6))).frameCount == 1)
  }

  @Test func `an extreme ratio of rates is refused`() throws {
    let low = try AudioFormat(sampleRate: 1000, channelCount: 1)
    let high = try AudioFormat(sampleRate: 1_536_000, channelCount: 1)
    for (from, to) in [(low, high), (high, low)] {
      #expect(throws: FormatError.ratio(from: from.sampleRate, to: to.sampleRate)) {
        try AudioConverter(from: from, to: to)
      }
    }
    let most = try AudioFormat(sampleRate: 256_000, channelCount: 1)
    #expect(try AudioBuffer([[1, 0, 0]], sampleRate: 1000).converted(to: most).frameCount == 768)
    #expect(
      try AudioBuffer([[Float](repeating: 0, count: 770)], sampleRate: 256_000).converted(to: low).frameCount
        == 3)
  }
}
