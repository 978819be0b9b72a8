// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLV2
import CSwiftletRealtime
import SwiftletEffects
import SwiftletSignal
import Testing

@testable import SwiftletLV2Export

/// An exported effect in a host that uses everything that LV2 permits.
struct InstanceTests {
  /// Used instead of `==`, so that a failure does not print thousands of numbers.
  private func same(_ one: [Float], _ other: [Float]) -> Bool { one == other }

  @Test func `a disabled plugin passes its input on, delayed by its latency`() throws {
    let host = try MinimalHost(LatentEffect.self)
    let left = noise(3000), right = noise(3000, seed: 2)
    host.write(left, to: "in_left")
    host.write(right, to: "in_right")
    host["enabled"] = 0
    host["lateness"] = 37
    host.run(3000)
    #expect(host["latency"] == 37)
    #expect(same(host.read("out_left", 3000), [Float](repeating: 0, count: 37) + left.prefix(2963)))
    #expect(same(host.read("out_right", 3000), [Float](repeating: 0, count: 37) + right.prefix(2963)))
  }

  @Test func `enabling and disabling fade for 5 ms, and the effect processes its input meanwhile`() throws {
    let host = try MinimalHost(LatentEffect.self, isMono: true)
    host.write([Float](repeating: 0.5, count: 480), to: "in")
    host["lateness"] = 100
    host.run(480)
    host["enabled"] = 0
    host.run(480)
    var heard = host.read("out", 480)
    #expect(heard[0] < -0.49 && heard[239] == 0.5 && heard[479] == 0.5)
    for (now, next) in zip(heard, heard.dropFirst()) { #expect(next - now < 0.0064) }
    host["enabled"] = 1
    host.run(480)
    heard = host.read("out", 480)
    #expect(heard[0] > 0.49 && heard[239] == -0.5 && heard[479] == -0.5)
  }

  @Test func `a latency change of a disabled plugin fades`() throws {
    let host = try MinimalHost(LatentEffect.self, isMono: true)
    // A ramp: its value gives the delay of the output.
    func play(from start: Int) -> [Float] {
      host.write((0..<480).map { Float(start + $0) / 1000 }, to: "in")
      host.run(480)
      return host.read("out", 480)
    }
    host["enabled"] = 0
    _ = play(from: 1000)
    host["lateness"] = 100
    let heard = play(from: 1480)
    #expect(abs(heard[479] - 1.859) < 1e-5)
    for (now, next) in zip(heard, heard.dropFirst()) { #expect(abs(next - now) < 0.0011) }
  }

  @Test func `any input and any output may share a buffer`() throws {
    let left = noise(2500), right = noise(2500, seed: 2)
    func play(out: (String, String) = ("out_left", "out_right"), _ share: (MinimalHost) -> Void) throws
      -> [[Float]]
    {
      let host = try MinimalHost(LatentEffect.self)
      share(host)
      host.write(left, to: "in_left")
      host.write(right, to: "in_right")
      host.run(2500)
      return [host.read(out.0, 2500), host.read(out.1, 2500)]
    }
    let apart = try play { _ in }
    #expect(same(apart[0], left.map { -$0 }) && same(apart[1], right.map { -$0 }))
    let inPlace = try play { host in
      host.connect(host.port("in_left"), to: host.port("out_left"))
      host.connect(host.port("in_right"), to: host.port("out_right"))
      host.write(left, to: "out_left")
      host.write(right, to: "out_right")
    }
    #expect(same(inPlace[0], apart[0]) && same(inPlace[1], apart[1]))
    let crossed = try play(out: ("in_right", "in_left")) { host in
      host.connect(host.port("out_left"), to: host.port("in_right"))
      host.connect(host.port("out_right"), to: host.port("in_left"))
    }
    #expect(same(crossed[0], apart[0]) && same(crossed[1], apart[1]))
  }

  @Test func `an effect that works in place does so, and crossed buffers are separated`() throws {
    let left = noise(2500), right = noise(2500, seed: 2)
    let host = try MinimalHost(Gain.self)
    host["gain"] = -6
    host.connect(host.port("out_left"), to: host.port("in_right"))
    host.connect(host.port("out_right"), to: host.port("in_left"))
    host.write(left, to: "in_left")
    host.write(right, to: "in_right")
    host.run(2500)
    let factor = Decibels.fader(-6)
    #expect(same(host.read("in_right", 2500), left.map { $0 * factor }))
    #expect(same(host.read("in_left", 2500), right.map { $0 * factor }))
  }

  @Test func `an unconnected input reads as silence, and an unconnected output is not written`() throws {
    let host = try MinimalHost(LatentEffect.self)
    for port in 0..<host.plugin.portCount where port != host.port("in_left") && port != host.port("out_left")
    {
      host.connect(port, to: nil)
    }
    host.connect(-1 & 0xffff, to: nil)
    let left = noise(2500)
    host.write(left, to: "in_left")
    host.run(2500)
    #expect(same(host.read("out_left", 2500), left.map { -$0 }))
  }

  @Test func `long runs are split at 1024 frames, and a run of 0 frames reports the latency`() throws {
    let host = try MinimalHost(LatentEffect.self)
    host["lateness"] = 12
    host.run(0)
    #expect(host["latency"] == 12)
    host.run(8000)
    #expect(host["longest_block"] == 1024)
  }

  @Test func `controls jump before the first run, glide after it, and are clamped to their range`() throws {
    let host = try MinimalHost(LatentEffect.self, isMono: true)
    host.write([Float](repeating: -1, count: 1000), to: "in")
    host["level"] = 0.25
    host.run(100)
    #expect(host.read("out", 100) == [Float](repeating: 0.25, count: 100))
    host["level"] = 7
    host.run(1000)
    let heard = host.read("out", 1000)
    #expect(heard[0] < 0.252 && abs(heard[239] - 0.625) < 1e-5 && heard[479] == 1 && heard[999] == 1)
    host["level"] = .nan
    host["lateness"] = 3.4
    host.run(1000)
    #expect(host.read("out", 1000)[999] == 1 && host["latency"] == 3)
    // After activate() the output starts from silence, and controls jump again.
    host["level"] = 0.5
    host.activate()
    host.run(10)
    #expect(host.read("out", 10) == [0, 0, 0] + [Float](repeating: 0.5, count: 7))
  }

  @Test func `denormals are flushed during a run, and the host's setting is restored`() throws {
    let host = try MinimalHost(Gain.self, isMono: true)
    host.write([.leastNonzeroMagnitude * 1000, 0.5], to: "in")
    let before = rt_flush_denormals()
    rt_restore_denormals(before & ~0x8040)
    host.run(2)
    let after = rt_flush_denormals()
    rt_restore_denormals(before)
    #expect(host.read("out", 2).map(\.bitPattern) == [0, Float(0.5).bitPattern])
    #if arch(x86_64)
      #expect(after & 0x8040 == 0)
    #endif
  }

  @Test func `an unsupported sample rate yields no instance`() throws {
    var exports = PluginExports()
    exports.visit(LatentEffect.self)
    let descriptor = try #require(exports.descriptor(0))
    #expect(descriptor.pointee.instantiate(descriptor, 192_000, "/", nil) == nil)
    #expect(exports.descriptor(2) == nil)
    #expect(String(cString: try #require(exports.descriptor(1)).pointee.URI) == "urn:swiftlet:test:late-mono")
  }
}
