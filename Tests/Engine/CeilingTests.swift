// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// A playback node with a ceiling combines the limiter and the output node.
@Suite struct `A ceiling on a playback node` {
  private static let rate = 48_000.0

  /// A sine whose peaks reach three times full scale.
  private static func loud(_ count: Int) -> AudioBuffer {
    let sine = (0..<count).map { Float(3 * sin(2 * Double.pi * 997 * Double($0) / rate)) }
    return AudioBuffer([sine, sine])
  }

  //  voice ──► desk
  private func engine(ceiling: Float?) throws -> (AudioEngine, AudioNode, AudioNode) {
    let engine = try AudioEngine(.offline(sampleRate: Self.rate, longestBlock: 512))
    let voice = try engine.attach(.capture(channels: 2)),
      output = try engine.attach(.playback(ceiling: ceiling))
    try engine.connect(voice, output)
    return (engine, voice, output)
  }

  @Test(arguments: [Float(-1), -6, 0]) func `limits its sound as the limiter does`(ceiling: Float) throws {
    let (engine, voice, output) = try engine(ceiling: ceiling)
    let sound = Self.loud(512)
    var limitedByCeiling: [Float] = [], limitedByEffect: [Float] = []

    //  voice ──► limiter ──► desk
    let other = try AudioEngine(.offline(sampleRate: Self.rate, longestBlock: 512))
    let singer = try other.attach(.capture(channels: 2)), limiter = try other.attach(.effect("limiter"))
    let otherOutput = try other.attach(.playback())
    try other.connect(singer, limiter, otherOutput)
    try limiter.set("ceiling", to: ceiling)

    for _ in 0..<40 {
      limitedByCeiling += try #require(try engine.render(512, from: [voice: sound])[output])[0]
      limitedByEffect += try #require(try other.render(512, from: [singer: sound])[otherOutput])[0]
    }
    #expect(limitedByCeiling == limitedByEffect)
    let peak = limitedByCeiling.reduce(0) { max($0, abs($1)) }
    #expect(peak <= powf(10, ceiling / 20) * 1.0116)
    #expect(peak > powf(10, ceiling / 20) * 0.8)
    #expect(output.meter("reduction") ?? 0 > 8)
  }

  @Test func `can be changed while it plays, and reports its latency`() throws {
    let (engine, voice, output) = try engine(ceiling: -1)
    _ = try engine.render(512, from: [voice: Self.loud(512)])
    #expect(output.latency > 0)
    #expect(output["ceiling"] == -1)
    try output.set("ceiling", to: -12)
    var last: [Float] = []
    for _ in 0..<40 { last = try #require(try engine.render(512, from: [voice: Self.loud(512)])[output])[0] }
    #expect(last.reduce(0) { max($0, abs($1)) } <= powf(10, -12 / 20) * 1.0116)
  }

  @Test func `without a ceiling sound is neither limited nor delayed`() throws {
    let (engine, voice, output) = try engine(ceiling: nil)
    let sound = Self.loud(64)
    #expect(try engine.render(64, from: [voice: sound])[output]?[0] == sound[0])
    #expect(output.latency == 0)
    #expect(output.info == nil)
  }
}
