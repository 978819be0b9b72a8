// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// Counts a plugin's faults on the audio thread; control threads report them.
// @unchecked: counters are atomic; `reported` and `last` are accessed under `lock`.
final class PluginFaultCounters: @unchecked Sendable {
  struct Counts: ~Copyable {
    /// The plugin node's entry in the report list.
    let reports: UnsafeMutablePointer<Reporter.Slot>
    /// The number of events that did not fit in the plugin's input buffers.
    let lostEvents = Atomic<Int>(0)
    /// The faults of the plugin's events so far: the bit with the number of each ``EventFault``.
    let eventFaults = Atomic<Int>(0)
    /// The number of times that the wait for the plugin's work timed out.
    let overdueWork = Atomic<Int>(0)
    /// The number of times that the plugin scheduled work from a context where LV2 forbids it.
    let forbiddenWork = Atomic<Int>(0)

    let programChange = PendingProgramChange()

    @_noLocks @_noAllocation func reportProgramChange(_ change: ProgramChange) {
      programChange.put(change)
      reportMatter(.words, at: reports)
    }

    @_noLocks @_noAllocation func lostEvent() {
      lostEvents.add(1, ordering: .relaxed)
      reportMatter(.words, at: reports)
    }

    @_noLocks @_noAllocation func noteEvents(_ fault: EventFault) {
      let change = eventFaults.bitwiseOr(fault.bit, ordering: .relaxed)
      if change.oldValue != change.newValue { reportMatter(.words, at: reports) }
    }

    @_noLocks @_noAllocation func countOverdueWork() {
      overdueWork.add(1, ordering: .relaxed)
      reportMatter(.words, at: reports)
    }

    /// Reports that the plugin sent a property value, which waits to be read.
    @_noLocks @_noAllocation func reportedProperty() { reportMatter(.words, at: reports) }

    @_noLocks @_noAllocation func countRefusedWork() {
      forbiddenWork.add(1, ordering: .relaxed)
      reportMatter(.words, at: reports)
    }
  }

  /// The counters that the audio thread increments.
  let counts: UnsafeMutablePointer<Counts>
  private let reporter: Reporter
  private let lock = ControlLock()
  private var reported = (lost: 0, overdue: 0, refused: 0)
  private var reportedEventFaults = 0
  private var last: ContinuousClock.Instant?
  /// The events of an isolated plugin's process.
  private var processEvents: [PluginProcessEvent] = []

  /// The minimum time between two reports, for a plugin with a fault in every block.
  private static let pause = Duration.seconds(10)

  init(_ reporter: Reporter) {
    self.reporter = reporter
    counts = .allocate(capacity: 1)
    counts.initialize(to: Counts(reports: reporter.slot))
  }

  deinit {
    counts.deinitialize(count: 1)
    counts.deallocate()
  }

  /// Adds an event of an isolated plugin's process. Control thread.
  func add(_ event: PluginProcessEvent) {
    lock.locked { processEvents.append(event) }
    reporter.report(.words)
  }

  /// Returns the events of the process since the last call, oldest first. Control thread.
  func takeProcessEvents() -> [PluginProcessEvent] {
    lock.locked {
      defer { processEvents = [] }
      return processEvents
    }
  }

  /// Returns the faults of the plugin's events, each once, phrased to follow the plugin's name.
  func takeEventFaults() -> [String] {
    lock.locked {
      let new = counts.pointee.eventFaults.load(ordering: .relaxed) & ~reportedEventFaults
      reportedEventFaults |= new
      return EventFault.allCases.filter { new & 1 << $0.rawValue != 0 }.map(\.words)
    }
  }

  /// Returns the faults since the last report, each phrased to follow the plugin's name.
  func take() -> [String] {
    lock.locked {
      let now = (
        lost: counts.pointee.lostEvents.load(ordering: .relaxed),
        overdue: counts.pointee.overdueWork.load(ordering: .relaxed),
        refused: counts.pointee.forbiddenWork.load(ordering: .relaxed)
      )
      guard now != reported else { return [] }
      if let last, ContinuousClock.now - last < Self.pause {
        // The counts are kept, and this is called again.
        reporter.report(.words)
        return []
      }
      last = .now
      defer { reported = now }
      var faults: [String] = []
      if now.lost > reported.lost {
        faults.append("was sent more events than its buffers hold: \(now.lost - reported.lost) were lost")
      }
      if now.overdue > reported.overdue {
        faults.append(
          "does not finish its scheduled work; the host no longer waits for it, so the next render may differ"
        )
      }
      if now.refused > reported.refused {
        faults.append("schedules work from within 'work', which LV2 forbids; the request was refused")
      }
      return faults
    }
  }
}
