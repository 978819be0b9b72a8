// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletControl
package import SwiftletGraph
internal import SwiftletSignal
internal import SwiftletThreads
internal import Synchronization

/// The levels of a session's taps and playback nodes, for the display and for other front ends at the same time. A meter
/// itself serves one reader. Any thread.
package final class SessionLevels: Sendable {
  /// The time that a level for other front ends covers, in seconds.
  private static let window = 0.3

  /// The readings of one meter.
  private struct State {
    /// The levels of each channel since the display last read them.
    var shown: [ChannelLevel]
    /// The latest readings, the levels of all channels together, with their times in seconds.
    var recent: [(time: Double, level: ChannelLevel)] = []
  }

  private let meters: [Meter]
  private let states: Mutex<[State]>

  init(_ session: Session) {
    meters = session.levels.map(\.meter)
    states = Mutex(
      meters.map { State(shown: Array(repeating: .none, count: $0.channelCount)) })
  }

  /// Returns the levels of each channel of a meter since the last call. For the display alone.
  package func take(_ index: Int) -> [ChannelLevel] {
    states.withLock { states in
      read(index, &states[index])
      defer { states[index].shown = states[index].shown.map { _ in .none } }
      return states[index].shown
    }
  }

  /// Returns the level of all channels of a meter in the last 300 ms.
  func recent(_ index: Int) -> ChannelLevel {
    states.withLock { states in
      read(index, &states[index])
      return states[index].recent.reduce(.none) { $0.joined($1.level) }
    }
  }

  private func read(_ index: Int, _ state: inout State) {
    let levels = meters[index].takeLevels(), now = SystemClock.now
    state.shown = zip(state.shown, levels).map { $0.joined($1) }
    state.recent.removeAll { $0.time < now - Self.window }
    state.recent.append((now, levels.reduce(.none) { $0.joined($1) }))
  }
}

extension ChannelLevel {
  /// The level of no sound.
  fileprivate static var none: ChannelLevel { ChannelLevel(peak: 0, rms: 0) }

  /// Returns the level of the sound of both.
  fileprivate func joined(_ other: ChannelLevel) -> ChannelLevel {
    let count = frameCount + other.frameCount
    let energy = rms * rms * Float(frameCount) + other.rms * other.rms * Float(other.frameCount)
    return ChannelLevel(
      peak: max(peak, other.peak), rms: count > 0 ? (energy / Float(count)).squareRoot() : 0,
      frameCount: count)
  }
}

extension SessionLevels {
  /// Returns the values of the meters of a session: `taps.wet.peak`, `desk.rms`.
  func entries(of session: Session) -> [ControlEntry] {
    session.levels.enumerated().flatMap { index, level in
      let name = index < session.manifest.taps.count ? "taps.\(level.name)" : level.name
      return [
        entry("\(name).peak", "The peak of the last 300 ms, in dBFS") { [self] in recent(index).peak },
        entry("\(name).rms", "The RMS level of the last 300 ms, in dBFS") { [self] in recent(index).rms },
      ]
    }
  }

  private func entry(
    _ address: String, _ meaning: String, _ factor: @escaping @Sendable () -> Float
  ) -> ControlEntry {
    ControlEntry(
      ControlAddress(address, .number, unit: WrittenUnit.decibels.rawValue, isMeter: true, meaning: meaning),
      read: {
        let factor = factor()
        guard factor > 0 else { return (.number(-.infinity), "-inf dB") }
        let level = (Decibels.level(Double(factor)) * 10).rounded() / 10
        return (.number(level), Quantity(level, .decibels).description)
      })
  }
}
