// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// True peak and loudness of a bus, against the reference values of ITU-R BS.1770 and EBU Tech 3341.
struct MeterLoudnessTests {
  @Test func `a sine at a quarter of the rate and 45 degrees peaks 3 dB higher between samples`() throws {
    let rig = try MeterRig(channels: 2)
    let meter = try rig.engine.installMeter(on: rig.main, [.truePeak])
    // It fades in and out, so that no edge has its own peak; the other channel is 0.5 dB softer.
    let sine = MeterRig.sine(12_000, seconds: 1, phase: 45).enumerated().map { frame, sample in
      sample * Float(min(1, Double(min(frame, 47_999 - frame)) / 4800))
    }
    try rig.feed([sine, sine.map { $0 * Float(pow(10, -0.5 / 20)) }])
    let reading = meter.read()
    #expect(isNear(reading.channels[0].peakPower, -3.0103, within: 0.01))
    #expect(isNear(reading.channels[0].truePeak, 0, within: 0.1))
    #expect(isNear(reading.channels[1].truePeak, -0.5, within: 0.1))
    #expect(reading.loudness == nil)
    // Then softer: the maximum is held until a reset.
    try rig.feed([sine.map { $0 / 10 }, sine])
    let second = meter.read()
    #expect(isNear(second.channels[0].truePeak, -20, within: 0.1))
    #expect(isNear(second.channels[0].highestTruePeak, 0, within: 0.1))
    meter.resetPeaks()
    #expect(meter.read().channels[0].highestTruePeak == -160)
    try rig.feed([sine.map { $0 / 10 }, sine])
    #expect(isNear(meter.read().channels[0].highestTruePeak, -20, within: 0.1))
  }

  @Test func `a stereo sine of -23 dBFS has a loudness of -23 LUFS`() throws {
    let rig = try MeterRig(channels: 2)
    let meter = try rig.engine.installMeter(on: rig.main, [.loudness])
    #expect(meter.read().loudness == Meter.Reading.Loudness())
    let sine = MeterRig.sine(1000, seconds: 20, level: -23)
    try rig.feed([sine, sine])
    let reading = meter.read(), loudness = try #require(reading.loudness)
    #expect(isNear(loudness.momentary, -23, within: 0.1))
    #expect(isNear(loudness.shortTerm, -23, within: 0.1))
    #expect(isNear(loudness.integrated, -23, within: 0.1))
    #expect(loudness.range == 0 && reading.lostFrames == 0)
    #expect(reading.channels[0].truePeak == nil && reading.channels[0].highestTruePeak == nil)
  }

  @Test func `20 s at -20 and 20 s at -30 have a loudness range of 10 LU, and a reset clears it`() throws {
    let rig = try MeterRig(channels: 2)
    let meter = try rig.engine.installMeter(on: rig.main, [.loudness])
    for level in [-20.0, -30] {
      let sine = MeterRig.sine(1000, seconds: 20, level: level)
      try rig.feed([sine, sine], blockSize: 4096)
    }
    #expect(isNear(meter.read().loudness?.range, 10, within: 1))
    meter.resetLoudness()
    #expect(meter.read().loudness == Meter.Reading.Loudness())
    let soft = MeterRig.sine(1000, seconds: 4, level: -33)
    try rig.feed([soft, soft])
    #expect(isNear(meter.read().loudness?.integrated, -33, within: 0.1))
  }

  @Test func `the widest bus is measured channel by channel`() throws {
    let rig = try MeterRig(channels: BusFormat.mostChannels)
    let meter = try rig.engine.installMeter(on: rig.main, [.truePeak, .loudness])
    let sine = MeterRig.sine(1000, seconds: 0.1)
    try rig.feed((0..<rig.channelCount).map { channel in sine.map { $0 / Float(channel + 1) } })
    let reading = meter.read()
    #expect(reading.channels.count == BusFormat.mostChannels && reading.loudness != nil)
    for (index, channel) in reading.channels.enumerated() {
      let level = -20 * log10(Float(index + 1))
      #expect(isNear(channel.averagePower, level - 3.0103, within: 0.01))
      #expect(isNear(channel.truePeak, level, within: 0.1))
    }
  }
}
