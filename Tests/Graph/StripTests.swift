// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// A wire as a channel strip, at rest and while it moves from one value to another.
@Suite struct StripTests {
  /// An input at level n + 1 on channel n, a wire, and an output.
  private struct Strip {
    let rig: Rig
    var sketch = Sketch()
    var wire: Graph.Wire

    init(from source: Int = 1, to destination: Int = 2, _ channels: (Int?, Int?) = (nil, nil)) throws {
      rig = Rig(inputs: [.audio(channels: source)], outputs: [.audio(channels: destination)])
      rig.source = { _, channel, _ in Float(channel + 1) }
      let mic = try sketch.input("mic", 0, .audio(channels: source))
      let output = try sketch.output("desk", 0, .audio(channels: destination))
      wire = Graph.Wire(from: Endpoint(mic, channel: channels.0), to: Endpoint(output, channel: channels.1))
      try sketch.graph.connect(wire)
    }

    mutating func play() throws {
      try sketch.graph.update(wire)
      try rig.play(sketch)
    }

    func levels() -> [Double] { rig.heard[0].map { Double($0.last ?? .nan) } }
  }

  /// Returns the shares of left and right for a mono sound, from the definitions of the pan laws.
  static func shares(_ law: PanLaw, _ x: Double) -> (left: Double, right: Double) {
    let angle = Double.pi / 4 * (1 + x)
    switch law {
    case .constantPower: return (cos(angle), sin(angle))
    case .compromise: return (pow(abs(cos(angle)), 1.5), pow(abs(sin(angle)), 1.5))
    case .linear: return ((1 - x) / 2, (1 + x) / 2)
    case .balance: return (x > 0 ? cos(x * .pi / 2) : 1, x < 0 ? cos(x * .pi / 2) : 1)
    }
  }

  //   mic (1) ──► desk (2)     at 201 positions
  @Test(arguments: PanLaw.allCases) func `the pan law places a mono sound`(law: PanLaw) throws {
    for step in -100...100 {
      var strip = try Strip()
      let x = Double(step) / 100
      (strip.wire.pan, strip.wire.panLaw) = (Float(x), law)
      try strip.play()
      strip.rig.render(1)
      let heard = strip.levels(), wanted = Self.shares(law, x)
      #expect(abs(heard[0] - wanted.left) < 1e-6 && abs(heard[1] - wanted.right) < 1e-6, "at \(x)")
      switch law {
      case .constantPower: #expect(abs(heard[0] * heard[0] + heard[1] * heard[1] - 1) < 1e-6)
      case .linear: #expect(abs(heard[0] + heard[1] - 1) < 1e-6)
      case .compromise, .balance: break
      }
    }
    #expect(abs(20 * log10(Self.shares(.constantPower, 0).left) + 3.01) < 0.01)
    #expect(abs(20 * log10(Self.shares(.compromise, 0).left) + 4.52) < 0.01)
    #expect(abs(20 * log10(Self.shares(.linear, 0).left) + 6.02) < 0.01)
  }

  //   mic (2, 5) ──► desk (2)
  @Test(arguments: PanLaw.allCases)
  func `for a wide sound, panning keeps one side and fades the other`(law: PanLaw) throws {
    for width in [2, 5] {
      for step in stride(from: -100, through: 100, by: 5) {
        var strip = try Strip(from: width)
        let x = Double(step) / 100, centre = Self.shares(law, 0).left
        (strip.wire.pan, strip.wire.panLaw) = (Float(x), law)
        try strip.play()
        strip.rig.render(1)
        let heard = strip.levels(), shares = Self.shares(law, x)
        #expect(abs(heard[0] - min(shares.left / centre, 1)) < 1e-5)
        #expect(abs(heard[1] - 2 * min(shares.right / centre, 1)) < 1e-5)
      }
    }
  }

  //   mic (2) ──► desk (5)    mic (5) ──► desk (1)    mic[3] ──► desk (2)
  @Test func `a wire without pan follows the channel rule`() throws {
    for (source, destination, channels, wanted) in [
      (2, 5, (nil, nil), [1, 2, 0, 0, 0]), (5, 1, (nil, nil), [3]), (5, 2, (2, nil), [3, 3]),
      (1, 2, (nil, nil), [1, 1]),
    ] as [(Int, Int, (Int?, Int?), [Double])] {
      var strip = try Strip(from: source, to: destination, channels)
      try strip.play()
      strip.rig.render(1)
      #expect(strip.levels() == wanted)
    }
  }

