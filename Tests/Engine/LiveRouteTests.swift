// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Synchronization
import Testing

extension LiveTests {
  //  song ──► desk ──► headphones
  @Test func `unplugged headphones pause the player, and the event reports the former route`() throws {
    let song = FileManager.default.temporaryDirectory.appending(path: "swiftlet-song-\(UUID()).wav").path
    defer { try? FileManager.default.removeItem(atPath: song) }
    let writer = try AudioFileWriter(
      song, format: RecordingFormat(path: song), sampleRate: 48_000, channelCount: 1)
    try writer.write([[Float](repeating: 0.25, count: 48_000 * 60)])
    try writer.close()

    let headphones = try Headphones(on: server.name)
    headphones.plugIn()
    let engine = try AudioEngine(.jack(name: "route", server: server.name))
    let changes = Mutex<[(RouteChange, paused: [String])]>([])
    let observation = engine.observe { event in
      guard case .routeChange(let change, let paused) = event else { return }
      changes.withLock { $0.append((change, paused)) }
    }
    defer { observation.cancel() }
    func lastChange(_ reason: RouteChange.Reason) -> (RouteChange, paused: [String])? {
      changes.withLock { $0.last { $0.0.reason == reason } }
    }
    let player = try engine.attach(.player(song), name: "song")
    let output = try engine.attach(.playback(channels: 2, connect: .ports(["headphones"])), name: "desk")
    try engine.connect(player, output)
    // A note that repeats every quarter note.
    let score = song.replacing(".wav", with: ".mid")
    defer { try? FileManager.default.removeItem(atPath: score) }
    let track: [UInt8] = [0, 0x90, 60, 100, 0x60, 0x80, 60, 0, 0, 0xFF, 0x2F, 0]
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 0x60]
    let bytes = Array("MThd".utf8) + head + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track
    try Data(bytes).write(to: URL(filePath: score))
    _ = try engine.attach(.midiPlayer(score, loop: .forever), name: "keys")
    try engine.start()
    #expect(soon { player.isPlaying && engine.now.seconds > 0.1 })
    #expect(
      engine.currentRoute?.outputs.map { "\($0.node) \($0.channel) \($0.port.name)" } == [
        "desk 0 headphones:left", "desk 1 headphones:right",
      ])
    let uuids = Set(engine.currentRoute?.outputs.map(\.port.uuid) ?? [])
    #expect(uuids.count == 2 && !uuids.contains(""))

    headphones.unplug()
    #expect(soon { lastChange(.oldDeviceUnavailable) != nil })
    let (loss, paused) = try #require(lastChange(.oldDeviceUnavailable))
    #expect(loss.losesOutput)
    #expect(loss.previous.physicalOutputs == ["headphones:left", "headphones:right"])
    #expect(loss.current.outputs.isEmpty)
    #expect(paused == ["song", "keys"] && engine.pausedPlayers == ["song", "keys"])
    #expect(!player.isPlaying && engine.isRunning)

    headphones.plugIn()
    #expect(soon { lastChange(.newDeviceAvailable)?.0.current.physicalOutputs.count == 2 })
    #expect(!player.isPlaying)
    #expect(engine.resumePlayers() == ["song", "keys"])
    #expect(player.isPlaying && engine.pausedPlayers.isEmpty)

    // A manual change of connections is kept, and pauses nothing.
    let jackClient = try #require(engine.jackClient)
    try jackClient.disconnect(PortConnection(from: "route:desk_1", to: "headphones:left"))
    #expect(soon { lastChange(.override)?.0.current.outputs.count == 1 })
    #expect(player.isPlaying)
    try jackClient.setBlockLength(512)
    #expect(soon { lastChange(.configurationChange)?.0.current.period == 512 })

    // A player that the program pauses is not resumed, nor is one that opts out.
    engine.pausesOnRouteLoss = false
    headphones.unplug()
    #expect(soon { lastChange(.oldDeviceUnavailable)?.0.previous.outputs.count == 1 })
    #expect(player.isPlaying)
    engine.close()
    headphones.close()
  }

  @Test func `an output node without a physical port is reported`() throws {
    let engine = try AudioEngine(.jack(name: "nowhere", server: server.name))
    let reasons = Mutex<[RouteChange.Reason]>([])
    let observation = engine.observe { event in
      if case .routeChange(let change, _) = event { reasons.withLock { $0.append(change.reason) } }
    }
    defer { observation.cancel() }
    _ = try engine.attach(.playback(channels: 2, connect: .physical(from: 900)), name: "desk")
    try engine.start()
    #expect(soon { reasons.withLock { $0.contains(.noSuitableRoute) } })
    engine.close()
  }

  //  system:capture_1 ──► ear ──► desk ──► system:playback_1
  @Test func `a route names the physical ports, and its changes are a sequence`() async throws {
    let engine = try AudioEngine(.jack(name: "sockets", server: server.name))
    let input = try engine.attach(.capture(channels: 1), name: "ear")
    let output = try engine.attach(.playback(channels: 1, connect: .physical(from: 2)), name: "desk")
    try engine.connect(input, output)
    let changes = engine.routeChanges
    try engine.start()
    #expect(soon { engine.currentRoute?.physicalInputs == ["system:capture_1"] })
    #expect(soon { engine.currentRoute?.physicalOutputs == ["system:playback_2"] })
    let jackClient = try #require(engine.jackClient)
    try jackClient.disconnect(PortConnection(from: "system:capture_1", to: "sockets:ear"))
    for await change in changes where change.reason == .override {
      #expect(change.previous.physicalInputs == ["system:capture_1"] && change.current.physicalInputs.isEmpty)
      #expect(change.current.physicalOutputs == ["system:playback_2"])
      break
    }
    engine.close()
  }
}
