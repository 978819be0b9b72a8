// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// The states or the program to which a plugin is set: one state for each instance, or one of its programs.
enum PluginRecall {
  case states([PluginState])
  case program(ProgramChange)

  /// Whether a plugin may get it while it plays.
  func isThreadSafe(for model: PluginModel) -> Bool {
    switch self {
    case .states: model.uses(Name.threadSafeRestore)
    case .program: false
    }
  }
}

extension PluginProcessor {
  /// Recalls states or a program. If the plugin plays and must not get them while it does, a new body gets them, and is
  /// crossfaded to; if there can be none, the plugin is faded out and in. Called with `changeLock`.
  ///
  /// - Returns: As ``load(preset:isPlaying:)``.
  func recall(
    _ recall: PluginRecall, _ isPlaying: () -> Bool
  ) throws(PluginError) -> [(number: Int, value: Float)] {
    var values: [(number: Int, value: Float)]?
    if isPlaying(), !recall.isThreadSafe(for: body.model) {
      do throws(PluginError) { values = try exchange(for: recall, isPlaying) } catch {
        // The audio thread does not come by, so recalling in place would fail, too.
        if case .stillRunning = error { throw error }
      }
    }
    let recalled = if let values { values } else { try recallInPlace(recall, isPlaying) }
    bodies.withLock { bodies in
      switch recall {
      case .states(let states): (bodies.states, bodies.program) = (states, nil)
      case .program(let change): bodies.program = change
      }
    }
    return recalled
  }

  /// Creates a new body with states or a program, and crossfades to it.
  private func exchange(
    for recall: PluginRecall, _ isPlaying: () -> Bool
  ) throws(PluginError) -> [(number: Int, value: Float)] {
    let old = body
    let assigned = bodies.withLock { $0.assigned }
    let new = try PluginBody(
      old.model, in: world, old.layout, old.guarantee, instanceCount: old.instances.count, continuing: old)
    switch recall {
    case .states: new.set(old.values)
    case .program:
      new.takeState(from: old)
      new.assign(assigned)
    }
    let values = new.recall(recall, within: 1000) ?? []
    new.set(values)
    // The crossfade ends at these values, whatever the old body's controls do meanwhile.
    for value in values { new.runtime.pointee.restore(value.number, to: value.value) }
    new.activate()
    new.deliver()
    isAltered.store(true, ordering: .releasing)
    offer(new) { _ in }
    var timeout = 3000
    do throws(PluginError) { try settle(isPlaying, within: &timeout) } catch {
      if withdraw() { throw error }
      // The audio thread has taken the body and is crossfading.
    }
    discardAssigned(replacedBy: recall)
    freeSpent()
    return values
  }

  /// Withdraws an offer that the audio thread has not taken; returns false if it has.
  private func withdraw() -> Bool {
    // A thread that finishes a change also reads the gate under this lock. The body is freed after the lock is
    // released.
    let (isBack, next) = bodies.withLock { bodies -> (Bool, PluginBody?) in
      let (isBack, _) = gate.compareExchange(
        expected: Gate.offered.rawValue, desired: Gate.open.rawValue, ordering: .acquiringAndReleasing)
      guard isBack else { return (false, nil) }
      defer { bodies.next = nil }
      crossfade.store(nil, ordering: .releasing)
      return (true, bodies.next)
    }
    return withExtendedLifetime(next) { isBack }
  }
}

extension PluginBody {
  /// Recalls states or a program while the body is idle, or may be restored while it plays.
  ///
  /// - Returns: The parameters that change, as from ``restore(_:within:)``; nil if the current work did not end within
  ///   `timeout` milliseconds, in which case nothing was done.
  func recall(_ recall: PluginRecall, within timeout: Int) -> [(number: Int, value: Float)]? {
    switch recall {
    case .states(let states): return restore(states, within: timeout)
    case .program(let change):
      // A plugin may reset its program in `activate`.
      activate()
      return select(change, within: timeout)
    }
  }
}
