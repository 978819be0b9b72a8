// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLibraryEffects
import SwiftletSignal
import SwiftletTesting
import Testing

@Suite(.enabled(if: Effort.isFull, "renders much sound; runs in release"))
struct VoiceProcessingTests {
  private typealias Parameter = VoiceProcessing.Parameter
  private let sounds = ConversationSignals()

  /// Returns a rig with one channel that by default only cancels echo.
  private func rig(
    at rate: Double = 48_000, longestBlock: Int = 1024, echo: Bool = true, noise: Float = 0,
    target: Float? = nil
  ) throws -> EffectRig<VoiceProcessing> {
    var rig = try EffectRig<VoiceProcessing>(
      Layout(sampleRate: rate, longestBlock: longestBlock, inputs: [1, 2], outputs: [1]))
    rig.set(.echoCancellation, to: echo ? 1 : 0)
    rig.set(.noiseSuppression, to: noise)
    rig.set(.gainControl, to: target == nil ? 0 : 1)
    if let target { rig.set(.target, to: target) }
    rig.reset()
    return rig
  }

  private func mixed(_ one: [Float], _ other: [Float]) -> [Float] { zip(one, other).map { $0 + $1 } }

  // The far end speaks all the time, the near end from the eighth second on.
  @Test(arguments: [false, true])
  func `the echo is removed, and the near voice stays`(isOtherOnTheRight: Bool) throws {
    let left = sounds.farVoice(seconds: 10)
    let right = isOtherOnTheRight ? sounds.farVoice(seconds: 10, seed: 9) : left
    let echo = sounds.room(zip(left, right).map { 0.6 * $0 + 0.4 * $1 })
    let voice = sounds.voice(seconds: 10).enumerated().map { $0 < sounds.frames(8) ? 0 : $1 }
    var rig = try rig()
    let late = rig.latency
    let silence = [Float](repeating: 0, count: late)
    let output = rig.render([mixed(echo, voice) + silence], further: [left + silence, right + silence])[0]
    let enhancement = sounds.level(echo, 5..<8) - sounds.level(output, 5..<8, late: late)
    #expect(enhancement > 25, "\(enhancement) dB")
    let kept = sounds.level(output, 8..<10, late: late) - sounds.level(voice, 8..<10)
    #expect(abs(kept) < 3, "\(kept) dB")
    let lag = sounds.lag(
      of: Array(output[sounds.frames(8)...]), behind: Array(voice[sounds.frames(8)...]), upTo: late + 960)
    // The canceller's high-pass, which removes hum, shifts a fundamental of 140 Hz by a few frames.
    #expect(lag.map { abs($0 - late) } ?? 100 < 8, "\(lag ?? -1) against \(late)")
  }

  @Test func `the echo stays without cancellation, and goes once cancellation is on`() throws {
    let far = sounds.farVoice(seconds: 8), echo = sounds.room(far)
    var rig = try rig(echo: false)
    let late = rig.latency
    let output = rig.render(
      [echo], further: [far, far],
      changes: [Change(at: sounds.frames(2.5), Parameter.echoCancellation.rawValue, to: 1, over: 960)])[0]
    #expect(abs(sounds.level(output, 1..<2, late: late) - sounds.level(echo, 1..<2)) < 0.5)
    #expect(sounds.level(output, 6..<7.5, late: late) < sounds.level(echo, 6..<7.5) - 15)
  }

  @Test func `steady noise is reduced, and a voice over it stays`() throws {
    let noise = sounds.noise(seconds: 8, level: -50)
    let voice = sounds.voice(seconds: 8).enumerated().map { $0 < sounds.frames(5) ? 0 : $1 }
    var levels: [Double] = []
    for suppression in [0, -12, -24] as [Float] {
      var rig = try rig(echo: false, noise: suppression)
      let late = rig.latency
      let silence = [Float](repeating: 0, count: late)
      let output = rig.render([mixed(noise, voice) + silence])[0]
      levels.append(sounds.level(output, 3..<5, late: late))
      let kept = sounds.level(output, 5..<8, late: late) - sounds.level(voice, 5..<8)
      #expect(abs(kept) < 2, "\(kept) dB at \(suppression) dB")
    }
    #expect(abs(levels[0] + 50) < 0.5, "it goes through: \(levels[0])")
    #expect(-62.5...(-58) ~= levels[1] && -74...(-66) ~= levels[2], "\(levels)")
  }

