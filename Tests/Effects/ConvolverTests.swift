// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import SwiftletTesting
import Testing

@testable import SwiftletEffects

struct ConvolverTests {
  /// Returns white noise; with `decays` it decays by 60 dB over its length.
  private func noise(_ count: Int, seed: UInt64, decays: Bool = false) -> [Float] {
    let noise = Signals.noise(count, seed: seed)
    guard decays else { return noise }
    return noise.enumerated().map { Float(Double($1) * exp(-6.9 * Double($0) / Double(count))) }
  }

  private func rig(
    _ responses: [[Float]], inputs: Int, outputs: Int? = nil, rate: Double = 48_000, mix: Float = 100
  ) throws -> EffectRig<Convolver> {
    let layout = Layout(
      sampleRate: rate, longestBlock: 1024, inputs: [inputs], outputs: [outputs ?? inputs],
      files: [.sound(Sound(channels: responses))])
    var rig = try EffectRig<Convolver>(layout)
    rig.set(.mix, to: mix)
    return rig
  }

  /// Returns the deviation of `output` from the sum of each sound's convolution with its response, by definition: the
  /// largest difference at some frames relative to the largest value, in decibels.
  private func error(_ output: [Float], _ parts: [(sound: [Float], response: [Float])]) -> Double {
    var frames = Array(0..<min(output.count, 200))
    frames += stride(from: 200, to: output.count, by: max((output.count - 200) / 499, 1))
    var worst = 0.0, peak = 0.0
    for frame in frames {
      var sum = 0.0
      for (sound, response) in parts {
        let first = max(frame - sound.count + 1, 0)
        for tap in first..<max(min(response.count, frame + 1), first) {
          sum += Double(response[tap]) * Double(sound[frame - tap])
        }
      }
      worst = max(worst, abs(sum - Double(output[frame])))
      peak = max(peak, abs(sum))
    }
    return 20 * log10(worst / peak)
  }

  /// Returns a sound followed by silence until its convolution has ended.
  private func padded(_ sound: [Float], _ length: Int) -> [Float] {
    sound + [Float](repeating: 0, count: length)
  }

  @Test(arguments: Effort.of([1, 63, 64, 65, 1000, 3200, 9000, 96_000, 250_000], debug: [1, 65, 4000]))
  func `the output is the convolution with the response`(length: Int) throws {
    let response = noise(length, seed: 3, decays: true),
      sound = noise(length < 10_000 ? 5000 : 70_000, seed: 7)
    for size in [64, 61, 1000] {
      var rig = try rig([response], inputs: 1, outputs: 1)
      let output = rig.render([padded(sound, length)], blockSize: size)[0]
      #expect(error(output, [(sound, response)]) < -120, "\(length) frames in blocks of \(size)")
    }
  }

  @Test(arguments: [8000.0, 44_100, 48_000, 88_200, 96_000, 192_000])
  func `the output is the convolution at every sample rate`(rate: Double) throws {
    let response = noise(1000, seed: 3, decays: true), sound = noise(3000, seed: 7)
    var rig = try rig([response], inputs: 1, outputs: 1, rate: rate)
    let output = rig.render([padded(sound, 1000)], blockSize: 37)[0]
    #expect(error(output, [(sound, response)]) < -120)
  }

  //   left  ─┬─ 0 ─► left        the response's channels: left to left, left to right,
  //          └─ 1 ─► right       right to left, right to right
  //   right ─┬─ 2 ─► left
  //          └─ 3 ─► right
  @Test func `every channel is convolved with its own response`() throws {
    let h = (0..<5).map { noise(5000, seed: UInt64($0) + 20, decays: true) }
    let x = (0..<5).map { noise(6000, seed: UInt64($0) + 40) }, padded = x.map { self.padded($0, 5000) }
    var mono = try rig([h[0]], inputs: 2)
    for (channel, output) in mono.render(Array(padded[..<2])).enumerated() {
      #expect(error(output, [(x[channel], h[0])]) < -120)
    }
    var widened = try rig([h[0]], inputs: 1, outputs: 2)
    for output in widened.render([padded[0]]) { #expect(error(output, [(x[0], h[0])]) < -120) }
    var stereo = try rig([h[0], h[1]], inputs: 2)
    for (channel, output) in stereo.render(Array(padded[..<2])).enumerated() {
      #expect(error(output, [(x[channel], h[channel])]) < -120)
    }
    var spread = try rig([h[0], h[1]], inputs: 1, outputs: 2)
    for (channel, output) in spread.render([padded[0]]).enumerated() {
      #expect(error(output, [(x[0], h[channel])]) < -120)
    }
    var cross = try rig(Array(h[..<4]), inputs: 2)
    for (channel, output) in cross.render(Array(padded[..<2])).enumerated() {
      #expect(error(output, [(x[0], h[channel]), (x[1], h[2 + channel])]) < -120)
    }
    var both = try rig(Array(h[..<4]), inputs: 1, outputs: 2)
    for (channel, output) in both.render([padded[0]]).enumerated() {
      #expect(error(output, [(x[0], h[channel]), (x[0], h[2 + channel])]) < -120)
    }
    var wide = try rig(h, inputs: 5)
    for (channel, output) in wide.render(padded).enumerated() {
      #expect(error(output, [(x[channel], h[channel])]) < -120)
    }
  }

  @Test func `a response that does not fit, is missing, empty or too long is refused`() {
    let h = [Float](repeating: 1, count: 10)
    /// Returns the error for these responses, or nil if they are valid.
    func fault(_ responses: [[Float]], inputs: Int, outputs: Int? = nil, rate: Double = 48_000)
      -> EffectError?
    {
      do {
        _ = try rig(responses, inputs: inputs, outputs: outputs, rate: rate)
        return nil
      } catch {
        return error as? EffectError
      }
    }
    #expect(fault([h, h, h], inputs: 2) == .file(0, .channels(3)))
    #expect(fault([h, h], inputs: 5) == .file(0, .channels(2)))
    #expect(fault([h, h], inputs: 1, outputs: 1) == .file(0, .channels(2)))
    #expect(fault([[]], inputs: 2) == .file(0, .empty))
    #expect(fault([h], inputs: 9) == .channels(9))
    let minute = [Float](repeating: 0, count: 60_000)
    #expect(fault([minute], inputs: 1, rate: 1000) == nil)
    #expect(fault([minute + [1]], inputs: 1, rate: 1000) == .file(0, .tooLong(seconds: 60)))
    #expect(throws: EffectError.file(0, .missing)) {
      try Convolver(Layout(sampleRate: 48_000, longestBlock: 64)).tail
    }
  }