  //   mic ──► desk     with trim, fader, phase and mute
  @Test func `trim, fader, phase and mute multiply`() throws {
    for (change, wanted) in [
      ({ $0.volume = 0.25 }, 0.25), ({ $0.volume = 0 }, 0), ({ $0.isInverted = true }, -1),
      ({ $0.isMuted = true }, 0), ({ ($0.trim, $0.gain, $0.isInverted) = (20, -40, true) }, -0.1),
      ({ $0.gain = -119.9 }, 1.0116e-6), ({ $0.gain = -120 }, 0), ({ $0.isSolo = true }, 1),
    ] as [((inout Graph.Wire) -> Void, Double)] {
      var strip = try Strip(to: 1)
      change(&strip.wire)
      try strip.play()
      strip.rig.render(1)
      #expect(abs(strip.levels()[0] - wanted) < 1e-6 * max(abs(wanted), 1e-3))
    }
    var wire = try Strip().wire
    wire.volume = 0.5
    #expect(abs(wire.gain + 6.0206) < 1e-4)
    wire.volume = 0
    #expect(wire.gain == -120 && wire.volume == 0)
    wire.volume = -1
    #expect(wire.gain.isNaN, "which the graph refuses")
  }

  /// Plays 100 frames, changes the wire, plays 5000 more, and returns them all by channel.
  private func heard(_ width: Int, block: Int, _ change: (inout Graph.Wire) -> Void) throws -> [[Float]] {
    var strip = try Strip(to: width)
    try strip.play()
    strip.rig.render(100, block: block)
    change(&strip.wire)
    try strip.play()
    strip.rig.render(5000, block: block)
    return strip.rig.heard[0]
  }

  //   mic ──► desk     from 1 to another value smoothly in 240 frames, or in a straight line in the given glide
  @Test(arguments: [1, 64, 1000])
  func `each step is smooth and each fade a straight line, for any block length`(block: Int) throws {
    for (change, target, length) in [
      ({ $0.isMuted = true }, 0, 240), ({ $0.isInverted = true }, -1, 240), ({ $0.volume = 0.5 }, 0.5, 240),
      ({ ($0.volume, $0.glide) = (0.5, 0.1) }, 0.5, 4800), ({ ($0.volume, $0.glide) = (0, 0) }, 0, 240),
      ({ ($0.trim, $0.glide) = (20, 0.05) }, 10, 2400),
    ] as [((inout Graph.Wire) -> Void, Float, Int)] {
      let heard = try heard(1, block: block, change)[0]
      #expect(heard[..<100] == ArraySlice(repeating: 1, count: 100))
      for elapsed in 1...5000 {
        let way = Float(elapsed) / Float(length), share = length == 240 ? way * way * (3 - 2 * way) : way
        let wanted = elapsed < length ? 1 + (target - 1) * share : target
        let found = heard[99 + elapsed]
        guard abs(found - wanted) <= 1e-6 * abs(target) + 1e-6 else {
          Issue.record("\(found) where \(wanted) is wanted, \(elapsed) frames after it began")
          break
        }
      }
    }
  }

  //   mic (1) ──► desk (2)     from left to right in 100 ms
  @Test(arguments: PanLaw.allCases)
  func `pan moves in a straight line, and follows its law on the way`(law: PanLaw) throws {
    var all: [[[Float]]] = []
    for block in [1, 64, 1000] {
      var strip = try Strip()
      (strip.wire.pan, strip.wire.panLaw, strip.wire.glide) = (-1, law, 0.1)
      try strip.play()
      strip.rig.render(100, block: block)
      strip.wire.pan = 1
      try strip.play()
      strip.rig.render(5000, block: block)
      all.append(strip.rig.heard[0])
    }
    #expect(all[0] == all[1] && all[0] == all[2])
    for elapsed in 0...4900 {
      let wanted = Self.shares(law, min(Double(elapsed) / 4800, 1) * 2 - 1)
      let left = Double(all[0][0][99 + elapsed]), right = Double(all[0][1][99 + elapsed])
      guard abs(left - wanted.left) < 1e-5, abs(right - wanted.right) < 1e-5 else {
        Issue.record("\((left, right)) where \(wanted) is wanted, \(elapsed) frames after it began")
        break
      }
    }
  }

