// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Synchronization
import Testing

extension LiveTests {
  @Test func `the category determines the ports and their connections`() throws {
    let engine = try AudioEngine(.jack(name: "category", server: server.name))
    let reasons = Mutex<[RouteChange.Reason]>([])
    let refused = Mutex<[PortConnection]>([])
    let observation = engine.observe { event in
      if case .routeChange(let change, _) = event { reasons.withLock { $0.append(change.reason) } }
      if case .server(.refused(let connection)) = event { refused.withLock { $0.append(connection) } }
    }
    defer { observation.cancel() }
    let jackClient = try #require(engine.jackClient)
    func ports() throws -> [String] {
      try jackClient.ports().map(\.name).filter { $0.hasPrefix("category:") }.sorted()
    }
    func ends(_ port: String) throws -> [String] { try jackClient.connections(of: "category:" + port) }

    try engine.setSession(AudioSession(.playback))
    let mic = try engine.attach(.capture(channels: 1), name: "mic")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    let named = try engine.attach(
      .playback(channels: 1, connect: .ports(["system:playback_2"])), name: "named")
    try engine.connect(mic, output)
    try engine.connect(mic, named)
    try engine.start()
    #expect(try ports() == ["category:desk_1", "category:desk_2", "category:named"])
    #expect(try ends("desk_1") == ["system:playback_1"])
    #expect(soon { engine.now.seconds > 0.1 })

    try engine.setSession(AudioSession(.record))
    #expect(try ports() == ["category:mic"])
    #expect(try ends("mic") == ["system:capture_1"])
    #expect(soon { reasons.withLock { $0.contains(.categoryChange) } })

    try engine.setSession(AudioSession(.playAndRecord))
    #expect(try ports().count == 4)
    #expect(try ends("desk_1") == ["system:playback_1"] && ends("named") == ["system:playback_2"])

    // The category limits which rules apply to ports that are registered again.
    try engine.setSession(AudioSession(.record))
    try engine.setSession(AudioSession(.multiRoute))
    #expect(try ends("desk_1").isEmpty && ends("named") == ["system:playback_2"])
    try engine.setSession(AudioSession(.record))
    try engine.setSession(AudioSession(.audioProcessing))
    #expect(try ends("desk_1").isEmpty && ends("named").isEmpty)
    // Sound plays throughout.
    let now = engine.now.frame
    #expect(soon { engine.now.frame > now + 4800 })
    // A node without ports has no connections to refuse.
    #expect(refused.withLock { $0 } == [])
    try engine.detach(named)
    #expect(soon { (try? ports()) == ["category:desk_1", "category:desk_2", "category:mic"] })
    engine.close()
  }
}
