// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import CSwiftletLilv
internal import Synchronization

/// How a plugin that depends on the block length follows a new one. One control thread at a time.
extension PluginProcessor {
  /// The result of a change of the block length.
  package enum Refit: Sendable {
    /// No change: the plugin accepts any length, or was made for this one.
    case unneeded
    /// The plugin was notified of the new length and continues; its output was faded out and in again for that.
    case lengthAccepted
    /// A new body was created; `finishRefit` returns whether it has replaced the old one.
    case made
    /// An earlier change is still in progress; try again.
    case busy
  }

  /// Creates a new body for blocks of another length, if the plugin depends on the length and cannot be notified of a
  /// new one. The new body gets the old one's state and current parameters, but not its tail.
  ///
  /// Both bodies run until the new one's output is valid, then the old one fades into it. If the old one cannot
  /// process the new blocks, it is silent until then.
  ///
  /// - Parameter isPlaying: As for ``load(preset:isPlaying:)``.
  /// - Throws: ``PluginError`` if the body cannot be created for this length. Nothing is changed then.
  package func refit(to period: Int, isPlaying: () -> Bool) throws(PluginError) -> Refit {
    try changeLock.locked { () throws(PluginError) in
      guard finishRefit(isPlaying: { true }) else { return .busy }
      let old = body
      guard old.model.dependsOnBlockLength, old.layout.period != period else { return .unneeded }
      var layout = old.layout
      layout.period = period
      let guarantee = try BlockLengthGuarantee(old.model, layout)
      if isPlaying(), old.acceptsBlockLengthChange, setBlockLength(of: old, layout, guarantee, isPlaying) {
        return .lengthAccepted
      }
      let assigned = bodies.withLock { $0.assigned }
      let new = try PluginBody(
        old.model, in: world, layout, guarantee, instanceCount: old.instances.count, continuing: old)
      new.takeState(from: old)
      new.assign(assigned)
      new.activate()
      new.deliver()
      offer(new) { bodies in
        // Properties that were set while the body was being created.
        for change in bodies.assigned where !assigned.contains(change) { new.post(change) }
      }
      return .made
    }
  }

  /// Offers the audio thread another body, to which it crossfades. Called with `changeLock` while no change is
  /// in progress.
  ///
  /// - Parameter prepare: Called under the lock of the bodies, before the new one is heard.
  func offer(_ new: PluginBody, _ prepare: (Bodies) -> Void) {
    scheduleRestart(of: new)
    let fade = new.memory.bytes(MemoryLayout<PluginCrossfade>.stride)
    fade.initializeMemory(as: PluginCrossfade.self, to: PluginCrossfade(to: new))
    bodies.withLock { bodies in
      bodies.next = new
      prepare(bodies)
    }
    crossfade.store(fade, ordering: .releasing)
    // In this order, as the audio thread opens the key and then reads the gate.
    gate.store(Gate.offered.rawValue, ordering: .sequentiallyConsistent)
    key.close()
  }

  /// Notifies the plugin of another length while it does not run; returns false if it rejects the length or does not
  /// stop in time.
  private func setBlockLength(
    of body: PluginBody, _ layout: PluginLayout, _ guarantee: BlockLengthGuarantee, _ isPlaying: () -> Bool
  ) -> Bool {
    var timeout = 1000
    let isAccepted = try? withExclusiveAccess(isPlaying, within: &timeout) {
      guard body.setBlockLength(layout, guarantee, within: 1000) else { return false }
      // The audio thread may set parameters in the meantime, and uses nothing else. The next block, which fades in,
      // overwrites its state of the last block.
      (runtime.pointee.silence, runtime.pointee.spare) = UnconnectedPortMemory.memory(
        longest: guarantee.longest)
      body.memory.makeRoom(for: guarantee.longest, in: runtime.pointee)
      runtime.pointee.longest = guarantee.longest
      return true
    }
    // A new body that is created after a rejection must not be heard before this one has faded in.
    timeout = 3000
    if isAccepted == false { try? settle(isPlaying, within: &timeout) }
    return isAccepted == true
  }

  /// Advances a change that is in progress.
  ///
  /// - Parameter isPlaying: Returns whether an audio thread may be using the plugin. If none is, the change ends at
  ///   once.
  /// - Returns: Whether no change is in progress any more.
  package func finishRefit(isPlaying: () -> Bool) -> Bool {
    if gate.load(ordering: .acquiring) != Gate.open.rawValue, !isPlaying() { finishAtRest(isPlaying) }
    return bodies.withLock { bodies in
      guard gate.load(ordering: .acquiring) == Gate.open.rawValue else { return false }
      if let next = bodies.next {
        bodies.spent.append(bodies.now)
        bodies.now = next
        bodies.next = nil
        crossfade.store(nil, ordering: .releasing)
      }
      return true
    }
  }

  /// Ends a change while the plugin does not play, unless a thread has started to play in the meantime. The caller
  /// need not hold `changeLock`, so the gate must be neither open nor closed for a restart.
  private func finishAtRest(_ isPlaying: () -> Bool) {
    let state = gate.load(ordering: .acquiring)
    switch Gate(rawValue: state) {
    case .opening, .offered, .crossfading:
      guard
        gate.compareExchange(
          expected: state, desired: Gate.finishing.rawValue, ordering: .sequentiallyConsistent
        ).exchanged
      else { return }
      guard !isPlaying() else {
        // The audio thread may have finished the change itself; then the gate is open.
        _ = gate.compareExchange(
          expected: Gate.finishing.rawValue, desired: state, ordering: .sequentiallyConsistent)
        return
      }
      if state == Gate.opening.rawValue {
        runtime.pointee.takeRestored()
      } else {
        let fade = crossfade.load(ordering: .acquiring)?.assumingMemoryBound(to: PluginCrossfade.self)
        fade?.pointee.finish(runtime)
        replaceDirectCall()
      }
      gate.store(Gate.open.rawValue, ordering: .releasing)
    case .open, .closing, .closed, .finishing, nil: break
    }
  }

  /// Frees bodies that no longer play. A plugin may take some time for this.
  package func freeSpent() {
    // The bodies are freed after the lock is released: freeing an isolated one waits for a thread that may be waiting for
    // this lock. An array that `swap` fills here could be freed at its last use, before that.
    let spent = bodies.withLock { bodies -> [PluginBody] in
      defer { bodies.spent = [] }
      return bodies.spent
    }
    withExtendedLifetime(spent) {}
  }

  /// Whether the plugin plays blocks of this length; otherwise it is silent.
  package func plays(blocksOf frames: Int) -> Bool {
    let guarantee = body.guarantee
    return !guarantee.isFixed || frames % guarantee.longest == 0
  }
}

extension PluginBody {
  /// Takes over another body's saved state, instance by instance, and its parameters. This body is idle; the other may
  /// play.
  func takeState(from old: PluginBody) {
    set(old.values)
    for (number, (from, to)) in zip(old.instances, instances).enumerated() {
      guard let state = StateSnapshot(savedBy: from, paths: PathFeatures(files)) else { continue }
      // No work has been scheduled for this body yet.
      _ = whileWorkIsPaused(within: 1000) { restore(state, into: to, number) }
    }
  }
}
