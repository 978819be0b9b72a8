// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLibraryEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// The test signals and expected values of EBU Tech 3341 and 3342; test names end with the number of the case.
@Suite(.enabled(if: Effort.isFull, "renders many minutes; runs in release"))
struct LoudnessTests {
  /// A 1 kHz sine: its duration in seconds, and its level in dBFS for each channel.
  struct Tone {
    var seconds: Double, levels: [Double]

    init(_ seconds: Double, _ levels: Double...) {
      self.seconds = seconds
      self.levels = levels
    }
  }

  /// Returns the tones one after the other, with continuous phase.
  private func sound(_ tones: [Tone], at rate: Double = 48_000, channels: Int = 2) -> [[Float]] {
    (0..<channels).map { channel in
      var samples: [Float] = []
      for tone in tones {
        let amplitude = pow(10, tone.levels[min(channel, tone.levels.count - 1)] / 20)
        for _ in 0..<Int((tone.seconds * rate).rounded()) {
          samples.append(Float(amplitude * sin(2 * .pi * 1000 * Double(samples.count) / rate)))
        }
      }
      return samples
    }
  }

  private struct Reading {
    var momentary, shortTerm, integrated, range, truePeak: Float

    init(_ meters: [Float]) {
      (momentary, shortTerm, integrated) = (meters[0], meters[1], meters[2])
      (range, truePeak) = (meters[3], meters[4])
    }
  }

  private func rig(_ channels: Int = 2, at rate: Double = 48_000) throws -> EffectRig<Loudness> {
    try EffectRig<Loudness>(Layout(sampleRate: rate, longestBlock: 1024, channels: channels))
  }

  private func reading(of sound: [[Float]], at rate: Double = 48_000, blockSize: Int = 1024) throws -> Reading
  {
    var rig = try rig(sound.count, at: rate)
    _ = rig.render(sound, blockSize: blockSize)
    return Reading(rig.meters)
  }

  /// Returns the readings after each tenth of a second.
  private func course(of sound: [[Float]]) throws -> [Reading] {
    var rig = try rig(sound.count), readings: [Reading] = []
    for start in stride(from: 0, to: sound[0].count - 4799, by: 4800) {
      _ = rig.render(sound.map { Array($0[start..<start + 4800]) })
      readings.append(Reading(rig.meters))
    }
    return readings
  }

  private func expect(_ value: Float, _ wanted: Float, within bound: Float = 0.1, _ what: String) {
    #expect(abs(value - wanted) <= bound, "\(what): \(value) instead of \(wanted)")
  }

  @Test(arguments: [(-23.0, 48_000.0), (-33, 48_000), (-23, 44_100), (-23, 96_000)])
  func `a steady sine reads as its level, Tech 3341 cases 1 and 2`(level: Double, rate: Double) throws {
    let reading = try reading(of: sound([Tone(20, level)], at: rate), at: rate)
    expect(reading.momentary, Float(level), "momentary")
    expect(reading.shortTerm, Float(level), "short-term")
    expect(reading.integrated, Float(level), "integrated")
    expect(reading.truePeak, Float(level), within: 0.2, "true peak")
    expect(reading.range, 0, "range")
  }

  @Test func `the gate excludes parts that are far softer, Tech 3341 cases 3 to 5`() throws {
    let gated = [
      [Tone(10, -36), Tone(60, -23), Tone(10, -36)],
      [Tone(10, -72), Tone(10, -36), Tone(60, -23), Tone(10, -36), Tone(10, -72)],
      [Tone(20, -26), Tone(20.1, -20), Tone(20, -26)],
    ]
    for tones in gated { expect(try reading(of: sound(tones)).integrated, -23, "\(tones)") }
  }

