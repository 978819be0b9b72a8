// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletProbe
import Foundation
import Synchronization
import Testing

@testable import Swiftlet

extension RealTimeTests {
  //   mic ─► main ─► desk      six meters, read by three threads, and others that are added and removed
  @Test func `meters make no runtime calls on the audio thread, whatever they measure`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 256))
    let mic = try engine.attach(.capture(channels: 2), name: "mic")
    let main = try engine.attach(.mixer(channels: 2), name: "main")
    try engine.connect(mic, main, engine.attach(.playback(channels: 2), name: "desk"))
    let all: Set<Meter.Measure> = [.truePeak, .loudness]
    let meters = try [mic, main].flatMap { node in
      try [[], [.truePeak], all].map { try engine.installMeter(on: node, $0) }
    }
    try engine.start()
    let rig = RealTimeRig(engine.core.withLock { $0.controller })
    rig.start()
    let readers = Readers()
    // Dedicated threads, since those of a queue may all be busy.
    for number in 1...3 {
      Thread.detachNewThread {
        while !readers.isOver.load(ordering: .relaxed) {
          for meter in meters { readers.readings.add(meter.read().channels.count, ordering: .relaxed) }
          if number == 1 { meters[2].resetLoudness() }
          usleep(500)
        }
        readers.count.subtract(1, ordering: .releasing)
      }
    }
    func isEnough() -> Bool {
      rig.cycles.load(ordering: .relaxed) > 5000 && readers.readings.load(ordering: .relaxed) > 1000
    }
    let deadline = ContinuousClock.now + .seconds(120)
    while !isEnough(), ContinuousClock.now < deadline {
      for measures in [[], all] {
        let extra = try? engine.installMeter(on: main, measures)
        for _ in 0..<5 {
          engine.tick()
          usleep(1000)
        }
        extra?.remove()
      }
    }
    readers.isOver.store(true, ordering: .relaxed)
    while readers.count.load(ordering: .acquiring) > 0 { usleep(1000) }
    #expect(isEnough())
    let counts = rig.stop()
    #expect(counts.retains == 0 && counts.releases == 0 && counts.allocations == 0, "\(counts)")
    #expect(counts.accesses == 0 && counts.onces == 0, "\(counts)")
    // The input node has noise at a tenth of full scale.
    for meter in meters { #expect(isNear(meter.read().channels[1].heldPeak, -20, within: 0.5)) }
    #expect(meters[5].read().loudness.map { $0.integrated > -40 } ?? false)
  }
}

/// State shared between the threads that read meters and the one that waits for them.
private final class Readers: Sendable {
  let isOver = Atomic(false), readings = Atomic(0), count = Atomic(3)
}
