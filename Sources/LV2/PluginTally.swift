// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// What went wrong with a plugin on the audio thread, which counts; control threads tell.
// @unchecked: counts are atomic, `told` and `last` are touched under `lock`.
final class PluginTally: @unchecked Sendable {
  struct Counts: ~Copyable {
    /// Where the plugin's node reports that there is something to tell.
    let reports: UnsafeMutablePointer<Reporter.Place>
    /// Events for the plugin that found no room in its buffers.
    let lostEvents = Atomic<Int>(0)
    /// Events of the plugin that were not in order, or outside of their block, or cut off.
    let oddEvents = Atomic<Int>(0)
    /// How often its work was not waited for any longer.
    let overdueWork = Atomic<Int>(0)
    /// How often it asked for work from where LV2 does not let it.
    let misplacedWork = Atomic<Int>(0)

    let programChange = PendingProgramChange()

    @_noLocks @_noAllocation func reportProgramChange(_ change: ProgramChange) {
      programChange.put(change)
      reportMatter(.words, at: reports)
    }

    @_noLocks @_noAllocation func lostEvent() {
      lostEvents.add(1, ordering: .relaxed)
      reportMatter(.words, at: reports)
    }

    @_noLocks @_noAllocation func mended(_ count: Int) {
      oddEvents.add(count, ordering: .relaxed)
      reportMatter(.words, at: reports)
    }

    @_noLocks @_noAllocation func stoppedWaiting() {
      overdueWork.add(1, ordering: .relaxed)
      reportMatter(.words, at: reports)
    }

    /// The plugin reported a property, which waits to be read.
    @_noLocks @_noAllocation func reportedProperty() { reportMatter(.words, at: reports) }

    @_noLocks @_noAllocation func refusedWork() {
      misplacedWork.add(1, ordering: .relaxed)
      reportMatter(.words, at: reports)
    }
  }

  /// Where the audio thread counts.
  let counts: UnsafeMutablePointer<Counts>
  private let reporter: Reporter
  private let lock = ControlLock()
  private var told = (lost: 0, odd: 0, overdue: 0, misplaced: 0)
  private var last: ContinuousClock.Instant?
  /// What has happened to the process of an isolated plugin.
  private var processNews: [ProcessNews] = []

  /// A plugin that sins in every block is named now and then, not two hundred times a second.
  private static let pause = Duration.seconds(10)

  init(_ reporter: Reporter) {
    self.reporter = reporter
    counts = .allocate(capacity: 1)
    counts.initialize(to: Counts(reports: reporter.place))
  }

  deinit {
    counts.deinitialize(count: 1)
    counts.deallocate()
  }

  /// Adds what has happened to the process of an isolated plugin. Control thread.
  func tell(_ news: ProcessNews) {
    lock.locked { processNews.append(news) }
    reporter.report(.words)
  }

  /// What has happened to the process since the last call, oldest first. Control thread.
  func takeProcessNews() -> [ProcessNews] {
    lock.locked {
      defer { processNews = [] }
      return processNews
    }
  }

  /// What is new since it was told last, each as the end of a sentence that begins with the plugin's name.
  func take() -> [String] {
    lock.locked {
      let now = (
        lost: counts.pointee.lostEvents.load(ordering: .relaxed),
        odd: counts.pointee.oddEvents.load(ordering: .relaxed),
        overdue: counts.pointee.overdueWork.load(ordering: .relaxed),
        misplaced: counts.pointee.misplacedWork.load(ordering: .relaxed)
      )
      guard now != told else { return [] }
      if let last, ContinuousClock.now - last < Self.pause {
        // Not forgotten: it is asked again.
        reporter.report(.words)
        return []
      }
      last = .now
      defer { told = now }
      var faults: [String] = []
      if now.lost > told.lost {
        faults.append("was sent more events than its buffers hold: \(now.lost - told.lost) were lost")
      }
      if now.odd > told.odd {
        faults.append(
          "sent \(now.odd - told.odd) events out of order, outside of their block or cut off: they were mended"
        )
      }
      if now.overdue > told.overdue {
        faults.append("does not finish its work: it is not waited for, and the next render may differ")
      }
      if now.misplaced > told.misplaced {
        faults.append("asks for work while it works, which LV2 forbids: it was refused")
      }
      return faults
    }
  }
}
