// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletTesting
import Synchronization
import Testing

@testable import Swiftlet

/// A timeline with a local transport, which stops, rolls and loops, compared with its files and lanes.
final class LocalTransportTests {
  private static let rate = 8000
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString
  private let samples = (0..<6 * rate).map { Float($0 + 1) / 131_072 }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: Double(Self.rate),
      channelCount: 1)
    try writer.write([samples])
    try writer.close()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private var path: String { folder + "/ramp.wav" }

  private func span(_ from: Int, _ to: Int) -> Range<MediaTime> {
    MediaTime.milliseconds(from)..<MediaTime.milliseconds(to)
  }

  /// An engine with a track of six seconds, wired to an output node.
  private func makeEngine() throws -> (engine: AudioEngine, track: AudioNode, output: AudioNode) {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1000))
    let segment = try Segment(of: AssetReference(path), span(0, 6000), at: span(0, 6000))
    let track = try engine.attach(.track(Track("music", segments: [segment])), name: "music")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(track, output)
    return (engine, track, output)
  }

  private func render(_ engine: AudioEngine, _ output: AudioNode, _ count: Int, block: Int) throws -> [Float]
  {
    var heard: [Float] = []
    while heard.count < count {
      heard += try #require(engine.render(min(block, count - heard.count))[output])[0]
    }
    return heard
  }

  /// Returns the frames of the timeline in the order in which a loop plays them.
  private func order(_ count: Int, from start: Int = 0, _ loop: Range<Int>) -> [Int] {
    var position = start
    return (0..<count).map { _ in
      defer { position = position + 1 == loop.upperBound ? loop.lowerBound : position + 1 }
      return position
    }
  }

  @Test(arguments: [1, 64, 1000], [1000..<2500, 3017..<3070, 5500..<7250])
  func `a track loops without a missing frame, in blocks of any length`(block: Int, milliseconds: Range<Int>)
    throws
  {
    let (engine, _, output) = try makeEngine()
    try engine.setTransportRole(
      .local(try TempoMap(), loop: span(milliseconds.lowerBound, milliseconds.upperBound)))
    let heard = try render(engine, output, 100_000, block: block)
    let loop = milliseconds.lowerBound * 8..<milliseconds.upperBound * 8
    // It is silent after the end of the track.
    let positions = order(100_000, loop), expected = positions.map { $0 < samples.count ? samples[$0] : 0 }
    #expect(heard == expected)
    #expect(
      engine.timelineTime.frame
        == Int64(positions[99_999] + 1 == loop.upperBound ? loop.lowerBound : positions[99_999] + 1))
    #expect(engine.transport.isRolling && engine.transport.position == engine.timelineTime.frame)
  }

  @Test(arguments: [1, 64, 1000])
  func `volume lanes follow the loop, and glide over 5 ms at its seam`(block: Int) throws {
    let (engine, track, output) = try makeEngine()
    var volume = Automation(0.25)
    try volume.ramp(to: 1, in: span(500, 1500))
    try track.automate("volume", with: volume)
    try engine.setTransportRole(.local(try TempoMap(), loop: span(250, 1250)))
    let heard = try render(engine, output, 40_000, block: block), fade = 40
    let positions = order(40_000, 2000..<10_000)
    var gap: Float = 0
    for (frame, position) in positions.enumerated() {
      func level(_ position: Int) -> Float {
        volume.value(at: MediaTime(frames: Int64(position), at: Double(Self.rate)))
      }
      let sinceSeam = frame < 10_000 ? Int.max : (frame - 10_000) % 8000
      if sinceSeam == 0 { gap = level(9999) - level(2000) }
      let share = Float(min(sinceSeam, fade - 1) + 1) / Float(fade),
        rest = gap * (1 - share * share * (3 - 2 * share))
      let expected = samples[position] * (level(position) + rest)
      #expect(abs(heard[frame] - expected) < 1e-5, "at \(frame)")
    }
  }

  @Test(arguments: [64, 1000])
  func `effect parameters follow the loop, each on its frame`(block: Int) throws {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1000))
    let voice = try engine.attach(.capture(channels: 1)), tone = try engine.attach(Gain.self, channels: 1)
    let output = try engine.attach(.playback(channels: 1))
    try engine.connect(voice, tone, output)
    try tone.gain.automate { $0.set(.decibels(-20), at: .seconds(1)) }
    try engine.setTransportRole(.local(try TempoMap(), loop: span(500, 1500)))
    var heard: [Float] = []
    while heard.count < 40_000 {
      let ones = AudioBuffer([[Float](repeating: 1, count: block)])
      heard += try #require(try engine.render(block, from: [voice: ones])[output])[0]
    }
    let positions = order(40_000, 4000..<12_000)
    // The gain glides for 20 ms from the frame of the point, and from the loop's start.
    for (frame, position) in positions.enumerated().prefix(40_000) {
      let progress = Float(min(position - (position < 8000 ? 4000 : 8000), 159) + 1) / 160,
        share = progress * progress * (3 - 2 * progress)
      let expected = position >= 8000 ? 1 - 0.9 * share : frame < 12_000 ? 1 : 0.1 + 0.9 * share
      #expect(abs(heard[frame] - expected) < 1e-3, "at \(frame), \(position)")
    }
  }

  @Test func `a paused timeline waits while all else plays, and starts on one frame`() throws {
    let (engine, track, output) = try makeEngine()
    let second = try engine.attach(
      .track(
        Track("other", segments: [try Segment(of: AssetReference(path), span(0, 6000), at: span(0, 6000))])))
    let other = try engine.attach(.playback(channels: 1)), free = try engine.attach(.playback(channels: 1))
    let player = try engine.attach(.player(path))
    try engine.connect(second, other)
    try engine.connect(player, free)
    try track.automate("volume", with: Automation(0.5))
    try engine.setTransportRole(.local(try TempoMap(), loop: span(1000, 2000), isPaused: true))
    func next(_ count: Int) throws -> (track: [Float], other: [Float], player: [Float]) {
      let heard = try engine.render(count)
      return (try #require(heard[output])[0], try #require(heard[other])[0], try #require(heard[free])[0])
    }
    var heard = try next(1000)
    #expect(heard.track.allSatisfy { $0 == 0 } && heard.other.allSatisfy { $0 == 0 })
    #expect(heard.player == Array(samples[..<1000]))
    #expect(!engine.transport.isRolling && engine.timelineTime.frame == 0)
    try engine.startTransport()
    heard = try next(1000)
    #expect(heard.track == samples[..<1000].map { $0 * 0.5 } && heard.other == Array(samples[..<1000]))
    #expect(heard.player == Array(samples[1000..<2000]))
    // It stops with a fade, and resumes from there with another.
    try engine.stopTransport()
    heard = try next(1000)
    #expect(heard.other[40...].allSatisfy { $0 == 0 } && heard.other[..<39].allSatisfy { $0 != 0 })
    #expect(engine.timelineTime.frame == 1000 && !engine.transport.isRolling)
    try engine.startTransport()
    heard = try next(1000)
    #expect(heard.other[40...] == samples[1040..<2000])
    #expect(heard.track[80...] == samples[1080..<2000].map { $0 * 0.5 }[...])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `random starts, stops, loops and seeks play what a slow model computes`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (engine, _, output) = try makeEngine()
    var loop = 8000..<12_000, position = 0, isRolling = true
    func setRole() throws {
      let range =
        MediaTime(
          frames: Int64(loop.lowerBound), at: 8000)..<MediaTime(frames: Int64(loop.upperBound), at: 8000)
      try engine.setTransportRole(.local(try TempoMap(), loop: range, isPaused: !isRolling))
      position = 0
    }
    try setRole()
    for round in 0..<120 {
      switch generator.below(5) {
      case 0:
        isRolling.toggle()
        if isRolling { try engine.startTransport() } else { try engine.stopTransport() }
      case 1:
        position = generator.below(48_000)
        try engine.locateTransport(to: MediaTime(frames: Int64(position), at: 8000))
        position =
          position < loop.upperBound ? position : loop.lowerBound + (position - loop.upperBound) % loop.count
      case 2 where generator.below(4) == 0:
        loop = { $0..<$0 + 1000 + generator.below(9000) }(generator.below(30_000))
        try setRole()
      default: break
      }
      // The previous sound fades in one block and the sources seek in the next, so both may be silent.
      var heard = try render(engine, output, 800, block: 1 + generator.below(200))
      let now = Int(engine.timelineTime.frame)
      guard isRolling else {
        #expect(heard[60...].allSatisfy { $0 == 0 } && now == position, "seed \(seed), turn \(round)")
        continue
      }
      var went = 0, other = position
      while other != now, went < 800 {
        other = other + 1 == loop.upperBound ? loop.lowerBound : other + 1
        went += 1
      }
      try #require(other == now && went >= 400, "seed \(seed), turn \(round)")
      heard = Array(heard.suffix(went))
      let expected = order(went, from: position, loop).map { $0 < samples.count ? samples[$0] : 0 }
      #expect(Array(heard[60...]) == Array(expected[60...]), "seed \(seed), turn \(round)")
      position = now
    }
  }

  @Test func `a seek before a start takes effect, even before the first cycle and after two stops`() throws {
    let (engine, _, output) = try makeEngine()
    try engine.setTransportRole(.local(try TempoMap(), loop: span(1000, 5000), isPaused: true))
    try engine.locateTransport(to: .seconds(2))
    #expect(engine.transport.position == 16_000 && engine.timelineTime.frame == 16_000)
    try engine.stopTransport()
    try engine.startTransport()
    #expect(try render(engine, output, 2000, block: 64)[40...] == samples[16_040..<18_000])
    for _ in 0..<2 { try engine.stopTransport() }
    #expect(engine.transport.position == 18_000)
    _ = try render(engine, output, 200, block: 64)
    try engine.locateTransport(to: .seconds(6))
    try engine.stopTransport()
    // Two seconds beyond the loop's end, minus one pass of four seconds.
    #expect(engine.transport.position == 16_000)
    try engine.startTransport()
    #expect(try render(engine, output, 2000, block: 64)[40...] == samples[16_040..<18_000])
  }

  @Test func `effects receive bars, beats and position of the loop`() throws {
    let (engine, track, _) = try makeEngine()
    let heard = Mutex<[Transport]>([])
    let sink = try engine.attach(
      .sink(channels: 1) { block in heard.withLock { $0.append(block.transport) } })
    try engine.connect(track, sink)
    // Bars of 2 s.
    try engine.setTransportRole(.local(try TempoMap(120), loop: span(2000, 4000)))
    for _ in 0..<8 { _ = try engine.render(1000) }
    for _ in 0..<40 { _ = try engine.render(1000) }
    let all = heard.withLock { $0 }
    let positions = (0..<48).map { $0 * 1000 < 32_000 ? $0 * 1000 : 16_000 + ($0 * 1000 - 32_000) % 16_000 }
    #expect(all.map(\.position) == positions.map(Int64.init))
    #expect(all.map(\.bar) == positions.map { Int32($0 / 16_000 + 1) })
    #expect(zip(all, positions).allSatisfy { abs($0.beat - Double($1 % 16_000) / 4000) < 1e-9 })
    #expect(all.allSatisfy { $0.isRolling && $0.tempo == 120 })
  }

  @Test func `a loop too short or before the timeline's start is refused, and the role stays`() throws {
    let (engine, _, _) = try makeEngine()
    for range in [span(1000, 1049), span(-100, 500), span(2000, 2000)] {
      #expect(throws: EngineError.self) { try engine.setTransportRole(.local(try TempoMap(), loop: range)) }
    }
    #expect(engine.transportRole == .own)
    let error = EngineError.timelineLoop(span(1000, 1049))
    #expect("\(error)".contains("from 1s to 1.049s") && "\(error)".contains("50 ms"))
  }

  @Test func `a looping timeline is endless, and an export needs a range`() async throws {
    let (engine, _, output) = try makeEngine()
    try engine.setTransportRole(.local(try TempoMap(), loop: span(1000, 2000)))
    let session = try ExportSession(engine)
    #expect(session.duration == nil)
    let out = folder + "/out.wav"
    try session.add(ExportFile(out, format: RecordingFormat(path: out, named: "32-float"), of: output))
    session.options.range = span(0, 5000)
    _ = try await session.run()
    let heard = try AudioFile(reading: out).read(40_000)
    #expect(heard[0] == order(40_000, 8000..<16_000).map { samples[$0] })
  }
}