  @Test func `channels are weighted as the standard requires, Tech 3341 case 6`() throws {
    let surround = try reading(of: sound([Tone(20, -28, -28, -24, -30, -30)], channels: 5))
    expect(surround.integrated, -23, "left, right, centre and the surrounds")
    let withLow = try reading(of: sound([Tone(20, -28, -28, -24, -10, -30, -30)], channels: 6))
    expect(withLow.integrated, -23, "low frequencies do not count")
  }

  @Test func `short-term loudness is constant over its window of 3 s, Tech 3341 case 9`() throws {
    let tones = (0..<5).flatMap { _ in [Tone(1.34, -20), Tone(1.66, -30)] }
    for reading in try course(of: sound(tones)).dropFirst(30) { expect(reading.shortTerm, -23, "short-term") }
  }

  @Test func `momentary loudness is constant over its window of 400 ms, Tech 3341 case 12`() throws {
    let tones = (0..<25).flatMap { _ in [Tone(0.18, -20), Tone(0.22, -30)] }
    for reading in try course(of: sound(tones)).dropFirst(10) { expect(reading.momentary, -23, "momentary") }
  }

  @Test(arguments: [(4.0, 0.0, -6.0), (4, 45, -6), (6, 60, -6), (8, 67.5, -6), (4, 45, 3)])
  func `peaks between samples are measured, Tech 3341 cases 15 to 19`(
    part: Double, phase: Double, level: Double
  ) throws {
    let amplitude = pow(10, level / 20)
    let sine = (0..<96_000).map { frame in
      // Fades in and out, so that no edge adds a peak.
      let edge = min(1, Double(min(frame, 95_999 - frame)) / 9600)
      return Float(edge * amplitude * sin(2 * .pi * Double(frame) / part + phase * .pi / 180))
    }
    let peak = try reading(of: [sine, sine]).truePeak
    #expect(Float(level) - 0.4 <= peak && peak <= Float(level) + 0.2)
  }

  @Test func `the loudness range is that of Tech 3342`() throws {
    let table: [([Double], Float)] = [
      ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
    ]
    for (levels, range) in table {
      let reading = try reading(of: sound(levels.map { Tone(20, $0) }))
      expect(reading.range, range, within: 1, "\(levels)")
    }
  }

  @Test func `readings do not depend on the block size, and sound passes bit by bit`() throws {
    let noise = [music(96_123, seed: 3), music(96_123, seed: 4)]
    let whole = try reading(of: noise)
    for size in [64, 333] {
      let parts = try reading(of: noise, blockSize: size)
      #expect(parts.momentary == whole.momentary && parts.integrated == whole.integrated)
      #expect(parts.shortTerm == whole.shortTerm && parts.truePeak == whole.truePeak)
    }
    var rig = try rig()
    #expect(rig.render(noise) == noise)
  }

  @Test func `a reset discards all earlier sound, to the frame`() throws {
    let loud = sound([Tone(5, -10)]), soft = sound([Tone(4, -30)])
    var rig = try rig()
    let both = zip(loud, soft).map { $0 + $1 }
    _ = rig.render(both, changes: [Change(at: loud[0].count, 0, to: 1)])
    let after = Reading(rig.meters), alone = try reading(of: soft)
    expect(after.integrated, -30, within: 0.1, "only what came after it")
    #expect(after.integrated == alone.integrated && after.truePeak == alone.truePeak)
    rig.reset()
    _ = rig.render([[0], [0]])
    #expect(rig.meters == [-120, -120, -120, 0, -120])
  }

  @Test func `the side thread measures everything`() throws {
    var rig = try rig()
    rig.transport = Transport()
    let tone = sound([Tone(4, -23)])
    for start in stride(from: 0, to: tone[0].count, by: 19_200) {
      _ = rig.render(tone.map { Array($0[start..<start + 19_200]) })
      usleep(100_000)
    }
    _ = rig.render([[0], [0]])
    expect(Reading(rig.meters).integrated, -23, "read by the thread")
    expect(Reading(rig.meters).shortTerm, -23, "read by the thread")
  }

