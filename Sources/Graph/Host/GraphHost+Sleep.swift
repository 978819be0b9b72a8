// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization

extension GraphHost {
  /// Falls silent within 5 ms, and then stands still: no node runs, so tails and states are kept. Keys
  /// that are held down are released.
  package func suspend() {
    guard sleep == nil else { return }
    store.isShut = true
    for guarding in store.guards.values { guarding.requestShut() }
    for wire in store.eventWires.values { wire.requestShut() }
    sleep = (renderer.position.load(ordering: .acquiring), false)
  }

  /// Goes on from where `suspend` left off, fading in within 5 ms; a way out that a
  /// fault muted, as the first sound.
  package func resume() {
    guard let sleep else { return }
    self.sleep = nil
    store.isShut = false
    for wire in store.eventWires.values { wire.requestOpen() }
    if sleep.isDeep { publish(playing, Compiler.Transition(isLive: false)) }
    for guarding in store.guards.values { guarding.requestOpen() }
    sendDue()
  }

  /// Whether it stands still: the plan that was published last has no nodes.
  var isDeepAsleep: Bool { sleep?.isDeep == true }

  /// Makes ready for another backend after one has broken off: what is heard next fades in, and keys that were
  /// held down are released. Only while nobody renders.
  package func recover() {
    isLive = false
    guard sleep == nil else { return }
    for guarding in store.guards.values { guarding.startAnew() }
    for wire in store.eventWires.values {
      wire.requestShut()
      wire.requestOpen()
    }
  }

  /// Whether no node runs, nor will before `resume`: nobody renders, or what is
  /// rendered is the plan of a deep sleep.
  package var isAtRest: Bool {
    !isLive || (isDeepAsleep && renderer.generation.load(ordering: .acquiring) == planNumber)
  }

  /// Lets nodes rest once the ways out are shut.
  func fallAsleep() {
    guard let sleep, !sleep.isDeep else { return }
    let passed = renderer.position.load(ordering: .acquiring) - sleep.since
    guard !isLive || passed > Int64(renderer.longestBlock + Int(renderer.sampleRate * 0.01)) else { return }
    cutFades()
    publish(Graph(), Compiler.Transition(isLive: false), isAsleep: true)
    self.sleep?.isDeep = true
  }
}
