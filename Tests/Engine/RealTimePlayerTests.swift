// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletProbe
import Foundation
import SwiftletTesting
import Synchronization
import Testing

@testable import Swiftlet

extension RealTimeTests {
  //   player ─► main ─► desk     with a schedule that is edited continuously
  @Test func `a player with a schedule makes no runtime calls on the audio thread`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 256))
    let player = try PlayerNode(engine)
    try engine.connect(player.node, engine.attach(.playback(channels: 2), name: "desk"))
    try engine.start()
    let rig = RealTimeRig(engine.core.withLock { $0.controller })
    let log = EventLog()
    let sounds = [10, 700, 5000].map { AudioBuffer([[Float](repeating: 0.1, count: $0)]) }
    rig.start()
    var random = SeededGenerator(seed: 4), rounds = 0
    let deadline = ContinuousClock.now + .seconds(120)
    while rig.cycles.load(ordering: .relaxed) < 6000 || rounds < 600, ContinuousClock.now < deadline {
      rounds += 1
      let entrance: PlayerItem.Entrance = [.waits, .overlaps, .interrupts, .interruptsAtLoop][random.below(4)]
      let time: [PlayerItem.Time?] = [
        nil, nil, .frame(player.scheduler.time + Int64(random.below(500))), .engine(engine.now), .beat(4),
      ]
      // While the transport has no tempo, beats are refused.
      _ = try? player.schedule(
        .buffer(sounds[random.below(3)], loop: random.below(4) == 0 ? .forever : .times(1 + random.below(3))),
        at: time[random.below(5)], entrance: entrance, crossfade: .milliseconds(random.below(3) * 5),
        onEvent: log.add)
      try player.play()
      switch random.below(12) {
      case 0: player.pause()
      case 1: player.clear()
      case 2: try? player.seek(to: random.below(4000))
      case 3: try player.setStretch(Stretch(speed: [0.5, 1, 2][random.below(3)]))
      case 4: try player.node.set("gain", to: Float(random.below(20)) - 20)
      case 5: try player.play(at: engine.now + .milliseconds(random.below(20)))
      default: break
      }
      for _ in 0..<4 {
        engine.tick()
        usleep(500)
      }
    }
    let counts = rig.stop()
    #expect(counts.retains == 0 && counts.releases == 0 && counts.allocations == 0, "\(counts)")
    #expect(counts.accesses == 0 && counts.onces == 0, "\(counts)")
    let heard = log.all.count { if case .playedBack = $0.kind { true } else { false } }
    #expect(heard > 100 && log.all.count > 400, "\(heard) of \(log.all.count)")
  }
}
