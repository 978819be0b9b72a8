// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Synchronization
import Testing

extension LiveTests {
  /// The samples of a block, and its transport.
  private struct ReceivedBlock: Sendable {
    let transport: Transport
    let samples: [Float]
  }

  /// Keeps everything that a sink receives.
  private final class BlockLog: Sendable {
    private let kept = Mutex<[ReceivedBlock]>([])
    var entries: [ReceivedBlock] { kept.withLock { $0 } }

    func attach(to engine: AudioEngine) throws -> AudioNode {
      try engine.attach(
        .sink(channels: 1) { [self] block in
          let input = block.input()[0]
          let entry = ReceivedBlock(transport: block.transport, samples: (0..<input.count).map { input[$0] })
          kept.withLock { $0.append(entry) }
        })
    }
  }

  //   player (a buffer in an endless loop) ──► ear: JACK's transport is relocated, and the player follows
  @Test func `a program's player follows JACK's transport to the frame, through its loops`() throws {
    let engine = try AudioEngine(.jack(name: "live-follower", server: server.name))
    let log = BlockLog(), sink = try log.attach(to: engine)
    let loop = (0..<30_000).map { Float($0 + 1) / 1_048_576 }
    let player = try AudioPlayer(AudioBuffer([loop]), on: engine, to: sink, followsTransport: true)
    try player.loop(.forever)
    try engine.setTransportRole(.follow)
    try player.play()
    for seconds in [2, 5, 1] {
      try engine.locateTransport(to: .seconds(seconds))
      try engine.startTransport()
      #expect(
        soon { engine.transport.isRolling && engine.transport.position > Int64(seconds) * 48_000 + 20_000 })
      try engine.stopTransport()
      #expect(soon { !engine.transport.isRolling })
    }
    engine.close()

    // It fades in over 5 ms, at the start and after a gap that a slow machine caused.
    let fade: Int64 = 241
    var starts: [Int64] = [], rolled = 0, wrong = 0, silent = 0, start: Int64?, faded: Int64 = 0
    for entry in log.entries {
      guard entry.transport.isRolling else {
        start = nil
        continue
      }
      let position = entry.transport.position
      if start == nil { starts.append(position) }
      start = start ?? position
      for (offset, sample) in entry.samples.enumerated() {
        let frame = position + Int64(offset)
        guard frame >= (start ?? 0) + fade else { continue }
        rolled += 1
        let expected = loop[Int(frame % 30_000)]
        if sample == 0 {
          silent += 1
          faded = frame + fade
        } else if frame < faded ? sample < 0 || sample > expected : sample != expected {
          wrong += 1
        }
      }
    }
    #expect(starts == [96_000, 240_000, 48_000])
    #expect(rolled > 50_000 && wrong == 0, "\(wrong) of \(rolled) frames")
    #expect(silent < rolled / 2)
  }

  //   player (a bed, and a word that is scheduled while rolling) ──► ear
  @Test func `an item scheduled while JACK's transport rolls is heard from its first frame`() throws {
    let engine = try AudioEngine(.jack(name: "live-late-word", server: server.name))
    let log = BlockLog(), sink = try log.attach(to: engine)
    let bed = (0..<200_000).map { Float($0 + 1) / 1_048_576 }
    let word = (0..<9600).map { Float($0 + 300_000) / 1_048_576 }
    let player = try PlayerNode(engine, channels: 1, followsTransport: true)
    try engine.connect(player.node, sink)
    try engine.setTransportRole(.follow)
    try player.schedule(.buffer(AudioBuffer([bed])))
    try engine.start()
    try player.play()
    try engine.locateTransport(to: .zero)
    try engine.startTransport()
    #expect(soon { engine.transport.isRolling && engine.transport.position > 24_000 })
    let start = Int(engine.transport.position) + 24_000
    try player.schedule(.buffer(AudioBuffer([word])), at: .frame(Int64(start)), entrance: .interrupts)
    #expect(soon { engine.transport.position > Int64(start) + 24_000 })
    try engine.stopTransport()
    engine.close()

    var found = 0, wrong = 0
    for entry in log.entries where entry.transport.isRolling {
      for (offset, sample) in entry.samples.enumerated() where sample != 0 {
        let frame = Int(entry.transport.position) + offset
        // The bed fades out over 5 ms under the word.
        guard frame > 241, !(start..<start + 240).contains(frame) else { continue }
        let expected = frame < start ? bed[frame] : frame < start + 9600 ? word[frame - start] : 0
        if sample != expected { wrong += 1 }
        if (start + 240..<start + 2400).contains(frame) { found += 1 }
      }
    }
    // Zero where the machine was too slow for a moment.
    #expect(wrong == 0 && found > 1000, "\(wrong) wrong, \(found) of the word's beginning")
  }
}