  @Test func `an impulse gives the response without delay, at its file's level, and then silence`() throws {
    let response = noise(20_000, seed: 5, decays: true)
    var rig = try rig([response], inputs: 1, outputs: 1)
    #expect(rig.latency == 0 && rig.tail == 20_000)
    let output = rig.render([padded([1], 24_000)])[0]
    #expect(output[0] == response[0])
    for (heard, expected) in zip(output, padded(response, 4001)) { #expect(abs(heard - expected) < 1e-6) }
  }

  @Test(arguments: [(96_000.0, 48_000.0), (44_100, 192_000), (22_050, 44_100)])
  func `a response converted to another rate keeps its level`(recorded: Double, rate: Double) throws {
    // A decay of 20 ms with unity gain at 0 Hz, measured at one rate and resampled to the other: each sample has the
    // same height, but there are more or fewer of them.
    let time = 0.02 * rate, height = 1 - exp(-1 / (0.02 * recorded))
    let response = (0..<Int(20 * time)).map { Float(height * exp(-Double($0) / time)) }
    let layout = Layout(
      sampleRate: rate, longestBlock: 1024, inputs: [1], outputs: [2],
      files: [.sound(Sound(channels: [response], recordedRate: recorded))])
    var rig = try EffectRig<Convolver>(layout)
    rig.set(.mix, to: 100)
    let output = rig.render([[Float](repeating: 0.5, count: Int(25 * time))])
    #expect(abs(20 * log10(Double(output[0].last ?? 0) / 0.5)) < 0.05)
  }

  @Test func `pre-delay, trim and mix apply`() throws {
    let response = noise(3000, seed: 5, decays: true), sound = noise(4000, seed: 6)
    var late = try rig([response], inputs: 1, outputs: 1, rate: 44_100)
    late.set(.preDelay, to: 10)
    late.set(.trim, to: -6)
    #expect(late.tail == 3441)
    let output = late.render([padded(sound, 5000)], blockSize: 100)[0]
    let softer = response.map { $0 * Float(pow(10, -6.0 / 20)) }
    #expect(output[..<441].allSatisfy { $0 == 0 })
    #expect(error(Array(output[441...]), [(sound, softer)]) < -119)
    for mix in [Float(0), 30, 100] {
      var rig = try rig([[0, 1]], inputs: 1, outputs: 1, mix: mix)
      let output = rig.render([[1, 0, 0]])[0], angle = Double(mix) / 200 * .pi
      #expect(abs(output[0] - Float(cos(angle))) < 1e-6 && abs(output[1] - Float(sin(angle))) < 1e-6)
    }
  }

  @Test func `the cuts are 3 dB down at their frequencies`() throws {
    for (parameter, frequency) in [(Convolver.Parameter.lowCut, 200.0), (.highCut, 4000)] {
      var rig = try rig([[1]], inputs: 1, outputs: 1)
      rig.set(parameter, to: Float(frequency))
      let sine = (0..<48_000).map { Float(sin(2 * .pi * frequency * Double($0) / 48_000)) }
      let energy = rig.render([sine])[0][24_000...].reduce(0) { $0 + Double($1) * Double($1) }
      #expect(abs(10 * log10(energy / 12_000) + 3.01) < 0.1)
    }
  }

  @Test func `an invalid sample becomes silence, and does not enter the convolution`() throws {
    let response = noise(10_000, seed: 5, decays: true)
    var sound = noise(2000, seed: 6), bad = sound
    for (index, sample) in [Float.nan, .infinity, 1e30].enumerated() {
      sound[500 + index] = 0
      bad[500 + index] = sample
    }
    var clean = try rig([response], inputs: 1, outputs: 1), dirty = try rig([response], inputs: 1, outputs: 1)
    #expect(clean.render([padded(sound, 11_000)]) == dirty.render([padded(bad, 11_000)]))
  }

  @Test func `partitions cover a response, and each level has time for its work`() {
    for length in [64, 65, 3072, 3073, 24_577, 96_000, 196_609, 2_880_000] {
      var covered = 64
      for (index, span) in Convolution.spans(of: length).enumerated() {
        #expect(span.frames.lowerBound == covered && span.size == 64 << (3 * index))
        #expect(index == 0 || span.frames.lowerBound >= 2 * span.size)
        covered = span.frames.upperBound
      }
      #expect(covered == length)
    }
  }
}
