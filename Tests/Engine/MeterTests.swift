// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Testing

/// Readings of signals with known levels.
struct MeterTests {
  private let sine = MeterRig.sine(1000, seconds: 1)

  private func reading(of sound: [[Float]], blockSize: Int = 480) throws -> Meter.Reading {
    let rig = try MeterRig(channels: sound.count)
    let meter = try rig.engine.installMeter(on: rig.main)
    try rig.feed(sound, blockSize: blockSize)
    return meter.read()
  }

  @Test func `a full-scale sine averages -3.01 dBFS, and a square wave 0 dBFS`() throws {
    let square = (0..<48_000).map { $0 / 24 % 2 == 0 ? Float(1) : -1 }
    let silence = [Float](repeating: 0, count: 48_000)
    let reading = try reading(of: [sine, square, silence])
    #expect(isNear(reading.averagePower(forChannel: 0), -3.0103, within: 0.01))
    #expect(isNear(reading.peakPower(forChannel: 0), 0, within: 0.001))
    #expect(reading.channels[1].averagePower == 0 && reading.channels[1].peakPower == 0)
    #expect(reading.channels[2] == Meter.Reading.Channel())
    #expect(reading.channels[2].averagePower == -160 && reading.channels[2].peakPower == -160)
    #expect(reading.channels[2].heldPeak == -160)
    for channel in [-1, 3, .max, .min] {
      #expect(reading.averagePower(forChannel: channel) == -160)
      #expect(reading.peakPower(forChannel: channel) == -160)
    }
  }

  @Test func `levels above full scale are reported, and no level is infinite`() throws {
    let loud = [Float](repeating: 2, count: 480)
    #expect(isNear(try reading(of: [loud]).channels[0].peakPower, 6.0206, within: 0.001))
    #expect(isNear(try reading(of: [loud]).channels[0].averagePower, 6.0206, within: 0.001))
    for sample in [Float.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
      let channel = try reading(of: [[Float](repeating: sample, count: 480)]).channels[0]
      for level in [channel.averagePower, channel.peakPower, channel.heldPeak] {
        #expect(level.isFinite && level >= -160, "\(sample) reads as \(level)")
      }
    }
  }

  @Test(arguments: [1, 64, 1000]) func `readings do not depend on the block length`(blockSize: Int) throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main, [.truePeak, .loudness])
    try rig.feed([Array(sine.prefix(32_000))], blockSize: blockSize)
    let reading = meter.read()
    #expect(isNear(reading.channels[0].averagePower, -3.0103, within: 0.001))
    #expect(isNear(reading.channels[0].peakPower, 0, within: 0.001))
    let whole = try MeterRig()
    let reference = try whole.engine.installMeter(on: whole.main, [.truePeak, .loudness])
    try whole.feed([Array(sine.prefix(32_000))], blockSize: 4096)
    #expect(reading.loudness == reference.read().loudness)
    #expect(reading.channels[0].truePeak == reference.read().channels[0].truePeak)
    #expect(reading.lostFrames == 0)
  }

  @Test func `a reading covers the sound since the last one, and stays until more arrives`() throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main), other = try rig.engine.installMeter(on: rig.main)
    try rig.feed([[Float](repeating: 1, count: 480)])
    #expect(meter.read().averagePower(forChannel: 0) == 0)
    #expect(meter.read().averagePower(forChannel: 0) == 0, "no block has come since")
    try rig.feed([[Float](repeating: 0.1, count: 480)])
    #expect(isNear(meter.read().averagePower(forChannel: 0), -20, within: 0.001))
    #expect(isNear(meter.read().peakPower(forChannel: 0), -20, within: 0.001))
    // Another meter of the bus covers both.
    #expect(other.read().peakPower(forChannel: 0) == 0)
    #expect(isNear(other.read().averagePower(forChannel: 0), 10 * log10(1.01 / 2), within: 0.001))
  }

  @Test func `a removed meter reads silence, and removing it twice is harmless`() throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main, [.loudness])
    try rig.feed([sine])
    #expect(meter.read().averagePower(forChannel: 0) > -4)
    meter.remove()
    meter.remove()
    try rig.feed([sine])
    try rig.feed([sine])
    #expect(meter.read().averagePower(forChannel: 0) == -160)
  }

  //  song ──► desk
  @Test func `a player has a meter as every node has`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-\(UUID().uuidString).wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: nil), sampleRate: 48_000, channelCount: 1)
    try writer.write([sine])
    try writer.close()
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 480))
    let song = try engine.attach(.player(path), name: "song")
    try engine.connect(song, engine.attach(.playback(channels: 1), name: "desk"))
    let meter = try engine.installMeter(on: song, [.truePeak, .loudness])
    for _ in 0..<60 { _ = try engine.render(480) }
    let reading = meter.read()
    #expect(isNear(reading.averagePower(forChannel: 0), -3.0103, within: 0.02))
    #expect(isNear(reading.peakPower(forChannel: 0), 0, within: 0.01))
    #expect(isNear(reading.channels[0].truePeak, 0, within: 0.05))
    #expect(isNear(reading.loudness?.momentary, -3.01, within: 0.1))
  }

  @Test func `an event bus and a missing bus have no meter`() throws {
    let rig = try MeterRig()
    let keys = try rig.engine.attach(.midiInput(), name: "keys")
    #expect(throws: EngineError.self) { try rig.engine.installMeter(on: keys) }
    #expect(throws: EngineError.self) {
      try rig.engine.installMeter(on: rig.main, bus: 3, [.truePeak])
    }
  }
}
