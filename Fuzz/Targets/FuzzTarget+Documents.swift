// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTimeline

@testable import SwiftletFiles

extension FuzzTarget {
  /// Documents in JSON: compositions, mixes, tempo maps, duckings.
  static let documents = FuzzTarget(
    name: "documents",
    format: .text(
      [
        "\"tracks\":", "\"pieces\":", "\"video\":", "\"at\":", "\"from\":", "\"to\":", "\"until\":",
        "\"length\":",
        "\"ramp\":[0,1]", "\"curve\":\"bezier 0.1 0 1 1\"", "\"entries\":", "\"tempos\":", "\"meters\":",
        "\"bar\":", "\"glides\":true", "\"1@3\"", "\"-1s\"", "\"2147483648s\"", "\"9223372036854775807@1\"",
        "\"1@2147483647\"", "\"59:59\"", "1e38", "null",
      ], brackets: [(open: "[", close: "]"), (open: #"{"a":"#, close: "}")]),
    seeds: { try documentSeeds() },
    feed: { bytes in
      let rate = 48_000.0
      func use(_ automation: Automation) {
        let table = AutomationTable(automation, sampleRate: rate)
        for frame in [Int64.min, -1, 0, 48_000, .max] {
          precondition(table.value(at: frame).isFinite)
          precondition(table.steadyFrames(from: frame) >= 0)
        }
      }
      var isAccepted = false
      if let song = document(Composition.self, bytes) {
        isAccepted = true
        precondition(song.duration >= .zero)
        for segment in song.tracks.flatMap(\.segments) + song.video.clips {
          precondition(segment.speed > 0)
          precondition(segment.source.contains(segment.source(at: segment.range.lowerBound)))
        }
      }
      if let mix = document(AudioMix.self, bytes) {
        isAccepted = true
        for mix in mix.tracks.values + [mix.master] { [mix.volume, mix.pan].forEach(use) }
        mix.lanes.values.forEach(use)
      }
      if let map = document(TempoMap.self, bytes) {
        isAccepted = true
        let table = TempoTable(map, sampleRate: rate)
        for frame in [Int64.min, -1, 0, 48_000, .max] { _ = table.moment(at: frame) }
        if let time = try? map.time(of: 100) { precondition(map.quarters(at: time).isFinite) }
      }
      if let ducking = document(Ducking.self, bytes) {
        isAccepted = true
        use(ducking.automation(under: [.seconds(1)..<(.seconds(2)), .seconds(2)..<(.seconds(9))]))
      }
      return isAccepted
    },
    plantedFault: { bytes in
      // The length in frames, as a 32-bit number.
      guard let song = document(Composition.self, bytes) else { return }
      precondition(Int32(song.duration.seconds * 48_000) >= 0)
    })

  /// Decodes a document, and requires that it can be encoded again.
  private static func document<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    guard let value = try? BoundedJSON.decode(type, from: bytes, byteLimit: 1 << 16) else { return nil }
    precondition((try? JSONEncoder().encode(value)) != nil, "what was read can be written")
    return value
  }

  private static func documentSeeds() throws -> [[UInt8]] {
    var song = Composition()
    try song.add("voice")
    try song.insert(
      .zero..<(.seconds(2)), of: AssetReference("a.wav", duration: .seconds(10)), at: .seconds(1), in: "voice"
    )
    try song.video.insert(.seconds(1)..<(.seconds(3)), of: AssetReference("movie.mp4"))
    var faster = song
    try faster.scale(.seconds(1)..<(.seconds(2)), to: .milliseconds(700))
    var mix = AudioMix()
    try mix["voice"].setVolume(0.5, at: .zero)
    try mix["voice"].setVolumeRamp(from: 0.1, to: 0.9, in: .seconds(3)..<(.seconds(6)))
    var lane = Automation(1)
    try lane.ramp(to: 0, in: .seconds(8)..<(.seconds(9)), curve: .bezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1))
    mix[lane: try ParameterPath("reverb.mix")] = lane
    var map = try TempoMap(120)
    try map.setTempo(90, at: 8, glides: true)
    try map.setTimeSignature(TempoMap.TimeSignature(6, 8), fromBar: 3)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try [
      encoder.encode(song), encoder.encode(faster), encoder.encode(mix), encoder.encode(map),
      encoder.encode(Ducking(depth: -9)),
    ].map { [UInt8]($0) }
  }
}
