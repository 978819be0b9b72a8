// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Synchronization

/// How a plugin that relies on the length of blocks follows a new one. Control threads, one at a time.
extension PluginProcessor {
  /// What a new length of blocks means to a plugin.
  package enum Refit: Sendable {
    /// Nothing: it takes any, or it was made for this one.
    case unneeded
    /// It was told the new one, and plays on as the same: faded out and in again for that.
    case told
    /// It was made anew; `finishRefit` tells when the new one is heard alone.
    case made
    /// An earlier change is still under way: ask again.
    case busy
  }

  /// Makes the plugin anew for blocks of another length, where it relies on that and cannot be told: with its
  /// state, its parameters as they stand, and in its place. What it sounded of before does not come back.
  ///
  /// The old one plays on beside the new one until that is full of sound, then fades into it. Where the old
  /// one cannot take the blocks, it is silent until then.
  ///
  /// - Parameter isPlaying: as for ``load(preset:isPlaying:)``.
  /// - Throws: ``PluginError``, where it cannot be made for this length: then all is as before.
  package func refit(to period: Int, isPlaying: () -> Bool) throws(PluginError) -> Refit {
    try world.turn.locked { () throws(PluginError) in
      guard finishRefit(isPlaying: { true }) else { return .busy }
      let old = body
      guard old.model.reliesOnLengths, old.layout.period != period else { return .unneeded }
      var layout = old.layout
      layout.period = period
      let promise = try BlockPromise(old.model, layout)
      if isPlaying(), world.lock.locked({ old.canBeTold }), tell(old, layout, promise, isPlaying) {
        return .told
      }
      let assigned = bodies.withLock { $0.assigned }
      let new = try world.lock.locked { () throws(PluginError) in
        let new = try PluginBody(
          old.model, in: world, layout, promise, instanceCount: old.instances.count, continuing: old)
        new.takeState(from: old)
        new.assign(assigned)
        new.activate()
        return new
      }
      new.deliver()
      offer(new) { bodies in
        // What was set while the body was made.
        for change in bodies.assigned where !assigned.contains(change) { new.post(change) }
      }
      return .made
    }
  }

  /// Offers the audio thread another body, to which it crossfades. In the world's turn; no change is under way.
  ///
  /// - Parameter prepare: called under the lock of the bodies, before the new one is heard.
  func offer(_ new: PluginBody, _ prepare: (Bodies) -> Void) {
    mendAfterFailure(of: new)
    let way = new.memory.bytes(MemoryLayout<PluginCrossing>.stride)
    way.initializeMemory(as: PluginCrossing.self, to: PluginCrossing(to: new))
    bodies.withLock { bodies in
      bodies.next = new
      prepare(bodies)
    }
    crossing.store(way, ordering: .releasing)
    gate.store(Gate.offered.rawValue, ordering: .releasing)
  }

  /// Tells the plugin of another length while it pauses; false where it does not listen, or does not pause.
  private func tell(
    _ body: PluginBody, _ layout: PluginLayout, _ promise: BlockPromise, _ isPlaying: () -> Bool
  ) -> Bool {
    var patience = 1000
    let hasTaken = try? whileAway(isPlaying, within: &patience) {
      guard world.lock.locked({ body.tell(layout, promise, within: 1000) }) else { return false }
      // The audio thread may set parameters meanwhile, and looks at no more than those. What it knows of the
      // last block is forgotten in the next, which fades in.
      (runtime.pointee.silence, runtime.pointee.spare) = VacantPorts.memory(longest: promise.longest)
      body.memory.makeRoom(for: promise.longest, in: runtime.pointee)
      runtime.pointee.longest = promise.longest
      return true
    }
    // One that is made anew after all must not be heard before this one has faded in.
    patience = 3000
    if hasTaken == false { try? settle(isPlaying, within: &patience) }
    return hasTaken == true
  }

  /// Sees to a change that is under way.
  ///
  /// - Parameter isPlaying: whether an audio thread may be working on the plugin now; where
  ///   none is, the change ends at once.
  /// - Returns: whether none is under way any more.
  package func finishRefit(isPlaying: () -> Bool) -> Bool {
    if gate.load(ordering: .acquiring) != Gate.open.rawValue, !isPlaying() { finishAtRest(isPlaying) }
    return bodies.withLock { bodies in
      guard gate.load(ordering: .acquiring) == Gate.open.rawValue else { return false }
      if let next = bodies.next {
        bodies.spent.append(bodies.now)
        bodies.now = next
        bodies.next = nil
        crossing.store(nil, ordering: .releasing)
      }
      return true
    }
  }

  /// Ends a change that is under way while nobody plays; not where somebody has begun meanwhile. Outside of
  /// anybody's turn, so the gate says that it is neither open nor shut for a restart.
  private func finishAtRest(_ isPlaying: () -> Bool) {
    let state = gate.load(ordering: .acquiring)
    switch Gate(rawValue: state) {
    case .opening:
      _ = gate.compareExchange(
        expected: state, desired: Gate.open.rawValue, ordering: .acquiringAndReleasing)
    case .offered, .crossing:
      guard
        gate.compareExchange(
          expected: state, desired: Gate.finishing.rawValue, ordering: .sequentiallyConsistent
        ).exchanged
      else { return }
      guard !isPlaying() else {
        // He may have finished it himself: then the gate is open.
        _ = gate.compareExchange(
          expected: Gate.finishing.rawValue, desired: state, ordering: .sequentiallyConsistent)
        return
      }
      let way = crossing.load(ordering: .acquiring)?.assumingMemoryBound(to: PluginCrossing.self)
      way?.pointee.finish(runtime)
      gate.store(Gate.open.rawValue, ordering: .releasing)
    case .open, .closing, .closed, .finishing, nil: break
    }
  }

  /// Frees what plays no more, which may take a plugin a moment.
  package func freeSpent() {
    var spent: [PluginBody] = []
    bodies.withLock { swap(&spent, &$0.spent) }
  }

  /// Whether the plugin is heard where blocks have this length: if not, it is silent.
  package func plays(blocksOf frames: Int) -> Bool {
    let promise = body.promise
    return !promise.isFixed || frames % promise.longest == 0
  }
}

extension PluginBody {
  /// Takes over what another body of the plugin has to be saved, each instance from its counterpart, and its
  /// parameters. This one rests; the other may play.
  func takeState(from old: PluginBody) {
    set(old.values)
    for (number, (from, to)) in zip(old.instances, instances).enumerated() {
      guard let state = StateSnapshot(savedBy: from, paths: PathFeatures(files)) else { continue }
      // Nobody works for this one yet.
      _ = whileResting(within: 1000) { restore(state, into: to, number) }
    }
  }
}
