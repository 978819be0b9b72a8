// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

@Suite struct WaveformCacheTests {
  let folder: Folder
  let cache: WaveformCache

  init() throws {
    folder = try Folder()
    cache = WaveformCache(folder: folder["cache"])
  }

  private func write(_ name: String, _ sound: [Float]) throws {
    let writer = try AudioFileWriter(
      folder[name], format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1, overwrites: true
    )
    try writer.write([sound])
    try writer.close()
    // So that the next change has another time stamp.
    usleep(30_000)
  }

  private var kept: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: cache.folder)) ?? []).sorted()
  }

  @Test func `an overview is cached as long as its file is unchanged`() async throws {
    try write("a.wav", noise(9000))
    let first = try await AudioAsset(folder["a.wav"], cache: cache).overview
    #expect(kept.count == 1 && kept[0].count == 16 + ".waveform".count)
    let stamp = try #require(FileStamp(folder["a.wav"]))
    #expect(cache.load(folder["a.wav"], stamp) == first)
    // Also by another path to the same file.
    #expect(
      cache.load(folder.path + "/../" + (folder.path as NSString).lastPathComponent + "/a.wav", stamp)
        == first)
    // The positive control: the cache is really read, even if its content is wrong.
    var lie = try #require(
      FileManager.default.contents(atPath: cache.folder + "/" + kept[0]).map { [UInt8]($0) })
    let silence = WaveformOverview(
      sampleRate: 48_000, channelCount: 1, frameCount: 9000, framesPerBucket: 256,
      finest: Array(repeating: .silence, count: 36))
    lie = try #require(silence.kept(of: WaveformCache.whole(folder["a.wav"]), stamp))
    try Data(lie).write(to: URL(fileURLWithPath: cache.folder + "/" + kept[0]))
    #expect(try await AudioAsset(folder["a.wav"], cache: cache).overview == silence)
    // Other sound under the same name: a new overview replaces the old one.
    try write("a.wav", noise(9000, seed: 7))
    #expect(cache.load(folder["a.wav"], try #require(FileStamp(folder["a.wav"]))) == nil)
    let second = try await AudioAsset(folder["a.wav"], cache: cache).overview
    #expect(second != first && second != silence && kept.count == 1)
  }

  @Test func `damage of any kind is detected, and the entry replaced`() async throws {
    try write("a.wav", noise(9000))
    let asset = AudioAsset(folder["a.wav"], cache: cache)
    let truth = try await asset.overview
    let entry = cache.cachePath(of: folder["a.wav"])
    let good = try #require(FileManager.default.contents(atPath: entry))
    let stamp = try #require(FileStamp(folder["a.wav"]))
    for byte in stride(from: 0, to: good.count, by: 7) {
      var bad = good
      bad[byte] ^= 1 << UInt8(byte % 8)
      try bad.write(to: URL(fileURLWithPath: entry))
      #expect(cache.load(folder["a.wav"], stamp) == nil, "byte \(byte)")
    }
    for bad in [Data(), good.prefix(5), good.prefix(100), good.dropLast(), good + [0], Data(count: 5000)] {
      try bad.write(to: URL(fileURLWithPath: entry))
      #expect(cache.load(folder["a.wav"], stamp) == nil, "\(bad.count) bytes")
      #expect(try await AudioAsset(folder["a.wav"], cache: cache).overview == truth)
      #expect(FileManager.default.contents(atPath: entry) == good)
    }
    #expect(kept.count == 1)
    // The entry of another file under this one's name.
    try write("b.wav", noise(9000, seed: 3))
    _ = try await AudioAsset(folder["b.wav"], cache: cache).overview
    let other = try #require(FileManager.default.contents(atPath: cache.cachePath(of: folder["b.wav"])))
    try other.write(to: URL(fileURLWithPath: entry))
    #expect(cache.load(folder["a.wav"], stamp) == nil)
  }

  @Test func `an overview with non-finite values is rejected`() throws {
    try write("a.wav", noise(900))
    let stamp = try #require(FileStamp(folder["a.wav"])), path = WaveformCache.whole(folder["a.wav"])
    func kept(_ rate: Double, _ bucket: WaveformOverview.Bucket) throws -> WaveformOverview? {
      let overview = WaveformOverview(
        sampleRate: rate, channelCount: 1, frameCount: 900, framesPerBucket: 900, finest: [bucket])
      return WaveformOverview(kept: try #require(overview.kept(of: path, stamp)), of: path, stamp)
    }
    #expect(try kept(48_000, .silence) != nil)
    #expect(try kept(1e300, .silence) == nil)
    #expect(try kept(.nan, .silence) == nil)
    for value in [Float.nan, .infinity, -.infinity] {
      #expect(try kept(48_000, .init(low: value, high: 0, rms: 0)) == nil)
      #expect(try kept(48_000, .init(low: 0, high: value, rms: 0)) == nil)
      #expect(try kept(48_000, .init(low: 0, high: 0, rms: value)) == nil)
    }
  }

  @Test func `the least recently used overview is removed when the folder is full`() async throws {
    let small = WaveformCache(folder: folder["cache"], byteLimit: 4000)
    for (number, name) in ["a.wav", "b.wav", "c.wav", "d.wav"].enumerated() {
      try write(name, noise(20_000))
      // About 1100 bytes each, so three fit.
      let asset = AudioAsset(folder[name], cache: small)
      _ = try await asset.overview
      // The first is used again.
      if number == 2 { _ = try await AudioAsset(folder["a.wav"], cache: small).overview }
      usleep(20_000)
    }
    let total = kept.reduce(0) { $0 + (FileStamp(small.folder + "/" + $1)?.size ?? 0) }
    #expect(kept.count == 3 && total <= 4000)
    #expect(!FileManager.default.fileExists(atPath: small.cachePath(of: folder["b.wav"])))
    #expect(FileManager.default.fileExists(atPath: small.cachePath(of: folder["a.wav"])))
  }

  @Test(arguments: ["/dev/null/cache", "/proc/cache", ""])
  func `a cache folder that cannot be made costs only time`(_ path: String) async throws {
    try write("a.wav", noise(900))
    let asset = AudioAsset(folder["a.wav"], cache: WaveformCache(folder: path))
    #expect(try await asset.overview.frameCount == 900)
  }
}
