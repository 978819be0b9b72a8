// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// Delay times that change as on tape.
struct DelayTapeTests {
  private typealias P = Delay.Parameter
  /// The input's growth per frame: its value identifies the frame.
  private let slope: Float = 0x1p-18

  private func rig(time: Float, rate: Double = 48_000, change: Float = 1) throws -> EffectRig<Delay> {
    var rig = try EffectRig<Delay>(Layout(sampleRate: rate, longestBlock: 256, channels: 1))
    let settings: [(Delay.Parameter, Float)] = [
      (.time, time), (.feedback, 0), (.lowPass, 20_000), (.mix, 100), (.change, change),
    ]
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  /// Returns the delay at each frame.
  private func delays(_ rig: inout EffectRig<Delay>, _ frameCount: Int, _ changes: [Change]) -> [Double] {
    let line = (0..<frameCount).map { Float($0) * slope }
    return rig.render([line], changes: changes)[0].enumerated().map { Double($0) - Double($1 / slope) }
  }

  @Test(arguments: [48_000.0, 192_000])
  func `a small step follows a critically damped mass`(rate: Double) throws {
    var rig = try rig(time: 500, rate: rate)
    let at = Int(rate * 0.6), heard = delays(&rig, Int(rate * 1.3), [Change(at: at, 0, to: 505)])
    // `over: 0` applies at once, on tape as well.
    #expect(heard[at - 1] == rate / 2 && heard[at] == 0.505 * rate)
    var glides = try self.rig(time: 500, rate: rate)
    let slow = delays(&glides, Int(rate * 1.3), [Change(at: at, 0, to: 505, over: 1)])
    for frame in at..<slow.count {
      let time = Double(frame + 1 - at) / rate
      let expected = 0.505 * rate - 0.005 * rate * (1 + 20 * time) * exp(-20 * time)
      #expect(abs(slow[frame] - expected) < 0.002 * 0.005 * rate + 0.1)
    }
  }

  @Test(arguments: [(100, 500), (700, 200), (10, 400)] as [(Float, Float)])
  func `while the time glides evenly, the pitch is 1 minus the slope`(from: Float, to: Float) throws {
    var rig = try rig(time: from)
    let frames = 96_000, sine = Signals.sine(440, at: 48_000, 240_000)
    let output = rig.render([sine], changes: [Change(at: 48_000, 0, to: to, over: frames)])[0]
    // From one second into the glide, when its start has died away, for half a second.
    let window = 100_000..<124_000
    var crossings: [Double] = []
    for frame in window where output[frame] <= 0 && output[frame + 1] > 0 {
      crossings.append(Double(frame) - Double(output[frame] / (output[frame + 1] - output[frame])))
    }
    let first = try #require(crossings.first), last = try #require(crossings.last)
    let heard = 48_000 * Double(crossings.count - 1) / (last - first)
    let slope = Double(to - from) * 48 / Double(frames)
    #expect(abs(heard / (440 * (1 - slope)) - 1) < 1e-4)
  }

  @Test(arguments: [(0, 2000), (2000, 0), (1500, 30), (0.02, 300)] as [(Float, Float)])
  func `a far glide bends by at most an octave, arrives on its frame and never overshoots`(
    from: Float, to: Float
  ) throws {
    var rig = try rig(time: from)
    let settled = 120_000, input = Signals.noise(480_000)
    let change = [Change(at: settled, 0, to: to, over: 2400)]
    let heard = delays(&rig, 480_000, change)
    for frame in settled..<480_000 where frame > settled + 4 {
      let speed = (heard[frame] - heard[frame - 4]) / 4
      #expect(speed > -1.02 && speed < 0.52)
      #expect(heard[frame] > Double(min(from, to)) * 48 - 1.1)
      #expect(heard[frame] < Double(max(from, to)) * 48 + 1.1)
    }
    var again = try self.rig(time: from)
    let output = again.render([input], changes: change)[0]
    let frames = max(1, Int((to * 48).rounded()))
    #expect(output[400_000...] == input[(400_000 - frames)..<(480_000 - frames)])
  }

  @Test func `a time that keeps changing, and changes its kind, makes no click`() throws {
    // Tape alone, and crossfades in between.
    for kinds in [[1, 1, 1], [1, 0, 1], [0, 1, 0]] as [[Float]] {
      var rig = try rig(time: 300, change: kinds[0]), changes: [Change] = []
      for step in 0..<200 {
        changes.append(
          Change(at: 24_000 + step * 64, 0, to: 300 + 100 * sin(Float(step) / 20), over: 2400))
        if step == 60 { changes.append(Change(at: 24_000 + step * 64, P.change.rawValue, to: kinds[1])) }
        if step == 90 { changes.append(Change(at: 24_000 + step * 64, P.change.rawValue, to: kinds[2])) }
      }
      let output = rig.render([Signals.sine(110, at: 48_000, 72_000)], changes: changes)[0]
      let omega = 2 * Float.pi * 110 / 48_000
      for frame in 20_000..<72_000 {
        // A sine at up to twice its pitch, and the corner of a fade.
        let bend = abs(output[frame] - 2 * output[frame - 1] + output[frame - 2])
        #expect(bend < 4 * omega * omega + 2 * (1 + 2 * omega) / 2400, "\(kinds) at \(frame)")
      }
    }
  }

  @Test func `the block size does not matter while the pitch bends`() throws {
    let input = [Signals.noise(60_000)]
    let changes = [
      Change(at: 1001, 0, to: 0, over: 2400), Change(at: 12_001, 0, to: 70, over: 100),
      Change(at: 20_003, P.change.rawValue, to: 0), Change(at: 21_500, P.change.rawValue, to: 1),
      Change(at: 21_600, 0, to: 0.02, over: 480),
    ]
    var whole = try rig(time: 100)
    whole.set(.feedback, to: 60)
    let expected = whole.render(input, blockSize: 1024, changes: changes)
    for size in [1, 7, 100] {
      var parts = try rig(time: 100)
      parts.set(.feedback, to: 60)
      #expect(parts.render(input, blockSize: size, changes: changes) == expected)
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"))
  func `a delay with tape and ping-pong passes the conformance suite`() throws {
    let settings: [Conformance<Delay>.Setting] = [
      (P.change.rawValue, 1), (P.pingPong.rawValue, 2), (P.highPass.rawValue, 300), (P.time.rawValue, 30),
    ]
    let findings = try Conformance<Delay>(settings: settings).findings()
    #expect(findings == [])
  }
}
