// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization

extension GraphController {
  /// Mutes all outputs within 5 ms, and then suspends the graph: no node runs, so tails and states are kept. Held
  /// notes are released.
  package func suspend() {
    guard sleep == nil else { return }
    store.isShut = true
    for guarding in store.guards.values { guarding.requestShut() }
    for wire in store.eventWires.values { wire.requestShut() }
    sleep = (renderer.position.load(ordering: .acquiring), false)
  }

  /// Resumes where `suspend` stopped, with a fade-in of 5 ms; an output node that was muted by a fault fades in as at
  /// first start.
  package func resume() {
    guard let sleep else { return }
    self.sleep = nil
    store.isShut = false
    for wire in store.eventWires.values { wire.requestOpen() }
    if sleep.isDeep { publish(playing, Compiler.Transition(isLive: false)) }
    for guarding in store.guards.values { guarding.requestOpen() }
    sendDue()
  }

  /// Whether the graph is suspended: the last published plan has no nodes.
  var isDeepAsleep: Bool { sleep?.isDeep == true }

  /// Prepares for another backend after one has failed: the next sound fades in, and held notes are released. Only
  /// while nothing renders.
  package func recover() {
    isLive = false
    guard sleep == nil else { return }
    for guarding in store.guards.values { guarding.restart() }
    for wire in store.eventWires.values {
      wire.requestShut()
      wire.requestOpen()
    }
  }

  /// Whether no node runs or will run before `resume`: nothing renders, or the plan in use is that of a suspended
  /// graph.
  package var isAtRest: Bool {
    !isLive || (isDeepAsleep && renderer.generation.load(ordering: .acquiring) == planNumber)
  }

  /// Suspends the nodes once the outputs are muted.
  func suspendNodes() {
    guard let sleep, !sleep.isDeep else { return }
    let passed = renderer.position.load(ordering: .acquiring) - sleep.since
    guard !isLive || passed > Int64(renderer.longestBlock + Int(renderer.sampleRate * 0.01)) else { return }
    cutFades()
    publish(Graph(), Compiler.Transition(isLive: false), isAsleep: true)
    self.sleep?.isDeep = true
  }
}