  /// Returns noise with less highs than white noise, whose level rises and falls.
  private func music(_ frameCount: Int, seed: UInt64) -> [Float] {
    var state = seed, low = 0.0
    return (0..<frameCount).map { frame in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      low += 0.05 * (Double(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648 - low)
      return Float(low * (0.6 + 0.5 * sin(Double(frame) / 30_000)))
    }
  }

  @Test func `ffmpeg's ebur128 reads the same values of noise with varying level`() throws {
    let noise = [music(48_000 * 30, seed: 1), music(48_000 * 30, seed: 2)]
    let reading = try reading(of: noise)
    let path = "/tmp/swiftlet-loudness-\(UUID().uuidString).f32"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var bytes = Data()
    for frame in noise[0].indices {
      for channel in noise { withUnsafeBytes(of: channel[frame]) { bytes.append(contentsOf: $0) } }
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let output = try ffmpeg([
      "-nostats", "-f", "f32le", "-ar", "48000", "-ac", "2", "-i", path, "-af", "ebur128=peak=true", "-f",
      "null", "-",
    ])
    let summary = try #require(output.range(of: "Summary:"))
    func number(after word: String) throws -> Float {
      let range = try #require(output.range(of: word, range: summary.upperBound..<output.endIndex))
      return try #require(output[range.upperBound...].split(separator: " ").first.flatMap { Float($0) })
    }
    expect(reading.integrated, try number(after: "I:"), within: 0.11, "integrated; ffmpeg rounds to 0.1")
    expect(reading.range, try number(after: "LRA:"), within: 0.3, "range")
    expect(reading.truePeak, try number(after: "Peak:"), within: 0.2, "true peak")
  }

  /// Returns the integrated loudness of sound at 48 kHz by the formulas of ITU-R BS.1770-4: its two filters with the
  /// printed coefficients, and both gates over the list of all blocks.
  private func standard(_ sound: [[Float]]) -> Double {
    let stages: [(b: [Double], a: [Double])] = [
      (
        b: [1.53512485958697, -2.69169618940638, 1.19839281085285], a: [-1.69065929318241, 0.73248077421585]
      ),
      (b: [1, -2, 1], a: [-1.99004745483398, 0.99007225036621]),
    ]
    var energies = [Double](repeating: 0, count: (sound[0].count - 19_200) / 4800 + 1)
    for channel in sound {
      var samples = channel.map { Double($0) }
      for (b, a) in stages {
        var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
        for frame in samples.indices {
          let x = samples[frame], y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2
          (x1, x2, y1, y2, samples[frame]) = (x, x1, y, y1, y)
        }
      }
      for block in energies.indices {
        energies[block] += samples[block * 4800..<block * 4800 + 19_200].reduce(0) { $0 + $1 * $1 } / 19_200
      }
    }
    func level(_ gate: Double) -> Double {
      let passed = energies.filter { -0.691 + 10 * log10($0) > gate }
      return -0.691 + 10 * log10(passed.reduce(0, +) / Double(passed.count))
    }
    return level(level(-70) - 10)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `the integrated loudness is that of BS.1770-4, within 0.005 LU`(seed: UInt64) throws {
    // Parts of one second at levels around the relative gate, or all at one level.
    let spread = seed.isMultiple(of: 2) ? 29 : 1
    let levels = (0..<40).map { pow(10, -Double(($0 * 7 + Int(seed) * 5) % spread) / 20 - Double(seed) / 30) }
    let noise = [music(48_000 * 40, seed: seed), music(48_000 * 40, seed: seed + 50)].map { channel in
      channel.enumerated().map { Float(levels[$0 / 48_000]) * $1 }
    }
    let reading = try reading(of: noise).integrated
    #expect(abs(Double(reading) - standard(noise)) < 0.005)
  }

  private func ffmpeg(_ arguments: [String]) throws -> String {
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
    process.arguments = arguments
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return output
  }
}
