// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// A delay synchronized to the transport's tempo.
struct DelaySyncTests {
  /// Every note's length relative to a whole note, in the order of the choice.
  private static let notes: [Double] = [1, 1.5, 2.0 / 3].flatMap { kind in
    [1, 0.5, 0.25, 0.125, 0.0625, 0.03125].map { $0 * kind }
  }

  private func rig(note: Int, time: Float = 333, tempo: Double, beatUnit: Float = 4) throws -> EffectRig<
    Delay
  > {
    var rig = try EffectRig<Delay>(Layout(sampleRate: 48_000, longestBlock: 256, channels: 1))
    rig.transport = Transport(tempo: tempo, beatUnit: beatUnit)
    let settings: [(Delay.Parameter, Float)] = [
      (.time, time), (.feedback, 0), (.lowPass, 20_000), (.mix, 100), (.sync, Float(note)),
    ]
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  /// Returns the frames at which an impulse is heard.
  private func echoes(_ rig: inout EffectRig<Delay>, _ frameCount: Int = 500_000) -> [Int] {
    let output = rig.render([Signals.impulse(frameCount)])[0]
    return output.indices.filter { output[$0] != 0 }
  }

  @Test(arguments: 1...18) func `the first repeat comes after the note's length`(note: Int) throws {
    for (tempo, beatUnit) in [(120, 4), (97.3, 4), (180, 8), (63, 2)] as [(Double, Float)] {
      var rig = try rig(note: note, tempo: tempo, beatUnit: beatUnit)
      let seconds = 60 / tempo * Double(beatUnit) * Self.notes[note - 1]
      #expect(echoes(&rig) == [Int((seconds * 48_000).rounded())])
    }
  }

  @Test func `the choice names every note length`() throws {
    let choices = Delay.parameters[Delay.Parameter.sync.rawValue].choices.map { "\($0)" }
    #expect(choices.count == 19 && choices[0] == "off")
    #expect(choices[1] == "whole" && choices[6] == "thirty-second")
    #expect(choices[10] == "dotted-eighth" && choices[15] == "quarter-triplet")
  }

  @Test func `a note that is too long is halved until it fits`() throws {
    // A whole note of 24 s, a dotted one of 36 s.
    var whole = try rig(note: 1, tempo: 10), dotted = try rig(note: 7, tempo: 10)
    #expect(echoes(&whole) == [6 * 48_000] && echoes(&dotted) == [9 * 48_000])
  }

  @Test(arguments: [0, -120, 0.5, .nan, .infinity])
  func `without a tempo the delay time applies`(tempo: Double) throws {
    var rig = try rig(note: 3, time: 250, tempo: tempo)
    #expect(echoes(&rig, 50_000) == [12_000])
    var odd = try self.rig(note: 3, tempo: 120, beatUnit: .nan)
    #expect(echoes(&odd, 50_000) == [24_000])
    var fast = try self.rig(note: 3, tempo: 1e9)
    #expect(echoes(&fast, 50_000) == [1])
  }

  @Test func `the delay follows a tempo that starts, changes and ends, and a time set meanwhile`() throws {
    var rig = try rig(note: 4, time: 250, tempo: 0)
    #expect(echoes(&rig, 50_000) == [12_000])
    for (tempo, frames) in [(120.0, 12_000), (100, 14_400), (100, 14_400), (240, 6000)] {
      rig.transport = Transport(isRolling: true, tempo: tempo)
      // The transition, then the final delay.
      _ = rig.render([[Float](repeating: 0, count: 20_000)])
      #expect(echoes(&rig, 50_000) == [frames])
    }
    rig.set(.time, to: 1000)
    #expect(echoes(&rig, 50_000) == [6000])
    rig.transport = Transport()
    _ = rig.render([[Float](repeating: 0, count: 20_000)])
    #expect(echoes(&rig, 100_000) == [48_000])
    rig.transport = Transport(tempo: 240)
    rig.set(.sync, to: 0)
    _ = rig.render([[Float](repeating: 0, count: 20_000)])
    #expect(echoes(&rig, 100_000) == [48_000])
  }

  @Test(arguments: [0, 1] as [Float]) func `a new tempo or note makes no click`(change: Float) throws {
    var rig = try rig(note: 4, tempo: 120), heard: [Float] = []
    rig.set(.change, to: change)
    let sine = Signals.sine(110, at: 48_000, 336_000), note = Delay.Parameter.sync.rawValue
    // Three seconds until the audible part of the delay line is filled.
    for (second, tempo) in [120, 120, 120, 120, 90, 180, 0].enumerated() {
      rig.transport = Transport(tempo: Double(tempo))
      heard +=
        rig.render(
          [Array(sine[second * 48_000..<(second + 1) * 48_000])],
          changes: second < 3 ? [] : [Change(at: 24_000, note, to: Float(second - 1), over: 2400)])[0]
    }
    let omega = 2 * Float.pi * 110 / 48_000
    for frame in 144_000..<336_000 {
      let bend = abs(heard[frame] - 2 * heard[frame - 1] + heard[frame - 2])
      #expect(bend < 4 * (omega * omega + (1 + 2 * omega) / 2400))
    }
  }
}
