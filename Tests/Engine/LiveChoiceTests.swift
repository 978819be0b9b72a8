// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Synchronization
import Testing

extension LiveTests {
  //   sine ──► desk ──► headphones, or the sound card
  @Test func `sound goes to the headphones while present, and otherwise to the loudspeaker`() throws {
    let headphones = try Headphones(on: server.name)
    defer { headphones.close() }
    let engine = try AudioEngine(.jack(name: "choice", server: server.name))
    defer { engine.close() }
    let changes = Mutex<[(change: RouteChange, paused: [String])]>([])
    let refused = Mutex<[PortConnection]>([])
    let observation = engine.observe { event in
      if case .server(.refused(let connection)) = event { refused.withLock { $0.append(connection) } }
      guard case .routeChange(let change, let paused) = event else { return }
      changes.withLock { $0.append((change, paused)) }
    }
    defer { observation.cancel() }
    let song = FileManager.default.temporaryDirectory.appending(path: "swiftlet-choice-\(UUID()).wav").path
    defer { try? FileManager.default.removeItem(atPath: song) }
    let writer = try AudioFileWriter(
      song, format: RecordingFormat(path: song), sampleRate: 48_000, channelCount: 2)
    try writer.write([[Float]](repeating: [Float](repeating: 0.1, count: 48_000 * 60), count: 2))
    try writer.close()
    let player = try engine.attach(.player(song), name: "song")
    let rule = ConnectionRule.firstOf([.ports(["headphones"]), .physical(from: 1)])
    let output = try engine.attach(.playback(channels: 2, connect: rule), name: "desk")
    try engine.connect(player, output)
    try engine.start()
    let card: Set = ["system:playback_1", "system:playback_2"]
    let phones: Set = ["headphones:left", "headphones:right"]
    func heard() -> Set<String> { engine.currentRoute?.physicalOutputs ?? [] }
    #expect(soon { heard() == card })
    for _ in 0..<2 {
      changes.withLock { $0 = [] }
      headphones.plugIn()
      #expect(soon { heard() == phones }, "\(heard())")
      #expect(
        soon {
          changes.withLock {
            $0.contains {
              $0.change.reason == .newDeviceAvailable && $0.change.previous.physicalOutputs == card
                && $0.change.current.physicalOutputs == phones
            }
          }
        })
      // Longer than the period in which the engine may mistake its own disconnection for an unplugged device.
      usleep(400_000)
      headphones.unplug()
      #expect(soon { heard() == card }, "\(heard())")
      #expect(soon { changes.withLock { $0.contains { $0.change.reason == .oldDeviceUnavailable } } })
      let loss = changes.withLock { $0.first { $0.change.reason == .oldDeviceUnavailable } }
      #expect(
        loss?.change.nodesWithAlternatives == ["desk"] && loss?.change.previous.physicalOutputs == phones)
      #expect(loss?.change.current.physicalOutputs == card)
      // The program chose where sound goes, so no pause is required.
      #expect(loss?.paused == [] && loss?.change.losesOutput == false)
      #expect(player.isPlaying)
    }
    #expect(changes.withLock { !$0.contains { $0.change.reason == .override } })
    // Manual changes are kept: connections that a user removed stay removed, and those that a user made stay.
    let jackClient = try #require(engine.jackClient)
    try jackClient.disconnect(PortConnection(from: "choice:desk_2", to: "system:playback_2"))
    #expect(soon { changes.withLock { $0.contains { $0.change.reason == .override } } })
    try jackClient.connect(PortConnection(from: "choice:desk_2", to: "system:playback_1"))
    #expect(soon { engine.currentRoute?.outputs.count == 2 })
    headphones.plugIn()
    #expect(soon { heard() == phones.union(["system:playback_1"]) }, "\(heard())")
    headphones.unplug()
    #expect(soon { heard() == ["system:playback_1"] }, "\(heard())")
    usleep(400_000)
    let links = engine.currentRoute?.outputs.map { "\($0.channel) \($0.port.name)" }
    #expect(links == ["0 system:playback_1", "1 system:playback_1"])
    #expect(refused.withLock { $0 } == [])
  }

  @Test func `a connection pulled from the headphones stays removed, and the loudspeaker plays on`() throws {
    let headphones = try Headphones(on: server.name)
    defer { headphones.close() }
    headphones.plugIn()
    let engine = try AudioEngine(.jack(name: "pulled", server: server.name))
    defer { engine.close() }
    let changes = Mutex<[RouteChange]>([])
    let observation = engine.observe { event in
      if case .routeChange(let change, _) = event { changes.withLock { $0.append(change) } }
    }
    defer { observation.cancel() }
    let rule = ConnectionRule.firstOf([.ports(["headphones"]), .physical(from: 1)])
    _ = try engine.attach(.playback(channels: 2, connect: rule), name: "desk")
    try engine.start()
    func heard() -> Set<String> { engine.currentRoute?.physicalOutputs ?? [] }
    func lastChange(_ reason: RouteChange.Reason) -> RouteChange? {
      changes.withLock { $0.last { $0.reason == reason } }
    }
    #expect(soon { heard() == ["headphones:left", "headphones:right"] })
    let jackClient = try #require(engine.jackClient)
    for (channel, side) in [(1, "left"), (2, "right")] {
      try jackClient.disconnect(PortConnection(from: "pulled:desk_\(channel)", to: "headphones:\(side)"))
    }
    #expect(soon { lastChange(.override)?.current.outputs == [] })
    headphones.unplug()
    let card: Set = ["system:playback_1", "system:playback_2"]
    #expect(soon { heard() == card })
    #expect(soon { lastChange(.oldDeviceUnavailable)?.nodesWithAlternatives == ["desk"] })
    headphones.plugIn()
    // By then the rule has been followed.
    #expect(soon { lastChange(.newDeviceAvailable) != nil })
    #expect(heard() == card && lastChange(.newDeviceAvailable)?.nodesWithAlternatives == [])
  }

  @Test func `an output node without another port loses its route`() throws {
    let headphones = try Headphones(on: server.name)
    defer { headphones.close() }
    headphones.plugIn()
    let engine = try AudioEngine(.jack(name: "nothing-else", server: server.name))
    defer { engine.close() }
    let losses = Mutex<[RouteChange]>([])
    let observation = engine.observe { event in
      guard case .routeChange(let change, _) = event, change.reason == .oldDeviceUnavailable else { return }
      losses.withLock { $0.append(change) }
    }
    defer { observation.cancel() }
    let rule = ConnectionRule.firstOf([.ports(["headphones"]), .ports(["nobody"])])
    _ = try engine.attach(.playback(channels: 2, connect: rule), name: "desk")
    try engine.start()
    #expect(soon { engine.currentRoute?.outputChannels == 2 })
    // Long enough for the engine to have evaluated the first route.
    usleep(200_000)
    headphones.unplug()
    #expect(soon { losses.withLock { !$0.isEmpty } })
    #expect(
      losses.withLock { $0.first?.losesOutput } == true
        && losses.withLock { $0.first?.nodesWithAlternatives } == [])
    #expect(losses.withLock { $0.first?.current.outputs } == [])
  }

  @Test func `rules reach the session's ports only, and more after the session adds ports`() throws {
    let engine = try AudioEngine(.jack(name: "reach", server: server.name))
    defer { engine.close() }
    try engine.setSession(AudioSession(.playAndRecord, ports: [.pattern("system:playback_.*")]))
    let mic = try engine.attach(.capture(channels: 1), name: "mic")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(mic, output)
    try engine.start()
    let jackClient = try #require(engine.jackClient)
    #expect(try jackClient.connections(of: "reach:desk_2") == ["system:playback_2"])
    #expect(try jackClient.connections(of: "reach:mic").isEmpty)
    let byHand = PortConnection(from: "system:capture_2", to: "reach:mic")
    try jackClient.connect(byHand)
    #expect(soon { (try? jackClient.connections(of: "reach:mic")) == ["system:capture_2"] })
    // No existing connection is removed, and newly allowed ones are made.
    try engine.setSession(AudioSession(.playAndRecord, ports: [.physical]))
    #expect(try jackClient.connections(of: "reach:mic").sorted() == ["system:capture_1", "system:capture_2"])

    #expect(throws: EngineError.self) { try engine.setSession(AudioSession(ports: [.pattern("(")])) }
    #expect(engine.session?.ports == [.physical])
    let contradiction = AudioSession(.playback, options: [.mixWithOthers, .exclusive])
    do {
      try engine.setSession(contradiction)
      Issue.record("it was taken")
    } catch {
      guard case .session(.mixesAlone(.exclusive)) = error else { throw error }
      #expect("\(error)" == "'mix-with-others' and 'exclusive' contradict each other; leave one of them out")
    }
    #expect(engine.session?.category == .playAndRecord)
  }
}
