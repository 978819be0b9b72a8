// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

@testable import SwiftletManifest

/// Shipped manifests in an engine without a server: what they do is heard.
@Suite struct `Manifests that play` {
  static let sampleRate = 48_000.0

  /// What comes out of the last node while `signal` goes into the first, with only some of the wires.
  func played(
    _ name: String, _ frameCount: Int, without leftOut: (String, String)? = nil, signal: (Int) -> Float
  ) throws -> [[Float]] {
    var manifest = try `Shipped manifests`.text(name).check()
    if let leftOut {
      let names = manifest.nodes.map(\.name)
      manifest.wires.removeAll { names[$0.from.node] == leftOut.0 && names[$0.to.node] == leftOut.1 }
    }
    let engine = try AudioEngine(.offline(sampleRate: Self.sampleRate, longestBlock: 256))
    let nodes = try manifest.attach(to: engine)
    try engine.start()
    var frame = 0
    var output: [[Float]] = [[], []]
    let desk = try #require(nodes.last)
    while frame < frameCount {
      try engine.render(256) { _, _, samples in
        for index in 0..<samples.count { samples[index] = signal(frame + index) }
      } deliver: { node, channel, samples in
        guard node == desk else { return }
        for index in 0..<samples.count { output[channel].append(samples[index]) }
      }
      frame += 256
    }
    return output
  }

  @Test(arguments: ["ear-return", "guitar", "parallel", "vocal"])
  func `each sounds, and stays whole`(name: String) throws {
    // A voice of sorts: a tone that comes and goes.
    let output = try played(name, 96_000) { frame in
      let time = Float(frame) / 48_000
      return 0.3 * sinf(2 * .pi * 220 * time) * (sinf(2 * .pi * 2 * time) > 0 ? 1 : 0.05)
    }
    for channel in output {
      #expect(channel.allSatisfy { $0.isFinite })
      let peak = channel.map(abs).max() ?? 0
      #expect((0.01...4).contains(peak), "\(peak)")
    }
  }

  @Test func `a synth without keys is silent and whole`() throws {
    let output = try played("synth", 24_000) { _ in 0 }
    #expect(output.allSatisfy { $0.allSatisfy { $0.isFinite } })
  }

  //   mic ─┬──────────────────────► main ──► desk
  //        └──► press ──► limit ─────┘
  @Test func `two paths of different latency meet to the sample`() throws {
    let click: (Int) -> Float = { $0 == 4800 ? 0.5 : 0 }
    let both = try played("parallel", 9600, signal: click)[0]
    let late = try played("parallel", 9600, without: ("mic", "main"), signal: click)[0]
    let straight = zip(both, late).map { $0 - $1 }
    func peak(_ samples: [Float]) -> Int { samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } ?? 0 }
    // The limiter looks ahead, so the late path is late; the straight path waits for it.
    #expect(peak(late) > 4800 + 16)
    #expect(peak(straight) == peak(late))
    #expect(abs(straight[peak(straight)] - 0.5) < 1e-4)
  }
}
