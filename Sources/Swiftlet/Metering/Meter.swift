// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph
internal import SwiftletLibraryEffects
internal import Synchronization

/// Measures the level of a bus of any node: players, mixers, inputs and outputs included.
///
/// ```swift
/// let meter = try engine.installMeter(on: player, [.loudness])
/// for await reading in meter.readings(every: .milliseconds(66)) {
///   show(reading.channels.map(\.averagePower), reading.loudness?.shortTerm)
/// }
/// ```
///
/// A reading covers the sound since the previous reading of the same meter. Two readers therefore need a meter each;
/// a bus may have any number. All functions may be called from any thread but the audio thread. A meter keeps its
/// engine alive.
public struct Meter: Sendable {
  /// A measurement besides peak and average. It runs on another thread; the audio thread only copies the bus into a
  /// ring buffer.
  @nonexhaustive public enum Measure: Sendable {
    /// The true peak between samples, by ITU-R BS.1770: sound below 96 kHz is oversampled four times, below 192 kHz
    /// twice.
    case truePeak
    /// Loudness by EBU R 128.
    case loudness
  }

  let id: TapID
  let memory: MeterMemory
  private let engine: AudioEngine

  init(_ id: TapID, _ sink: TapSink, _ engine: AudioEngine) {
    self.init(id, MeterMemory(sink), engine)
  }

  init(_ id: TapID, _ memory: MeterMemory, _ engine: AudioEngine) {
    self.id = id
    self.memory = memory
    self.engine = engine
  }

  var sink: TapSink { memory.sink }

  /// The number of channels of the bus.
  public var channelCount: Int { sink.channelCount }

  /// Returns the levels of all sound since the last reading.
  ///
  /// If no block has been rendered since, the last reading is returned again, so a reader may be faster than the
  /// period. After a quarter of a second without a block, the reading is silence; offline, time is that of the sound.
  public func read() -> Meter.Reading { memory.read(at: engine.meterTime) }

  /// Returns a sequence of readings, one in each interval. It ends when the meter is removed or its engine is closed
  /// or deallocated.
  ///
  /// The task that awaits the next reading sleeps until it is due: there is no timer and no background task. A slow
  /// reader skips the readings that it is late for, and a task that is cancelled gets nil at once. The sequence does
  /// not keep the engine alive; it ends at most a second after the engine is deallocated.
  ///
  /// - Parameter interval: from 1 ms to a day; a value outside is clamped.
  public func readings(every interval: Duration) -> some AsyncSequence<Meter.Reading, Never> & Sendable {
    MeterReadings(every: interval, of: memory) { [weak engine = engine, id] in
      engine.flatMap { $0.hasMeter(id) ? $0 : nil }
    }
  }

  /// Resets the held peaks and the highest true peaks. Peaks count again from the next reading on.
  public func resetPeaks() { memory.resetPeaks() }

  /// Restarts the loudness measurement.
  public func resetLoudness() { memory.resetLoudness() }

  /// Returns the peak and RMS of each channel since they were last taken or the meter was last read, as factors of
  /// full scale. One caller at a time, and not during ``read()``.
  package func takeLevels() -> [ChannelLevel] { sink.takeLevels() }

  /// Removes the meter. A second call does nothing.
  public func remove() {
    try? engine.core.withLock { core throws(EngineError) in try core.remove(id) }
  }
}
