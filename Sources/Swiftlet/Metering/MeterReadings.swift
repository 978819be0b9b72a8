// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A sequence of a meter's readings, one in each interval.
struct MeterReadings: AsyncSequence, Sendable {
  typealias Element = Meter.Reading
  typealias Failure = Never

  private let interval: Duration
  private let memory: MeterMemory
  /// Returns the engine; nil once the meter has been removed.
  private let engine: @Sendable () -> AudioEngine?

  init(
    every interval: Duration, of memory: MeterMemory, in engine: @escaping @Sendable () -> AudioEngine?
  ) {
    self.interval = Swift.min(Swift.max(interval, .milliseconds(1)), .seconds(86_400))
    self.memory = memory
    self.engine = engine
  }

  func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Waits for each reading.
  struct Iterator: AsyncIteratorProtocol {
    private let readings: MeterReadings
    private var due = ContinuousClock.now
    private var isOver = false

    init(_ readings: MeterReadings) { self.readings = readings }

    /// Returns the next reading when it is due; nil once the meter is removed or the task is cancelled.
    mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Meter.Reading? {
      guard !isOver else { return nil }
      // A late reader does not get the missed readings in a burst.
      due = Swift.max(due + readings.interval, .now)
      while !isOver {
        guard let engine = readings.engine() else { break }
        if due <= .now { return readings.memory.read(at: engine.meterTime) }
        _ = consume engine
        // Sleeps for at most 1 s, so that the end of the engine is noticed within 1 s.
        let wake = Swift.min(due, .now + .seconds(1))
        do { try await Task.sleep(until: wake, clock: .continuous) } catch { break }
      }
      isOver = true
      return nil
    }
  }
}
