// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// What kept a file from being read ahead in time.
@nonexhaustive public enum UnderrunCause: Sendable, CaseIterable {
  /// The thread that reads ahead was ready to run, and other threads had the processor.
  case processor
  /// It waited for the disk.
  case disk
  /// It decoded, converted and stretched without a pause.
  case decoding
}

/// Finds out why sources run dry, from what the thread that reads ahead does with its time.
final class PrefetchWatch: Sendable {
  private struct State {
    /// The last laps, not much longer than what is read ahead of a stretched file.
    var laps: [ThreadLap] = []
    /// The clock of the thread in the lap that has not ended.
    var clock: ThreadClock?
    /// How often sources ran dry for each cause.
    var counts: [UnderrunCause: Int] = [:]
  }
  private let state = Mutex(State())
  /// How many seconds before an underrun count for its cause.
  private static let window = 0.3

  /// The cause of most underruns; nil where there was none, or no cause could be told.
  var mainCause: UnderrunCause? {
    state.withLock { state in
      // The first of those that are level.
      UnderrunCause.allCases.reversed().filter { state.counts[$0] != nil }
        .max { state.counts[$0, default: 0] < state.counts[$1, default: 0] }
    }
  }

  /// The cause so far of a lap that has not ended. A file that is read more slowly than it plays may keep the thread for
  /// ever, as does a disk that hangs.
  var unfinishedCause: UnderrunCause? {
    state.withLock { state in state.clock.flatMap { Self.cause([$0.lapSoFar]) } }
  }

  /// Notes that the thread begins a lap.
  func begin(_ clock: ThreadClock) { state.withLock { $0.clock = clock } }

  /// Takes down a lap of the thread, and how often sources have run dry in it.
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

  /// What took most of the time in some laps; nil where the system does not tell how long the thread waited.
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
