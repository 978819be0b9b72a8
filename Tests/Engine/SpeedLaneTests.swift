// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Players whose speed follows a lane: what is heard at a time is the integral of the speed until then.
final class SpeedLaneTests {
  private static let rate = 8000.0
  private let path = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString + ".wav"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private func write(_ samples: [Float]) throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: Int(Self.rate),
      channelCount: 1)
    try writer.write([samples])
    try writer.close()
  }

  /// From 1 at 2 s to 2 at 6 s.
  private func lane() throws -> Automation {
    var lane = Automation(1)
    try lane.ramp(to: 2, in: .seconds(2)..<(.seconds(6)))
    return lane
  }

  /// The second of the file that is heard at a second of the timeline.
  private func place(_ time: Double) -> Double {
    let moved = min(max(time - 2, 0), 4)
    return time + moved * moved / 8 + max(time - 6, 0)
  }

  /// A click every tenth of a second: a bell of 4 frames to each side.
  private func clicks() -> [Float] {
    (0..<160_000).map { frame in
      let away = Double((frame + 400) % 800 - 400)
      return Float(0.5 * exp(-away * away / 8))
    }
  }

  /// The seconds at which clicks are heard, each the middle of its bell.
  private func found(_ heard: [Float], from start: Double) -> [Double] {
    var times: [Double] = []
    for frame in heard.indices.dropFirst(20).dropLast(20) where heard[frame] > 0.25 {
      guard heard[frame] > heard[frame - 1], heard[frame] >= heard[frame + 1] else { continue }
      var sum = 0.0, weight = 0.0
      for near in frame - 12...frame + 12 {
        sum += Double(near) * Double(heard[near])
        weight += Double(heard[near])
      }
      times.append(start + sum / weight / Self.rate)
    }
    return times
  }

  private func render(_ engine: AudioEngine, _ desk: AudioNode, seconds: Double, block: Int) throws -> [Float]
  {
    var heard: [Float] = []
    while heard.count < Int(seconds * Self.rate) { heard += try #require(engine.render(block)[desk])[0] }
    return heard
  }

  /// How far the clicks that are heard lie from those of the file, in frames of the file; and how many there are.
  private func errors(_ heard: [Float], from start: Double) -> (worst: Double, count: Int) {
    let errors = found(heard, from: start).map { time in
      let place = place(time) * 10
      return abs(place - place.rounded()) / 10 * Self.rate
    }
    return (errors.max() ?? .infinity, errors.count)
  }

  //   music ──► desk: with the engine's own time, and with the transport's, from its start and from the midst
  @Test(arguments: [64, 1000], [false, true])
  func `clicks at a varispeed that moves lie where its integral says`(block: Int, follows: Bool) throws {
    try write(clicks())
    let engine = try AudioEngine(.offline(sampleRate: Self.rate, longestBlock: 1000))
    let music = try engine.attach(.player(path)), desk = try engine.attach(.playback(channels: 1))
    try engine.connect(music, desk)
    try music.automate("varispeed", with: lane())
    if follows { try engine.setTransportRole(.follow) }
    let first = try errors(render(engine, desk, seconds: 8, block: block), from: 0)
    // 8 s are 12 of the file. Where its speed moves, a resampler that glides is off by some frames.
    #expect(first.worst < 5 && abs(first.count - 119) <= 1, "\(first)")
    guard follows else { return }
    for start in [4.0, 3.3, 7, 0.5] {
      try engine.stopTransport()
      _ = try render(engine, desk, seconds: 0.5, block: block)
      try engine.locateTransport(to: MediaTime(seconds: start))
      try engine.startTransport()
      let heard = try errors(render(engine, desk, seconds: 3, block: block), from: start)
      #expect(
        heard.worst < 5 && Double(heard.count) > (place(start + 3) - place(start)) * 10 - 2,
        "\(start): \(heard)")
    }
  }

  /// A tone that rises by 60 Hz a second of the file, from 300 Hz on.
  private func sweep() -> [Float] {
    (0..<160_000).map { frame in
      let time = Double(frame) / Self.rate
      return Float(0.5 * sin(2 * .pi * (300 * time + 30 * time * time)))
    }
  }

  /// The second of the file that is heard around a frame, by the pitch of a tenth of a second there.
  private func second(_ heard: [Float], at frame: Int) -> Double {
    var zeros: [Double] = []
    for near in frame - 400..<frame + 400 where heard[near] < 0 && heard[near + 1] >= 0 {
      zeros.append(Double(near) - Double(heard[near] / (heard[near + 1] - heard[near])))
    }
    guard let first = zeros.first, let last = zeros.last, last > first else { return .infinity }
    return (Double(zeros.count - 1) * Self.rate / (last - first) - 300) / 60
  }

  //   music ──► desk: its pitch is kept
  @Test(arguments: [false, true])
  func `a tone at a speed that moves is heard where its integral says`(follows: Bool) throws {
    try write(sweep())
    let engine = try AudioEngine(.offline(sampleRate: Self.rate, longestBlock: 1000))
    let music = try engine.attach(.player(path)), desk = try engine.attach(.playback(channels: 1))
    try engine.connect(music, desk)
    try music.automate("speed", with: lane())
    if follows { try engine.setTransportRole(.follow) }
    func check(_ heard: [Float], from start: Double) {
      for frame in stride(from: 1600, to: heard.count - 1600, by: 800) {
        let time = start + Double(frame) / Self.rate
        // SoundTouch takes pieces from some hundredths of a second around where they belong.
        #expect(abs(second(heard, at: frame) - place(time)) < 0.05, "at \(time) s")
      }
    }
    check(try render(engine, desk, seconds: 8, block: 500), from: 0)
    guard follows else { return }
    for start in [4.0, 3.3, 7] {
      try engine.stopTransport()
      _ = try render(engine, desk, seconds: 0.5, block: 500)
      try engine.locateTransport(to: MediaTime(seconds: start))
      try engine.startTransport()
      check(try render(engine, desk, seconds: 3, block: 500), from: start)
    }
  }

  //   player (scheduled) ──► desk: as close as a player of a file
  @Test(arguments: ["speed", "varispeed"], [false, true])
  func `a lane on a scheduled player is heard in time`(parameter: String, isReady: Bool) throws {
    let engine = try AudioEngine(.offline(sampleRate: Self.rate, longestBlock: 1000))
    let desk = try engine.attach(.playback(channels: 1))
    let player = try PlayerNode(engine, channels: 1, enablesStretch: isReady)
    try engine.connect(player.node, desk)
    try player.node.automate(parameter, with: lane())
    let isTape = parameter == "varispeed"
    try player.schedule(buffer: AudioBuffer([isTape ? clicks() : sweep()]))
    try player.play()
    let heard = try render(engine, desk, seconds: 8, block: 500)
    if isTape {
      let found = errors(heard, from: 0)
      #expect(found.worst < 5 && abs(found.count - 119) <= 1, "\(found)")
    } else {
      for frame in stride(from: 1600, to: heard.count - 1600, by: 800) {
        #expect(abs(second(heard, at: frame) - place(Double(frame) / Self.rate)) < 0.05, "at \(frame)")
      }
    }
  }

  //   a ──► b, from 1 s on: each where the integral says, counted from its own beginning
  @Test(arguments: [64, 1000], [false, true])
  func `items behind each other follow a lane, each from its first frame on`(block: Int, waits: Bool) throws {
    let engine = try AudioEngine(.offline(sampleRate: Self.rate, longestBlock: 1000))
    let desk = try engine.attach(.playback(channels: 1))
    let player = try PlayerNode(engine, channels: 1)
    try engine.connect(player.node, desk)
    if !waits { try player.node.automate("varispeed", with: lane()) }
    let log = EventLog()
    let first = Array(clicks()[..<20_000]), second = Array(clicks()[..<60_000])
    try player.schedule(buffer: AudioBuffer([first]), onEvent: log.add)
    try player.schedule(buffer: AudioBuffer([second]), onEvent: log.add)
    // The timeline goes on meanwhile; what was read for its beginning is read again.
    var heard = try render(engine, desk, seconds: 1, block: block)
    if waits { try player.node.automate("varispeed", with: lane()) }
    let start = Double(heard.count) / Self.rate
    try player.play()
    heard += try render(engine, desk, seconds: 8, block: block)
    // The first begins at 1 s, lasts 2.5 s of the file, and the second follows at once.
    let begun = log.frames(.began).map { Double($0) / Self.rate }
    try #require(begun.count == 2 && abs(begun[0] - start) < 1e-9)
    #expect(abs(place(begun[1]) - place(begun[0]) - 2.5) < 5 / Self.rate)
    for (item, end) in [(0, begun[1]), (1, start + 7)] {
      let times = found(heard, from: 0).filter { begun[item] + 0.05 < $0 && $0 < end - 0.05 }
      let errors = times.map { time in
        let there = (place(time) - place(begun[item])) * 10
        return abs(there - there.rounded()) / 10 * Self.rate
      }
      #expect((errors.max() ?? .infinity) < 5 && times.count > 20, "\(item): \(errors)")
    }
  }
}
