// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Why a file was not read ahead in time.
@nonexhaustive public enum UnderrunCause: Sendable, CaseIterable {
  /// The prefetch thread was ready to run, but other threads had the processor.
  case processor
  /// The prefetch thread waited for the disk.
  case disk
  /// The prefetch thread decoded, converted and stretched without a pause.
  case decoding
}

/// Determines why sources run dry, from how the prefetch thread spends its time.
final class PrefetchWatch: Sendable {
  private struct State {
    /// The last laps, which cover little more than the lead of a stretched file.
    var laps: [ThreadLap] = []
    /// The thread's clock in the current lap.
    var clock: ThreadClock?
    /// The number of underruns for each cause.
    var counts: [UnderrunCause: Int] = [:]
  }
  private let state = Mutex(State())
  /// The number of seconds before an underrun that determine its cause.
  private static let window = 0.3

  /// The cause of most underruns; nil if there was none, or no cause could be determined.
  var mainCause: UnderrunCause? {
    state.withLock { state in
      // If counts are equal, the first cause wins.
      UnderrunCause.allCases.reversed().filter { state.counts[$0] != nil }
        .max { state.counts[$0, default: 0] < state.counts[$1, default: 0] }
    }
  }

  /// The cause so far of the current lap. A lap may never end: if a file is read more slowly than it plays, or if the
  /// disk hangs.
  var unfinishedCause: UnderrunCause? {
    state.withLock { state in state.clock.flatMap { Self.cause([$0.lapSoFar]) } }
  }

  /// Records that the thread begins a lap.
  func begin(_ clock: ThreadClock) { state.withLock { $0.clock = clock } }

  /// Records a lap of the thread and the number of underruns in it.
  func note(_ lap: ThreadLap, underruns: Int) {
    state.withLock { state in
      state.laps.append(lap)
      var seconds = state.laps.reduce(0) { $0 + $1.seconds }
      while let first = state.laps.first, seconds - first.seconds > Self.window {
        seconds -= first.seconds
        state.laps.removeFirst()
      }
      guard underruns > 0, let cause = Self.cause(state.laps) else { return }
      state.counts[cause, default: 0] += underruns
    }
  }

  /// Returns what took most of the time of some laps; nil if the system does not report how long the thread waited for
  /// a processor.
  private static func cause(_ laps: [ThreadLap]) -> UnderrunCause? {
    var processor = 0.0, disk = 0.0, decoding = 0.0
    for lap in laps {
      guard let waiting = lap.waiting else { return nil }
      processor += waiting
      decoding += lap.working
      disk += max(lap.seconds - lap.sleeping - lap.working - waiting, 0)
    }
    if processor >= disk, processor >= decoding { return .processor }
    return disk >= decoding ? .disk : .decoding
  }
}
