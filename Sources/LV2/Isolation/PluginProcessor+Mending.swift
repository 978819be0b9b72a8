// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// How an isolated plugin is started anew after its process has failed.
extension PluginProcessor {
  /// After so many failures within the time that they count, each further one is waited for twice as long.
  private static let freeFailures = 3
  private static let failuresCountFor = Duration.seconds(60)

  /// Has the plugin started anew when the process of this body fails.
  func mendAfterFailure(of body: PluginBody) {
    guard let child = body.child else { return }
    child.process.warden.whenFailed(child.seat) { [weak self] isToBlame in
      guard let self else { return }
      if isToBlame { bodies.withLock { $0.isApart = true } }
      PluginMender.shared.mend(self, in: self.noteFailure())
    }
  }

  /// How long to wait before the plugin is started anew, after one more failure.
  private func noteFailure() -> Duration {
    bodies.withLock { bodies in
      let now = ContinuousClock.now
      bodies.failures = bodies.failures.filter { now - $0 < Self.failuresCountFor } + [now]
      let surplus = bodies.failures.count - Self.freeFailures
      return surplus > 0 ? .seconds(1 << min(surplus - 1, 5)) : .zero
    }
  }

  /// Makes the plugin anew, with the state that it was given last, its properties and its parameters as they stand, and has
  /// the audio thread crossfade to it. The mender's thread.
  ///
  /// - Returns: when to try again; nil if it is made, or needs not be.
  func mend() -> Duration? {
    world.turn.locked {
      guard finishRefit(isPlaying: { true }) else { return .milliseconds(20) }
      let old = body
      guard old.child?.process.warden.hasFailed == true else { return nil }
      do throws(PluginError) {
        let (states, assigned, isApart) = bodies.withLock { ($0.states, $0.assigned, $0.isApart) }
        var layout = old.layout
        if isApart { layout.isolation?.process = nil }
        let new = try world.lock.locked { () throws(PluginError) in
          let new = try PluginBody(
            old.model, in: world, layout, old.promise, instanceCount: old.instances.count, continuing: old)
          if let first = states.first {
            _ = new.restore(
              new.instances.indices.map { states.indices.contains($0) ? states[$0] : first }, within: 1000)
          }
          new.set(old.values)
          new.assign(assigned)
          new.activate()
          return new
        }
        offer(new) { bodies in
          for change in bodies.assigned where !assigned.contains(change) { new.post(change) }
        }
        tally.tell(.restarted)
        return nil
      } catch {
        tally.tell(.notRestarted(error.reason))
        return noteFailure() + .seconds(1)
      }
    }
  }

  /// Frees what has failed, once only the new body is heard. The mender's thread.
  func finishMending() {
    Waiting.until(every: .milliseconds(20), within: .seconds(1)) { finishRefit(isPlaying: { true }) }
    freeSpent()
  }
}

/// Starts plugins anew that have failed, one after the other, on a thread of its own: that may take each a while.
final class PluginMender: Sendable {
  static let shared = PluginMender()

  private struct Job: Sendable {
    weak var processor: PluginProcessor?
    var due: ContinuousClock.Instant
  }

  private let jobs = Monitor<[Job]>([])

  private init() {
    startThread("swiftlet-mender") { [self] in
      while true { work() }
    }
  }

  /// Starts a plugin anew in a while.
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
