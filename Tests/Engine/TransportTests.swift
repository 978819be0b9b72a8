// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Synchronization
import Testing

/// Tracks, players, lanes and effects while the transport rolls, stops and is relocated.
final class TransportTests {
  private static let rate = 8000
  private let path = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"
  private let samples = (0..<10 * rate).map { Float($0 + 1) / 131_072 }

  init() throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"),
      sampleRate: Double(Self.rate), channelCount: 1)
    try writer.write([samples])
    try writer.close()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  //   music ──► desk, with a volume lane
  @Test(arguments: [64, 500], [false, true])
  func `tracks and lanes follow the transport`(block: Int, isTrack: Bool) throws {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1000))
    let segment = try Segment(
      of: AssetReference(path), .zero..<(.seconds(10)), at: .zero..<(.seconds(10)))
    let music = try engine.attach(
      isTrack ? .track(Track("music", segments: [segment])) : .player(path), name: "music")
    let output = try engine.attach(.playback(channels: 1))
    try engine.connect(music, output)
    var volume = Automation(0.5)
    try volume.ramp(to: 1, in: .seconds(2)..<(.seconds(6)))
    try music.automate("volume", with: volume)
    try engine.setTransportRole(.follow)
    func render(_ count: Int) throws -> [Float] {
      var heard: [Float] = []
      while heard.count < count {
        heard += try #require(engine.render(min(block, count - heard.count))[output])[0]
      }
      return heard
    }
    func isRight(_ heard: ArraySlice<Float>, from start: Int) -> Bool {
      heard.enumerated().allSatisfy { index, sample in
        let time = MediaTime(frames: Int64(start + index), at: Double(Self.rate))
        return abs(sample - samples[start + index] * volume.value(at: time)) < 1e-6
      }
    }
    #expect(isRight(try render(20_000)[...], from: 0))
    try engine.stopTransport()
    // It fades out over 5 ms.
    let after = try render(4000)
    #expect(after[1000...].allSatisfy { $0 == 0 } && engine.transport.position == 20_000)
    try engine.startTransport()
    // From exactly that frame, except for the fade.
    #expect(isRight(try render(8000)[60...], from: 20_060))
    try engine.stopTransport()
    _ = try render(1000)
    try engine.locateTransport(to: .seconds(5))
    try engine.startTransport()
    #expect(isRight(try render(8000)[60...], from: 40_060))
    #expect(engine.transport.position == 48_000 && engine.timelineTime.frame == 48_000)
    // Relocated while rolling: silent until all sources are ready.
    try engine.locateTransport(to: .seconds(1))
    let elsewhere = try render(12_000)
    let start = elsewhere.count - Int(engine.transport.position - 8000)
    #expect(start < 2000)
    #expect(isRight(elsewhere[(start + 60)...], from: 8060))
    // A song that has ended begins again.
    try engine.locateTransport(to: .seconds(9))
    _ = try render(16_000)
    try engine.locateTransport(to: .zero)
    let again = try render(8000)
    let first = try #require(again.firstIndex { $0 != 0 })
    // All sources were ready at once, so its volume comes from the new position.
    #expect(isRight(again[(first + 60)...], from: 60))
  }

  //   music, and another player added later, each ──► an ear
  @Test(arguments: [64, 500])
  func `a player added while the transport rolls joins it at its position`(block: Int) throws {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1000))
    let output = try engine.attach(.playback(channels: 1)), other = try engine.attach(.playback(channels: 1))
    let music = try engine.attach(.player(path), name: "music")
    try engine.connect(music, output)
    func render(_ count: Int) throws -> ([Float], [Float]) {
      var heard: ([Float], [Float]) = ([], [])
      while heard.0.count < count {
        let block = try engine.render(min(block, count - heard.0.count))
        heard.0 += try #require(block[output])[0]
        heard.1 += try #require(block[other])[0]
      }
      return heard
    }
    // It plays on its own time first, and joins the transport when it follows it.
    #expect(try render(4000).0 == Array(samples[..<4000]))
    try engine.setTransportRole(.follow)
    let followed = try render(4000).0, start = followed.count - Int(engine.transport.position)
    #expect(start <= 1000)
    #expect(followed[(start + 60)...] == samples[60..<(4000 - start)])
    let more = try engine.attach(.player(path), name: "more")
    try engine.connect(more, other)
    let position = Int(engine.transport.position)
    let joined = try render(4000)
    #expect(joined.0 == Array(samples[position..<(position + 4000)]))
    #expect(joined.1[(2 * block + 60)...] == samples[(position + 2 * block + 60)..<(position + 4000)])
  }

  //   music ──► desk, at half and at twice the file's speed
  @Test(arguments: [1.0, 0.5, 2])
  func `a player at another playback rate is where continuous playback would be`(speed: Double) throws {
    func position(_ sample: Float) -> Double { Double(sample) * 131_072 - 1 }
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1000))
    let music = try engine.attach(
      .player(path, loop: .times(2), stretch: Stretch(varispeed: speed)), name: "music")
    let output = try engine.attach(.playback(channels: 1))
    try engine.connect(music, output)
    try engine.setTransportRole(.follow)
    func render() throws -> [Float] {
      try (0..<8).flatMap { _ in try #require(engine.render(1000)[output])[0] }
    }
    for seconds in [0, 3, 1, 7, 3] {
      try engine.stopTransport()
      _ = try render()
      try engine.locateTransport(to: .seconds(seconds))
      try engine.startTransport()
      let heard = try render(), start = seconds * Self.rate
      for frame in stride(from: 1500, to: 7500, by: 500) {
        // Through both repetitions.
        let wanted = (Double(start + frame) * speed).truncatingRemainder(dividingBy: 80_000)
        guard wanted < 79_000, wanted > 1000 else { continue }
        #expect(abs(position(heard[frame]) - wanted) < 2, "at \(seconds) s and \(frame) frames")
      }
    }
  }

  @Test func `the timebase source sends bar, beat and tempo to effects`() throws {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1000))
    let transports = Mutex<[Transport]>([])
    let sink = try engine.attach(
      .sink(channels: 1) { block in transports.withLock { $0.append(block.transport) } })
    let music = try engine.attach(.player(path))
    try engine.connect(music, sink)
    var map = try TempoMap(120, timeSignature: .init(3, 4))
    try map.setTempo(60, at: 6)
    try engine.setTransportRole(.timebase(map))
    for _ in 0..<40 { _ = try engine.render(1000) }
    let all = transports.withLock { $0 }
    #expect(all.allSatisfy { $0.isRolling && $0.beatsPerBar == 3 && $0.beatUnit == 4 })
    // 120: a beat is 4000 frames; from the third bar on, at frame 24,000, it is 8000.
    #expect(all[13].position == 13_000 && all[13].bar == 2 && all[13].beat == 0.25 && all[13].tempo == 120)
    #expect(all[34].bar == 3 && all[34].beat == 1.25 && all[34].tempo == 60)
  }
}
