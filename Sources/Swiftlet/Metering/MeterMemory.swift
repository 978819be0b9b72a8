// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLibraryEffects
internal import SwiftletSignal
internal import Synchronization

/// A meter's state between readings, and its measurements outside of the audio thread.
final class MeterMemory: Sendable {
  /// The time in seconds after which a meter without new blocks reads silence; longer than any block.
  private static let timeout = 0.25

  let sink: TapSink
  private let state: Mutex<State>

  private struct State: ~Copyable {
    var reading: Meter.Reading
    /// The time of the last block.
    var time = -Double.infinity
    var holds: [PeakHold], blank: PeakHold
    var measurement: R128Measurement?
    var lostFrames = 0
  }

  init(
    _ sink: TapSink, _ hold: PeakHold = PeakHold(for: 2, falling: 20),
    _ measurement: consuming R128Measurement? = nil
  ) {
    self.sink = sink
    var channel = Meter.Reading.Channel()
    if measurement?.readsTruePeak == true {
      (channel.truePeak, channel.highestTruePeak) = (Meter.Reading.silence, Meter.Reading.silence)
    }
    let channels = Array(repeating: channel, count: sink.channelCount)
    state = Mutex(
      State(
        reading: Meter.Reading(channels: channels), holds: Array(repeating: hold, count: sink.channelCount),
        blank: hold, measurement: measurement))
  }

  /// Measures the sound in the ring. Called by the housekeeping thread and by readers.
  func drain() { state.withLock { drain(&$0) } }

  /// Returns the levels of all sound since the last reading, at a time in seconds.
  func read(at time: Double) -> Meter.Reading {
    state.withLock { state in
      let levels = sink.takeLevels()
      drain(&state)
      let isFresh = levels.contains { $0.frameCount > 0 }
      if isFresh { state.time = time }
      let isSilent = !isFresh && time - state.time > Self.timeout
      for (index, level) in levels.enumerated() where isFresh || isSilent {
        state.reading.channels[index].averagePower = Self.decibels(Double(level.rms))
        state.reading.channels[index].peakPower = Self.decibels(Double(level.peak))
        let truePeak = state.measurement?.takeTruePeak(of: index).map(Self.decibels)
        state.reading.channels[index].truePeak = truePeak
        let highest = state.reading.channels[index].highestTruePeak ?? Meter.Reading.silence
        state.reading.channels[index].highestTruePeak = truePeak.map { max($0, highest) }
      }
      for index in levels.indices {
        // A reading that is returned again must not renew the held peak.
        let peak = isFresh ? Double(state.reading.channels[index].peakPower) : -.infinity
        let held = state.holds[index].take(peak, at: time)
        state.reading.channels[index].heldPeak = max(Float(held), Meter.Reading.silence)
      }
      state.reading.loudness = state.measurement?.loudness.map(Self.loudness)
      state.reading.lostFrames = state.lostFrames
      return state.reading
    }
  }

  func resetPeaks() {
    state.withLock { state in
      for index in state.holds.indices {
        state.holds[index] = state.blank
        if state.reading.channels[index].highestTruePeak != nil {
          state.reading.channels[index].highestTruePeak = Meter.Reading.silence
        }
      }
    }
  }

  func resetLoudness() {
    state.withLock { state in
      drain(&state)
      state.measurement?.startAnew()
    }
  }

  private func drain(_ state: inout State) {
    guard state.measurement != nil else { return }
    sink.drain { run in
      // Frames that never existed, as while the engine stood still, are not lost.
      if run.isLost { return state.lostFrames += run.overrunCount }
      state.measurement?.add(run.count) { run[$0] }
    }
  }

  /// Converts a factor of full scale to dB, clamped to finite values from silence up.
  private static func decibels(_ factor: Double) -> Float {
    Float(
      max(Decibels.level(min(factor, Double(Float.greatestFiniteMagnitude))), Double(Meter.Reading.silence)))
  }

  private static func loudness(_ values: R128Measurement.Loudness) -> Meter.Reading.Loudness {
    func bounded(_ value: Double) -> Float { max(Float(value), Meter.Reading.silence) }
    var loudness = Meter.Reading.Loudness()
    loudness.momentary = bounded(values.momentary)
    loudness.shortTerm = bounded(values.shortTerm)
    loudness.integrated = bounded(values.integrated)
    loudness.range = Float(values.range)
    return loudness
  }
}
