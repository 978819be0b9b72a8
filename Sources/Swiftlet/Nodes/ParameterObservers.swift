// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// The streams that observe parameters: each gets the newest value, at most 30 times a second.
struct ParameterObservers {
  private struct Observer {
    let node: NodeID, number: Int, initial: Float
    var last: Float
    var next: ContinuousClock.Instant
    let yield: @Sendable (Float) -> Void
    let finish: @Sendable () -> Void
  }

  private static let interval = Duration.milliseconds(33)
  private var observers: [Int: Observer] = [:], count = 0

  var isEmpty: Bool { observers.isEmpty }

  /// Adds an observer that has seen the value `last`.
  ///
  /// - Returns: the number to remove it by.
  mutating func add(
    _ node: NodeID, _ number: Int, initially initial: Float, last: Float,
    yield: @escaping @Sendable (Float) -> Void, finish: @escaping @Sendable () -> Void
  ) -> Int {
    count += 1
    observers[count] = Observer(
      node: node, number: number, initial: initial, last: last, next: .now + Self.interval, yield: yield,
      finish: finish)
    return count
  }

  mutating func remove(_ number: Int) { observers[number] = nil }

  /// Returns the closures to call outside of the engine's lock: for values that changed, and for streams whose node
  /// has been removed.
  ///
  /// - Parameter value: returns the value of a parameter; nil if the node has been removed.
  mutating func due(
    at now: ContinuousClock.Instant, value: (NodeID, Int, Float) -> Float?
  ) -> [@Sendable () -> Void] {
    var calls: [@Sendable () -> Void] = []
    for (key, observer) in observers where now >= observer.next {
      guard let current = value(observer.node, observer.number, observer.initial) else {
        observers[key] = nil
        calls.append(observer.finish)
        continue
      }
      guard current != observer.last else { continue }
      observers[key]?.last = current
      observers[key]?.next = now + Self.interval
      let yield = observer.yield
      calls.append { yield(current) }
    }
    return calls
  }

  /// Removes all observers and returns the closures that end their streams.
  mutating func endAll() -> [@Sendable () -> Void] {
    defer { observers = [:] }
    return observers.values.map(\.finish)
  }
}

extension AudioEngine {
  /// Returns a stream of a parameter's target value, now and after each change.
  func changes<Value: Sendable>(
    of number: Int, of node: NodeID, initially initial: Float, _ value: @escaping @Sendable (Float) -> Value
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let key = core.withLock { core -> Int? in
      guard !isClosed, let record = core.records[node] else { return nil }
      let now = record.values[number] ?? initial
      continuation.yield(value(now))
      return core.observers.add(
        node, number, initially: initial, last: now, yield: { continuation.yield(value($0)) },
        finish: { continuation.finish() })
    }
    guard let key else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.core.withLock { $0.observers.remove(key) } }
    return stream
  }

  /// Calls the observers of parameters that have changed, outside of every lock.
  func notifyObservers() {
    let calls = core.withLock { core -> [@Sendable () -> Void] in
      guard !core.observers.isEmpty else { return [] }
      guard !isClosed else { return core.observers.endAll() }
      let records = core.records
      return core.observers.due(at: .now) { node, number, initial in
        records[node].map { $0.values[number] ?? initial }
      }
    }
    for call in calls { call() }
  }
}
