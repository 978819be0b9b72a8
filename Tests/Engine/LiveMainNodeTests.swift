// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletJack
import Testing

extension LiveTests {
  @Test func `main nodes get their ports when they are connected, or when the engine starts`() throws {
    let engine = try AudioEngine(client: "live-main", server: server.name)
    defer { engine.close() }
    let jackClient = try #require(engine.jackClient)
    func ports() throws -> [String] { try jackClient.ports(matching: "live-main:.*").map(\.name).sorted() }
    let input = engine.mainInput, output = engine.mainOutput
    #expect(try ports().isEmpty)
    try engine.connect(input, to: engine.attach(Gain.self, channels: 1))
    #expect(try ports() == ["live-main:main-input"])
    try engine.start()
    #expect(
      try ports() == ["live-main:main-input", "live-main:main-output_1", "live-main:main-output_2"])
    try engine.connect(input, to: engine.mainMixer)
    #expect(engine.wire(from: engine.mainMixer, to: output) != nil)
    engine.stop()
    #expect(try ports().count == 3)
  }
}
