// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

@Suite struct WaveformTests {
  typealias Bucket = WaveformOverview.Bucket

  private func write(_ sound: [[Float]], _ path: String, _ encoding: String) throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: encoding), sampleRate: 48_000,
      channelCount: sound.count)
    try writer.write(sound)
    try writer.close()
  }

  /// Returns the expected bucket, computed directly.
  private func truth(_ samples: ArraySlice<Float>) -> Bucket {
    let sound = samples.map { $0.isFinite ? $0 : 0 }
    let squares = sound.reduce(0.0) { $0 + Double($1) * Double($1) }
    return Bucket(
      low: sound.min() ?? 0, high: sound.max() ?? 0,
      rms: Float((squares / Double(max(sound.count, 1))).squareRoot()))
  }

  private func expectSame(_ a: Bucket, _ b: Bucket, _ words: @autoclosure () -> String) {
    let isSame = a.low == b.low && a.high == b.high && abs(a.rms - b.rms) <= 2e-6 * max(b.rms, 1e-30)
    if !isSame { Issue.record("\(a) is not \(b): \(words())") }
  }

  @Test(arguments: [(1, 140_001), (2, 70_000), (3, 1000), (8, 700), (1, 1), (2, 255), (2, 256), (5, 257)])
  func `each bucket of each level has the minimum, maximum and RMS of its frames`(
    _ channels: Int, _ frames: Int
  ) throws {
    let folder = try Folder()
    let sound = (0..<channels).map { noise(frames, seed: UInt64($0 + 1)) }
    try write(sound, folder["a.wav"], "32-float")
    let overview = try WaveformOverview(reading: folder["a.wav"], unless: { false })
    #expect(overview.channelCount == channels && overview.frameCount == frames)
    #expect(overview.levels.count == (frames > 65_536 ? 2 : 1))
    for (number, level) in overview.levels.enumerated() {
      let width = level.framesPerBucket
      #expect(width == (number == 0 ? 256 : 2048))
      #expect(level.buckets.count == (frames + width - 1) / width * channels)
      for (index, bucket) in level.buckets.enumerated() {
        let start = index / channels * width
        expectSame(
          bucket, truth(sound[index % channels][start..<min(start + width, frames)]), "\(number), \(index)")
      }
    }
    for channel in 0..<channels { expectSame(overview.total(of: channel), truth(sound[channel][...]), "all") }
  }

  @Test(.enabled(if: output(of: "env", "python3", "-c", "import numpy") != nil))
  func `numpy computes the same`() throws {
    let folder = try Folder()
    let sound = [noise(70_001, bits: 16), noise(70_001, bits: 16, seed: 5).map { $0 * 0.01 }]
    try write(sound, folder["a.wav"], "32-float")
    let overview = try WaveformOverview(reading: folder["a.wav"], unless: { false })
    let printed = try #require(
      output(
        of: "env", "python3", "-c",
        """
        import numpy, sys
        data = open(sys.argv[1], "rb").read()
        place = data.index(b"data") + 8
        sound = numpy.frombuffer(data[place:place + 70001 * 8], "<f4").reshape(-1, 2)
        for width in [256, 2048]:
            for start in range(0, len(sound), width):
                for channel in range(2):
                    part = sound[start:start + width, channel]
                    rms = numpy.sqrt(numpy.mean(numpy.square(part, dtype=numpy.float64)))
                    print(repr(float(part.min())), repr(float(part.max())), repr(float(rms)))
        """, folder["a.wav"]))
    let theirs = printed.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
    let ours = overview.levels.flatMap(\.buckets)
    try #require(theirs.count == ours.count)
    for (a, b) in zip(ours, theirs) {
      expectSame(a, Bucket(low: Float(b[0]), high: Float(b[1]), rms: Float(b[2])), "numpy")
    }
  }

  @Test func `non-finite samples count as silence, and very loud ones as themselves`() throws {
    let folder = try Folder()
    let sound: [Float] = [0.5, .nan, -.infinity, .infinity, -0.25] + [Float](repeating: 0.5, count: 300)
    let loud = [Float](repeating: -1e30, count: 16) + [Float](repeating: 0, count: 289)
    try write([sound, loud], folder["a.wav"], "32-float")
    let overview = try WaveformOverview(reading: folder["a.wav"], unless: { false })
    let first = overview.levels[0].buckets
    expectSame(first[0], truth(sound[..<256]), "with what is no number")
    #expect(first[1].low == -1e30 && first[1].high == 0 && first[1].rms.isFinite && first[1].rms > 1e29)
    expectSame(overview.total(of: 0), truth(sound[...]), "all")
  }

  @Test(arguments: ["flac", "wav"]) func `a long file is read in parts, and no frame is lost between them`(
    _ ending: String
  ) throws {
    let folder = try Folder()
    let frames = 2_300_001
    let sound = noise(frames, bits: 16)
    try write([sound], folder["a." + ending], "16-bit")
    let overview = try WaveformOverview(reading: folder["a." + ending], unless: { false })
    let finest = try #require(overview.levels.first)
    #expect(finest.buckets.count == (frames + 255) / 256)
    for (number, bucket) in finest.buckets.enumerated() {
      var low = Float.infinity, high = -Float.infinity
      for sample in sound[number * 256..<min(number * 256 + 256, frames)] {
        if sample < low { low = sample }
        if sample > high { high = sample }
      }
      if bucket.low != low || bucket.high != high { Issue.record("bucket \(number)") }
    }
  }

  @Test func `a waveform's columns cover every frame in them at any zoom`() throws {
    let folder = try Folder()
    let frames = 140_001
    let sound = [noise(frames, seed: 8), noise(frames, seed: 9)]
    try write(sound, folder["a.wav"], "32-float")
    let overview = try WaveformOverview(reading: folder["a.wav"], unless: { false })
    var state: UInt64 = 88_172_645_463_325_252
    func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    for round in 0..<60 {
      let start = random(frames) - 1000, length = random(round % 2 == 0 ? frames : 9000) + 1
      let count = random(70) + 1
      let columns = overview.columns(of: round % 2, in: start..<start + length, count: count)
      #expect(columns.count == count)
      for (column, bucket) in columns.enumerated() {
        let from = start + length * column / count
        let to = max(start + length * (column + 1) / count, from + 1)
        let own = max(from, 0)..<max(min(to, frames), max(from, 0))
        guard !own.isEmpty, own.lowerBound < frames else {
          #expect(bucket == .silence)
          continue
        }
        let least = truth(sound[round % 2][own])
        // Frames beside the column are at most a quarter of it, or one of the finest buckets.
        let more = max(256, (to - from) / 4)
        let most = truth(sound[round % 2][max(own.lowerBound - more, 0)..<min(own.upperBound + more, frames)])
        #expect(bucket.low <= least.low && bucket.low >= most.low)
        #expect(bucket.high >= least.high && bucket.high <= most.high)
        #expect(bucket.rms > 0.3 && bucket.rms < 0.75)
      }
    }
    #expect(overview.columns(of: 0, in: 0..<100, count: 0).isEmpty)
    #expect(overview.columns(of: 2, in: 0..<100, count: 5).isEmpty)
    #expect(overview.columns(of: 0, in: Int.min..<Int.max, count: 3).count == 3)
    #expect(overview.columns(of: 0, in: -50..<0, count: 2) == [.silence, .silence])
  }
}