  @Test(arguments: [16_000.0, 44_100, 96_000], [0.005, 0.1] as [Float])
  func `gain control brings a voice to the target level`(rate: Double, level: Float) throws {
    let sounds = ConversationSignals(rate: rate)
    var rig = try rig(at: rate, target: -30)
    let output = rig.render([sounds.voice(seconds: 9, level: level)])[0]
    // The voice sounds for 0.35 s of every 0.5 s.
    let spoken = sounds.level(output, 6..<8.5) + 10 * log10(0.5 / 0.35)
    #expect(abs(spoken + 30) < 3.5, "\(spoken) dBFS")
  }

  @Test(arguments: [8000.0, 22_050, 44_100, 48_000, 192_000])
  func `the output is delayed by the reported latency, at every rate`(rate: Double) throws {
    let sounds = ConversationSignals(rate: rate)
    for longestBlock in [64, 1024, 8192] {
      var rig = try rig(at: rate, longestBlock: longestBlock)
      let blockLength = Int((rate / 100).rounded())
      #expect(rig.latency == 2 * blockLength + min(max(longestBlock, blockLength), 2048))
      let noise = sounds.noise(seconds: 0.1, level: -20)
      let input = noise + [Float](repeating: 0, count: rig.latency)
      let output = rig.render([input], further: [[Float](repeating: 0, count: input.count), input])[0]
      #expect(sounds.lag(of: output, behind: noise, upTo: output.count - noise.count) == rig.latency)
    }
  }

  @Test func `blocks of any size give the same samples`() throws {
    let far = sounds.farVoice(seconds: 1.5), input = mixed(sounds.room(far), sounds.voice(seconds: 1.5))
    var expected: [Float]?
    for size in [1000, 64, 1] {
      var rig = try rig(noise: -15, target: -26)
      let changes = [
        Change(at: 20_001, Parameter.noiseSuppression.rawValue, to: -30, over: 960),
        Change(at: 30_011, Parameter.gainControl.rawValue, to: 0, over: 960),
      ]
      let output = rig.render([input], further: [far, far], blockSize: size, changes: changes)[0]
      #expect(output == expected ?? output, "blocks of \(size)")
      expected = output
    }
  }

  @Test func `rendering on the side thread gives the same samples as offline`() throws {
    let far = sounds.farVoice(seconds: 1), input = mixed(sounds.room(far), sounds.voice(seconds: 1))
    var offline = try rig(noise: -15), live = try rig(noise: -15)
    live.transport = Transport()
    let expected = offline.render([input], further: [far, far], blockSize: 480)[0]
    var output: [Float] = []
    for start in stride(from: 0, to: input.count, by: 480) {
      let part = start..<start + 480
      let played = [Array(far[part]), Array(far[part])]
      output += live.render([Array(input[part])], further: played, blockSize: 480)[0]
      usleep(10_000)
    }
    #expect(output == expected)
  }

  @Test func `soft sound passes at 16 bits of resolution, and sound above full scale is limited`() throws {
    for (level, most) in [(Float(0.001), Float(0.001)), (0.5, 0.5), (4, 1)] {
      var rig = try rig(echo: false)
      let late = rig.latency
      let sine = (0..<48_000 + late).map { level * Float(sin(2 * .pi * 440 * Double($0) / 48_000)) }
      let output = rig.render([sine])[0][(24_000 + late)...]
      let peak = output.map(abs).max() ?? 0
      #expect(peak <= most + 4e-5 && peak > 0.7 * most, "\(level) gives \(peak)")
    }
  }

  @Test func `unsupported sample rates and channel counts are refused`() {
    let layouts: [(Layout, EffectError)] = [
      (Layout(sampleRate: 6000, longestBlock: 64, inputs: [1, 2], outputs: [1]), .sampleRate(6000)),
      (Layout(sampleRate: 384_000, longestBlock: 64, inputs: [1, 2], outputs: [1]), .sampleRate(384_000)),
      (Layout(sampleRate: 48_000, longestBlock: 64, inputs: [17, 2], outputs: [17]), .channels(17)),
      (Layout(sampleRate: 48_000, longestBlock: 64, inputs: [2, 2], outputs: [1]), .channels(1)),
      (Layout(sampleRate: 48_000, longestBlock: 64, inputs: [1, 1], outputs: [1]), .channels(1)),
    ]
    for (layout, error) in layouts {
      #expect(throws: error) { _ = try VoiceProcessing(layout) }
    }
  }
}