  //   mic ──► desk     fades over a second; is muted and unmuted meanwhile; something else is edited
  @Test(arguments: [1, 64, 1000])
  func `a mute applies at once during a long fade, which continues beneath it`(block: Int) throws {
    var strip = try Strip(to: 1)
    try strip.play()
    strip.rig.render(1000, block: block)
    (strip.wire.volume, strip.wire.glide) = (0, 1)
    try strip.play()
    strip.rig.render(12_000, block: block)
    for (isMuted, frames) in [(true, 6000), (false, 6000)] {
      (strip.wire.isMuted, strip.wire.glide) = (isMuted, 0.005)
      try strip.play()
      strip.rig.render(frames, block: block)
    }
    _ = try strip.sketch.mixer("other")
    try strip.play()
    strip.rig.render(24_000, block: block)
    let heard = strip.rig.heard[0][0]
    func smooth(_ way: Double) -> Double { way * way * (3 - 2 * way) }
    for frame in stride(from: 1000, to: 49_000, by: 7) {
      let fade = Double(49_000 - frame - 1) / 48_000
      let gate: Double =
        switch frame {
        case ..<13_000: 1
        case ..<19_000: 1 - smooth(min(Double(frame - 12_999) / 240, 1))
        default: smooth(min(Double(frame - 18_999) / 240, 1))
        }
      guard abs(Double(heard[frame]) - fade * gate) < 1e-5 else {
        Issue.record("\(heard[frame]) where \(fade * gate) is wanted, at frame \(frame)")
        break
      }
    }
  }

  //   a ──► main ──► desk      the mixer's own gain is lowered
  @Test(arguments: [1, 64, 1000])
  func `a mixer has its own gain, which is no step at 0 dB`(block: Int) throws {
    let rig = Rig()
    var sketch = Sketch()
    let a = try sketch.source("a", Emitter.constant(1)), main = try sketch.mixer("main")
    try sketch.chain(a, main, try sketch.output())
    let before = CaptureProcessor(), after = CaptureProcessor()
    _ = try sketch.tap(main, .before, before)
    _ = try sketch.tap(main, .after, after)
    try rig.play(sketch)
    rig.render(100, block: block)
    #expect(!rig.controller.planText.contains("gain"))
    try sketch.graph.setGain(-20, of: main, over: 0.01)
    try rig.play(sketch)
    rig.render(1000, block: block)
    #expect(rig.controller.planText.contains("gain of main"))
    let heard = rig.heard[0][0]
    for elapsed in 1...480 {
      #expect(abs(heard[99 + elapsed] - (1 - 0.9 * Float(elapsed) / 480)) < 1e-6)
    }
    #expect(abs((after.heard[0].last ?? 0) - 0.1) < 1e-6 && before.heard[0].last == 1)
    try sketch.graph.setGain(0, of: main)
    try rig.play(sketch)
    rig.render(1000, block: block)
    _ = try sketch.mixer("other")
    try rig.play(sketch)
    rig.render(64, block: block)
    #expect(rig.heard[0][0].last == 1 && !rig.controller.planText.contains("gain"))
    #expect(throws: GraphError.notAMixer("a")) { try sketch.graph.setGain(-3, of: a) }
    #expect(throws: GraphError.badGain("main")) { try sketch.graph.setGain(.nan, of: main) }
  }

  //   tone ──► desk     everything changes at once, and again before that is done
  @Test func `simultaneous changes of a strip make no click`() throws {
    let rig = Rig(outputs: [stereo])
    var sketch = Sketch()
    let tone = try sketch.source("tone", Emitter.sine(100)), output = try sketch.output("desk", 0, stereo)
    var wire = try sketch.wire(tone, output)
    try rig.play(sketch)
    rig.render(1000)
    for step in 0..<40 {
      switch step % 5 {
      case 0: wire.isMuted.toggle()
      case 1: wire.isInverted.toggle()
      case 2: wire.pan = [nil, -1, 0.3, 1][step / 5 % 4]
      case 3: wire.panLaw = PanLaw.allCases[step / 5 % 4]
      default: wire.volume = [1, 0, 0.5][step % 3]
      }
      try sketch.graph.update(wire)
      try rig.play(sketch)
      rig.render(step % 3 == 0 ? 100 : 700, block: 50)
    }
    // Fader, mute, pan and law each glide on their own; the inversion moves twice as far.
    for channel in rig.heard[0] { Smoothness(frequency: 100, amplitude: 0.5, fades: 5).expect(channel) }
  }
}
