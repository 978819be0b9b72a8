// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A meter's readings, one every so often.
struct MeterReadings: AsyncSequence, Sendable {
  typealias Element = Meter.Reading
  typealias Failure = Never

  private let interval: Duration
  private let memory: MeterMemory
  /// The engine, for as long as the meter is in it.
  private let engine: @Sendable () -> AudioEngine?

  init(
    every interval: Duration, of memory: MeterMemory, in engine: @escaping @Sendable () -> AudioEngine?
  ) {
    self.interval = Swift.min(Swift.max(interval, .milliseconds(1)), .seconds(86_400))
    self.memory = memory
    self.engine = engine
  }

  func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Waits for one reading after the other.
  struct Iterator: AsyncIteratorProtocol {
    private let readings: MeterReadings
    private var due = ContinuousClock.now
    private var isOver = false

    init(_ readings: MeterReadings) { self.readings = readings }

    /// The next reading when its time has come; nil once the meter has gone or the task is cancelled.
    mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Meter.Reading? {
      guard !isOver else { return nil }
      // Who comes late is not given in a burst what was missed.
      due = Swift.max(due + readings.interval, .now)
      while !isOver {
        guard let engine = readings.engine() else { break }
        if due <= .now { return readings.memory.read(at: engine.meterTime) }
        _ = consume engine
        // At most a second at once: so long may a sleep outlast whoever cancelled it.
        let wake = Swift.min(due, .now + .seconds(1))
        do { try await Task.sleep(until: wake, clock: .continuous) } catch { break }
      }
      isOver = true
      return nil
    }
  }
}
