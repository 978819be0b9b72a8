// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// Restarting an isolated plugin after its process has failed.
extension PluginProcessor {
  /// The number of failures within `failuresCountFor` that are followed by a restart at once. Before the next restart
  /// the wait is 1 s, and each further failure doubles it, up to 32 s.
  private static let failuresWithoutDelay = 3
  private static let failuresCountFor = Duration.seconds(60)

  /// Has the plugin restarted when this body's process fails.
  func scheduleRestart(of body: PluginBody) {
    guard let child = body.child else { return }
    child.process.monitor.whenFailed(child.plugin) { [weak self] mayHaveFailed in
      guard let self else { return }
      if mayHaveFailed { bodies.withLock { $0.isApart = true } }
      PluginRestarter.shared.mend(self, in: self.noteFailure())
    }
  }

  /// Records a failure; returns the wait before the plugin is restarted.
  private func noteFailure() -> Duration {
    bodies.withLock { bodies in
      let now = ContinuousClock.now
      bodies.failures = bodies.failures.filter { now - $0 < Self.failuresCountFor } + [now]
      let surplus = bodies.failures.count - Self.failuresWithoutDelay
      return surplus > 0 ? .seconds(1 << min(surplus - 1, 5)) : .zero
    }
  }

  /// Creates a new body with the last state, the properties and the current parameters, and has the audio thread
  /// crossfade to it. Called on the thread of ``PluginRestarter``.
  ///
  /// - Returns: The wait before the next attempt; nil if the body was created or is not needed.
  func mend() -> Duration? {
    changeLock.locked {
      guard finishRefit(isPlaying: { true }) else { return .milliseconds(20) }
      let old = body
      guard old.child?.process.monitor.hasFailed == true else { return nil }
      do throws(PluginError) {
        let (states, program, assigned, isApart) = bodies.withLock {
          ($0.states, $0.program, $0.assigned, $0.isApart)
        }
        var layout = old.layout
        if isApart { layout.isolation?.process = nil }
        let new = try PluginBody(
          old.model, in: world, layout, old.guarantee, instanceCount: old.instances.count, continuing: old)
        if let first = states.first {
          _ = new.restore(
            new.instances.indices.map { states.indices.contains($0) ? states[$0] : first }, within: 1000)
        }
        new.set(old.values)
        new.assign(assigned)
        new.activate()
        // The parameters are current; those of the program may have been changed since.
        if let program, new.select(program, within: 1000) != nil { new.set(old.values) }
        offer(new) { bodies in
          for change in bodies.assigned where !assigned.contains(change) { new.post(change) }
        }
        faults.add(.restarted)
        return nil
      } catch {
        faults.add(.notRestarted(error.reason))
        return noteFailure() + .seconds(1)
      }
    }
  }

  /// Frees the failed body once only the new one is heard. Called on the thread of ``PluginRestarter``.
  func finishMending() {
    Waiting.until(every: .milliseconds(20), within: .seconds(1)) { finishRefit(isPlaying: { true }) }
    freeSpent()
  }
}

/// Restarts failed plugins one after the other, on a thread of its own, since each restart may take a while.
final class PluginRestarter: Sendable {
  static let shared = PluginRestarter()

  private struct Job: Sendable {
    weak var processor: PluginProcessor?
    var due: ContinuousClock.Instant
  }

  private let jobs = Monitor<[Job]>([])

  private init() {
    startThread("swiftlet-repair") { [self] in
      while true { work() }
    }
  }

  /// Schedules a restart of a plugin after `time`.
  func mend(_ processor: PluginProcessor, in time: Duration) {
    jobs.change { $0.append(Job(processor: processor, due: .now + time)) }
  }

  private func work() {
    let first = jobs.value.map(\.due).min()
    jobs.wait(within: first.map { $0 - .now }) { jobs in
      jobs.contains { $0.due <= .now } || jobs.map(\.due).min() != first
    }
    let due = jobs.change { jobs in
      let due = jobs.filter { $0.due <= .now }
      jobs.removeAll { $0.due <= .now }
      return due
    }
    for job in due {
      guard let processor = job.processor else { continue }
      if let pause = processor.mend() {
        mend(processor, in: pause)
      } else {
        processor.finishMending()
      }
    }
  }
}
