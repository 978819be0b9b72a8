// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// One composition, rendered in every way that needs no server, gives the same bits.
@Suite struct ShowTests {
  @Test(arguments: [1, 64, 1000])
  func `an export equals the engine's render, in blocks of any size`(block: Int) async throws {
    let show = try Show()
    let wanted = try await show.export()
    // Both tracks are complete.
    #expect(wanted.count == 2 && wanted[0].count == Show.frameCount)
    let end = wanted[0].dropFirst(4 * Show.rate)
    #expect(wanted[0][Show.rate] != 0 && end.contains { $0.magnitude > 0.01 })
    let (engine, _, output, _) = try show.makeEngine(
      .offline(sampleRate: Double(Show.rate), longestBlock: block))
    var heard: [[Float]] = [[], []]
    while heard[0].count < Show.frameCount {
      let rendered = try #require(try engine.render(min(block, Show.frameCount - heard[0].count))[output])
      for channel in 0..<2 { heard[channel] += rendered[channel] }
    }
    expectSame(heard, wanted, "blocks of \(block)")
  }
}
