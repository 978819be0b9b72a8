// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Synchronization
import Testing

extension LiveTests {
  /// Makes one block of a source take 30 ms on request.
  private final class Delay: Sendable {
    let isDue = Atomic(false)

    func pass() {
      guard isDue.exchange(false, ordering: .relaxed) else { return }
      let end = ContinuousClock.now + .milliseconds(30)
      while ContinuousClock.now < end {}
    }
  }

  /// Returns the first report of an xrun that fulfils a condition.
  private func xrun(
    in events: AsyncStream<EngineEvent>, where isWanted: (_ share: Double) -> Bool
  ) async -> (share: Double, slowest: [String], microseconds: Double)? {
    for await event in events {
      if case .xrun(_, let share, let slowest, let microseconds) = event, isWanted(share) {
        return (share, slowest, microseconds)
      }
    }
    return nil
  }

  @Test func `an xrun is attributed to the engine whose cycle was too long, and to no other`() async throws {
    let late = try AudioEngine(client: "live-late", server: server.name)
    let punctual = try AudioEngine(client: "live-punctual", server: server.name)
    defer {
      late.close()
      punctual.close()
    }
    let delay = Delay()
    let slow = try late.attachSource(channels: 1, name: "slow") { _ in delay.pass() }
    try late.connect(slow, to: late.mainOutput)
    try punctual.connect(punctual.mainInput, to: punctual.mainOutput)
    let (ours, others) = (late.events, punctual.events)
    try late.start()
    try punctual.start()
    try await Task.sleep(for: .milliseconds(200))
    delay.isDue.store(true, ordering: .relaxed)
    let blamed = try #require(await xrun(in: ours) { $0 >= 1 })
    // A period of 256 frames at 48 kHz lasts 5.33 ms.
    #expect(blamed.share >= 30 / 5.34)
    #expect(blamed.slowest == ["slow"])
    #expect(blamed.microseconds >= 30_000)
    let unblamed = try #require(await xrun(in: others) { $0 < 1 })
    #expect(unblamed.slowest.isEmpty && unblamed.microseconds == 0)
  }
}
