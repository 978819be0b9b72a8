// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct DelayTests {
  private func rig(
    time: Float, feedback: Float = 0, lowPass: Float = 20_000, mix: Float = 100, rate: Double = 48_000,
    channels: Int = 1
  ) throws -> EffectRig<Delay> {
    var rig = try EffectRig<Delay>(Layout(sampleRate: rate, longestBlock: 256, channels: channels))
    rig.set(.time, to: time)
    rig.set(.feedback, to: feedback)
    rig.set(.lowPass, to: lowPass)
    rig.set(.mix, to: mix)
    return rig
  }

  @Test(arguments: [0, 0.03, 1, 10.51, 350, 1234.567, 10_000] as [Float], [44_100.0, 48_000, 192_000])
  func `an impulse returns complete at the nearest frame, and nothing else does`(
    time: Float, rate: Double
  ) throws {
    var rig = try rig(time: time, rate: rate)
    let frames = max(1, Int((Double(time) * rate / 1000).rounded()))
    let output = rig.render([Signals.impulse(frames + 1000)])[0]
    #expect(output.indices.filter { output[$0] != 0 } == [frames])
    #expect(output[frames] == 1)
  }

  @Test(arguments: [50, -50, 75, -37, 100] as [Float])
  func `each repeat has the previous level times the feedback`(feedback: Float) throws {
    var rig = try rig(time: 10, feedback: feedback)
    let output = rig.render([Signals.impulse(480 * 21)])[0]
    for frame in output.indices {
      let expected = frame > 0 && frame % 480 == 0 ? pow(Double(feedback) / 100, Double(frame / 480 - 1)) : 0
      #expect(abs(Double(output[frame]) - expected) < 1e-6)
    }
  }

  @Test(arguments: [10, 100, 1000, 5000, 15_000, 19_000] as [Float])
  func `a repeat is 3 dB down at the low-pass frequency, and the second one 6 dB`(frequency: Float) throws {
    var rig = try rig(time: 2000, feedback: 100, lowPass: frequency)
    let output = rig.render([Signals.impulse(3 * 96_000)])[0]
    let first = Array(output[96_000..<192_000]), second = Array(output[192_000...])
    let down = 20 * log10(0.5.squareRoot())
    #expect(abs(Response.measured(first, Double(frequency), rate: 48_000) - down) < 0.01)
    #expect(abs(Response.measured(second, Double(frequency), rate: 48_000) - 2 * down) < 0.02)
    #expect(abs(Response.measured(first, 0, rate: 48_000)) < 0.001)
  }

  @Test func `mix weights dry sound and repeats`() throws {
    for mix in [0, 25, 50, 100] as [Float] {
      var rig = try rig(time: 10, mix: mix)
      let output = rig.render([Signals.impulse(1000)])[0]
      #expect(output[0] == 1 - mix / 100)
      #expect(output[480] == mix / 100)
    }
  }

  @Test(arguments: [0, 1, 7.3, 500] as [Float], [100, -100] as [Float])
  func `at full feedback the output never exceeds 18 dB, for any input`(time: Float, feedback: Float) throws {
    var rig = try rig(time: time, feedback: feedback)
    let frameCount = 96_000
    let inputs: [[Float]] = [
      [Float](repeating: 1, count: frameCount), Signals.noise(frameCount).map { $0 * 1e6 },
      Signals.sine(1000, at: 48_000, frameCount), [Float](repeating: .infinity, count: frameCount),
    ]
    for input in inputs {
      let output = rig.render([input])[0]
      #expect(output.allSatisfy { abs($0) <= 8 })
    }
    #expect(rig.tail == .max)
  }

  @Test func `a new time crossfades smoothly from the old read position to the new one`() throws {
    var rig = try rig(time: 10)
    let input = Signals.noise(6000)
    let output = rig.render([input], changes: [Change(at: 3000, 0, to: 30, over: -960)])[0]
    for frame in 1500..<6000 {
      let way = Float(min(max(frame - 2999, 0), 960)) / 960, share = way * way * (3 - 2 * way)
      #expect(abs(output[frame] - (input[frame - 480] * (1 - share) + input[frame - 1440] * share)) < 1e-6)
    }
    #expect(output[4000] == input[4000 - 1440])
  }

  //   10 ms in 2 s, as a ramp and as a lane sends it: the read point moves, without any crossfade
  @Test(arguments: [0, 16])
  func `along a slow ramp of the time a sine has no spurs above -80 dB`(step: Int) throws {
    var rig = try rig(time: 100)
    let start = 9600, length = 96_000, sine = Signals.sine(1000, at: 48_000, 120_000)
    var changes = [Change(at: start, 0, to: 110, over: length)]
    if step > 0 {
      changes = stride(from: 0, to: length, by: step).map { done in
        Change(at: start + done, 0, to: 100 + 10 * Float(done + step) / Float(length), over: step)
      }
    }
    let output = rig.render([sine], changes: changes)[0]
    let omega = 2 * Double.pi * 1000 / 48_000, peak = Double(sine.max() ?? 1)
    for frame in 6000..<120_000 {
      let delay = 4800 + 480 * min(max(Double(frame - start + 1) / Double(length), 0), 1)
      let wanted = peak * sin(omega * (Double(frame) - delay))
      guard abs(Double(output[frame]) - wanted) < 1e-4 * peak else {
        Issue.record("frame \(frame): \(output[frame]), not \(wanted)")
        return
      }
    }
    #expect(output[110_000...] == sine[(110_000 - 5280)..<(120_000 - 5280)])
  }

  @Test func `a time that glides far keeps its pitch and arrives on its frame`() throws {
    var rig = try rig(time: 100)
    let rate = 48_000, sine = Signals.sine(100, at: 48_000, 4 * rate)
    let output = rig.render([sine], changes: [Change(at: rate, 0, to: 1000, over: rate)])[0]
    let omega = 2 * Float.pi * 100 / 48_000
    for frame in rate / 2..<3 * rate {
      let bend = abs(output[frame] - 2 * output[frame - 1] + output[frame - 2])
      #expect(bend < 4 * (omega * omega + 1.0 / 2400))
    }
    // The last crossfade ends at most one fade after the glide.
    for frame in 2 * rate + 2400..<4 * rate { #expect(output[frame] == sine[frame - rate]) }
    // Tape would have played at 0.1 of the speed: ten periods in the second of the glide instead of a hundred.
    let crossings = (rate..<2 * rate).filter { output[$0 - 1] < 0 && output[$0] >= 0 }.count
    #expect((80...120).contains(crossings))
  }

  @Test(arguments: [10.02, 10.2, 90] as [Float])
  func `the block size does not matter, however slowly the time glides`(time: Float) throws {
    let input = [Signals.noise(30_000)], changes = [Change(at: 1001, 0, to: time, over: 20_000)]
    var whole = try rig(time: 10, feedback: 60)
    let expected = whole.render(input, blockSize: 1024, changes: changes)
    for size in [1, 7, 100] {
      var parts = try rig(time: 10, feedback: 60)
      #expect(parts.render(input, blockSize: size, changes: changes) == expected)
    }
  }

  @Test func `a reset clears a line of ten seconds`() throws {
    var rig = try rig(time: 10_000, feedback: 100)
    _ = rig.render([Signals.noise(100_000)])
    rig.reset()
    #expect(rig.render([[Float](repeating: 0, count: 1_000_000)])[0].allSatisfy { $0 == 0 })
  }

  @Test func `every channel has its own line`() throws {
    var rig = try rig(time: 1, channels: 64)
    let input = (0..<64).map { channel in Signals.impulse(100, amplitude: Float(channel + 1) / 64) }
    let output = rig.render(input)
    for channel in 0..<64 { #expect(output[channel][48] == Float(channel + 1) / 64) }
  }
}
