// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Synchronization
import Testing

/// The lifetime of events and observations, neither of which keeps an engine alive.
@Suite struct EventLifetimeTests {
  /// A weak reference to an engine.
  private struct Reference { weak var engine: AudioEngine? }

  /// Counts the clamped values among an engine's events.
  private final class Counter: Sendable {
    private let count = Mutex(0)
    var now: Int { count.withLock { $0 } }
    func add(_ event: EngineEvent) { if case .clamped = event { count.withLock { $0 += 1 } } }
  }

  private static func makeEngine() throws -> AudioEngine {
    try AudioEngine(.offline(sampleRate: 8000, longestBlock: 500))
  }

  /// Makes the engine send one event, a clamped value.
  private static func clamp(_ engine: AudioEngine) throws {
    let gain = try engine.attach(.effect("gain"))
    try gain.set("gain", to: 1000)
  }

  /// An engine without other references, and a task that reads its events until the engine is released or closed.
  private func read(closes: Bool) async throws -> (Reference, Task<Int, Never>) {
    let engine = try Self.makeEngine()
    let task = Task { [events = engine.events] in
      var count = 0
      for await event in events { if case .clamped = event { count += 1 } }
      return count
    }
    try Self.clamp(engine)
    if closes {
      engine.close()
      #expect(await task.value == 1)
      for await event in engine.events { Issue.record("a closed engine sent \(event)") }
    }
    return (Reference(engine: engine), task)
  }

  @Test(.timeLimit(.minutes(20)))
  func `a task that reads events does not keep the engine alive, and ends with it`() async throws {
    let (reference, task) = try await read(closes: false)
    #expect(reference.engine == nil)
    #expect(await task.value == 1)
  }

  @Test(.timeLimit(.minutes(20)))
  func `a task that reads events ends when the engine is closed`() async throws {
    let (reference, task) = try await read(closes: true)
    #expect(reference.engine == nil)
    #expect(await task.value == 1)
  }

  @Test func `a released observation receives no more events`() throws {
    let engine = try Self.makeEngine(), counter = Counter()
    try withExtendedLifetime(engine.observe { event in counter.add(event) }) { try Self.clamp(engine) }
    #expect(counter.now == 1)
    try Self.clamp(engine)
    #expect(counter.now == 1)
  }

  @Test func `an observation does not keep the engine alive`() throws {
    func observe() throws -> (Reference, EventObservation) {
      let engine = try Self.makeEngine()
      return (Reference(engine: engine), engine.observe { _ in })
    }
    let (reference, observation) = try observe()
    #expect(reference.engine == nil)
    // Nothing is left to end.
    observation.cancel()
  }

  @Test func `an observer that captures the engine keeps it alive until its token is released`() throws {
    func observe() throws -> (Reference, EventObservation) {
      let engine = try Self.makeEngine()
      return (Reference(engine: engine), engine.observe { _ in engine.pause() })
    }
    func check() throws -> Reference {
      let (reference, observation) = try observe()
      withExtendedLifetime(observation) { #expect(reference.engine != nil) }
      return reference
    }
    #expect(try check().engine == nil)
  }

  @Test func `an observer may release its own observation`() throws {
    let engine = try Self.makeEngine(), counter = Counter()
    let token = Mutex<EventObservation?>(nil)
    func observe() -> EventObservation {
      engine.observe { event in
        counter.add(event)
        token.withLock { $0 = nil }
      }
    }
    token.withLock { $0 = observe() }
    for _ in 0..<2 { try Self.clamp(engine) }
    #expect(counter.now == 1)
  }

  @Test func `an observer that owns another observation ends it with its own`() throws {
    let engine = try Self.makeEngine(), counter = Counter()
    func observe() -> EventObservation {
      let owned = engine.observe { event in counter.add(event) }
      return engine.observe { _ in withExtendedLifetime(owned) {} }
    }
    // A lock held while the outer observer is released would be taken again by the inner one.
    try withExtendedLifetime(observe()) { try Self.clamp(engine) }
    #expect(counter.now == 1)
    try Self.clamp(engine)
    #expect(counter.now == 1)
  }
}
