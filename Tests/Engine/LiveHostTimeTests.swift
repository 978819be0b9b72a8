// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Synchronization
import Testing

extension LiveTests {
  //  node, other ──► desk
  @Test func `playback scheduled at a host time begins on the frame of that time`() throws {
    let engine = try AudioEngine(.jack(name: "live-clock", server: server.name))
    let output = try engine.attach(.playback(channels: 1))
    let node = try PlayerNode(engine, channels: 1)
    try engine.connect(node.node, output)
    try engine.start()
    #expect(soon { engine.now.seconds > 0.1 })
    let click = AudioBuffer([[Float](repeating: 0.1, count: 480)])
    let begun = Mutex<[Int64]>([])
    // The lead of the frames over the clock. A thread suspended between both readings sees too small a lead.
    func offset(of clock: ContinuousClock.Instant) -> Double {
      (0..<200).map { _ in
        let frame = engine.now.frame
        defer { usleep(500) }
        return Double(frame) - (ContinuousClock.now - clock).seconds * 48_000
      }.max() ?? 0
    }
    let zero = ContinuousClock.now, ahead = offset(of: zero)
    let times = [Duration.milliseconds(600), .milliseconds(900)]
    for time in times {
      try node.schedule(.buffer(click), at: .host(zero + time)) { event in
        if event.kind == .began { begun.withLock { $0.append(event.time.frame) } }
      }
    }
    try node.play()
    let other = try PlayerNode(engine, channels: 1)
    try engine.connect(other.node, output)
    try other.schedule(.buffer(click)) { event in
      if event.kind == .began { begun.withLock { $0.append(event.time.frame) } }
    }
    try other.play(at: zero + .milliseconds(1200))
    #expect(soon { begun.withLock { $0.count } == 3 })
    engine.close()
    for (frame, time) in zip(begun.withLock { $0 }, times + [.milliseconds(1200)]) {
      // The clock estimate is at most one period old, and frames are counted at the start of a period.
      #expect(abs(Double(frame) - ahead - time.seconds * 48_000) <= 2 * 256, "\(frame), \(ahead)")
    }
  }

  @Test func `the current time and a tap's times carry host times`() throws {
    let engine = try AudioEngine(.jack(name: "live-host-time", server: server.name))
    let output = try engine.attach(.playback(channels: 1))
    let sine = try engine.attach(.source(channels: 1) { _ in })
    try engine.connect(sine, output)
    #expect(engine.now.hostTime == nil)
    let times = Mutex<[(AudioTime, ContinuousClock.Instant)]>([])
    let tap = try engine.installTap(on: sine, bufferSize: 480) { _, time in
      times.withLock { $0.append((time, .now)) }
    }
    try engine.start()
    #expect(soon { times.withLock { $0.count } >= 100 })
    let now = engine.now, clock = ContinuousClock.now
    try engine.removeTap(tap)
    engine.close()
    // The next frames are due within a few periods of 256 frames.
    let ahead = try #require(now.hostTime) - clock
    #expect(abs(ahead.seconds) < 0.1)
    // The host times of all buffers lie on one line. The median ignores suspended threads.
    let known = times.withLock { $0 }
    let zero = try #require(known.first?.0.hostTime)
    let errors = try known.map { time, heard in
      let host = try #require(time.hostTime)
      #expect(host <= heard + .milliseconds(100))
      return (host - zero).seconds - Double(time.frame - known[0].0.frame) / 48_000
    }.sorted()
    let middle = errors[errors.count / 2]
    #expect(errors.filter { abs($0 - middle) < 2 * 256 / 48_000 }.count > errors.count * 9 / 10, "\(errors)")
  }
}
