// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Foundation
internal import SwiftletThreads
internal import Synchronization

extension OpenClient {
  /// The time after which a connection counts as removed by the user, if both its ports still exist.
  private static let grace = Duration.milliseconds(250)

  /// Starts the thread that does the work that is not allowed in callbacks, and reports events. It ends when the
  /// client closes.
  func startControlThread() {
    startThread("swiftlet-jack") { [self] in
      var reported = ReportedState(counts)
      while !mailbox.isOver.load(ordering: .acquiring) {
        let isWaiting = (try? edit { $0.isWaiting }) ?? false
        mailbox.wait(seconds: isWaiting ? 0.02 : 1)
        work(&reported)
      }
    }
  }

  /// The counters and states that have been reported already.
  private struct ReportedState {
    var xruns: Int, lostEvents: Int, clockJumps = 0, sleeps = 0
    var isShutDown = false
    var sleepWatch = SleepWatch()

    init(_ counts: Counts) {
      xruns = counts.xruns
      lostEvents = counts.lostEvents
    }
  }

  private func work(_ reported: inout ReportedState) {
    var events: [JackEvent] = []
    if mailbox.isShutDown.load(ordering: .acquiring) {
      noteLastConnections(mailbox.takeAll())
      if !reported.isShutDown {
        events.append(.shutdown(reason: shutdownReason, wasZombified: wasZombified))
      }
      reported.isShutDown = true
    } else {
      events = (try? edit { handle(mailbox.takeAll(), &$0) }) ?? []
    }
    var hasSlept = reported.sleepWatch.hasSlept(at: edge.pointee.sequence.load(ordering: .relaxed))
    let xruns = mailbox.xruns.load(ordering: .acquiring)
    if xruns != reported.xruns {
      let delay = Float(bitPattern: mailbox.lastDelay.load(ordering: .relaxed))
      events.append(.xrun(total: xruns, delay: delay))
      reported.xruns = xruns
    }
    let lost = edge.pointee.lostEvents.load(ordering: .relaxed)
    if lost != reported.lostEvents {
      events.append(.lostEvents(total: lost))
      reported.lostEvents = lost
    }
    let jumps = edge.pointee.clockJumps.load(ordering: .relaxed)
    if jumps != reported.clockJumps {
      hasSlept = hasSlept || jumps > 0
      reported.clockJumps = jumps
    }
    if hasSlept {
      reported.sleeps += 1
      events.append(.clockJumped(total: reported.sleeps))
      if let route = (try? edit { $0.watch?.route }) ?? nil {
        events.append(.route(RouteChange(.wakeFromSleep, from: route, to: route)))
      }
    }
    for event in events { onEvent(event) }
  }

  /// Whether the server shut this client down, instead of ending itself.
  var wasZombified: Bool {
    mailbox.shutdownStatus.load(ordering: .relaxed) & JackClientZombie.rawValue != 0
  }

  private var shutdownReason: String {
    wasZombified
      ? "the JACK server removed '\(name)': it was too slow, or did not answer"
      : "the JACK server has ended"
  }

  /// Records the connections that were made just before the server ended. Connections that were removed then are
  /// still wanted, since the server removed them as it ended.
  private func noteLastConnections(_ notices: [Mailbox.Notice]) {
    try? edit { edits in
      for case .connected(let connection) in notices { edits.layout.manager.noteConnected(connection) }
    }
  }

  private func handle(_ notices: [Mailbox.Notice], _ edits: inout Edits) -> [JackEvent] {
    var events: [JackEvent] = []
    var hasNewPorts = false
    let now = ContinuousClock.now
    for notice in notices {
      switch notice {
      case .portCame:
        hasNewPorts = true
        edits.scheduleChoice(now)
        edits.scheduleRouteCheck(now)
      case .portWent(let port):
        for loose in edits.loose where loose.source == port || loose.destination == port {
          edits.layout.manager.noteGone(loose.connection)
        }
        edits.loose.removeAll { $0.source == port || $0.destination == port }
        edits.scheduleChoice(now)
        edits.scheduleRouteCheck(now)
      case .connected(let connection):
        guard isOwn(connection, edits) else { continue }
        edits.loose.removeAll { $0.connection == connection }
        let isAsked = edits.asked.remove(connection) != nil
        edits.layout.manager.noteConnected(connection, byHand: !isAsked)
        if !isAsked { edits.watch?.notePatched() }
        edits.scheduleRouteCheck(now)
        events.append(.connected(connection))
      case .disconnected(let connection, let source, let destination):
        guard isOwn(connection, edits) else { continue }
        events.append(.disconnected(connection))
        if edits.dropped.remove(connection) != nil {
          edits.layout.manager.noteGone(connection)
          edits.scheduleRouteCheck(now)
          continue
        }
        edits.loose.append(
          PendingRemoval(
            connection: connection, source: source, destination: destination, due: now + Self.grace))
      case .blockLength(let count):
        events.append(.blockLength(count))
        edits.scheduleRouteCheck(now)
      case .sampleRate(let rate): events.append(.sampleRate(rate))
      case .latency: edits.scheduleRouteCheck(now)
      case .freewheeling(let isOn): events.append(.freewheeling(isOn))
      }
    }
    for loose in edits.loose where loose.due <= now {
      if isThere(loose.connection) {
        edits.layout.manager.noteRemovedByUser(loose.connection)
        edits.watch?.notePatched()
      } else {
        edits.layout.manager.noteGone(loose.connection)
      }
      edits.scheduleRouteCheck(now)
    }
    edits.loose.removeAll { $0.due <= now }
    if hasNewPorts && edits.isActive { events += connect(&edits, chooses: false) }
    if edits.choiceDue.map({ $0 <= now }) ?? edits.refused.isDue(at: now) { events += choose(&edits, now) }
    if let due = edits.routeCheckDue, due <= now { events += checkRoute(&edits) }
    return events
  }

  /// Follows the rules that have alternatives, and schedules a look at the route that results.
  private func choose(_ edits: inout Edits, _ now: ContinuousClock.Instant) -> [JackEvent] {
    edits.choiceDue = nil
    guard edits.isActive else { return [] }
    edits.routeCheckDue = nil
    edits.scheduleRouteCheck(now)
    return connect(&edits)
  }

  /// Returns the changes of the route since the last look.
  private func checkRoute(_ edits: inout Edits) -> [JackEvent] {
    // A removed connection may have been removed by the user or with its port, and another connection may replace it.
    // Until that is known, the reason of the change is unknown.
    guard edits.loose.isEmpty, edits.choiceDue == nil else { return [] }
    edits.routeCheckDue = nil
    let route = route(edits), sockets = sockets()
    let nodesWithAlternatives = edits.layout.manager.nodesWithAlternatives
    return edits.watch?.update(route, sockets: sockets, nodesWithAlternatives: nodesWithAlternatives).map(
      JackEvent.route) ?? []
  }

  private func isOwn(_ connection: PortConnection, _ edits: Edits) -> Bool {
    let manager = edits.layout.manager
    return manager.node(owning: connection.source) != nil
      || manager.node(owning: connection.destination) != nil
  }

  private func isThere(_ connection: PortConnection) -> Bool {
    jack_port_by_name(client, connection.source) != nil
      && jack_port_by_name(client, connection.destination) != nil
  }
}

extension OpenClient.Edits {
  /// The time within which the ports of one device appear or disappear.
  private static let settling = Duration.milliseconds(30)

  /// Schedules a look at the route for when the ports have settled.
  mutating func scheduleRouteCheck(_ now: ContinuousClock.Instant) {
    if watch != nil, routeCheckDue == nil { routeCheckDue = now + Self.settling }
  }

  /// Schedules the rules that have alternatives for when the ports have settled.
  mutating func scheduleChoice(_ now: ContinuousClock.Instant) {
    if choiceDue == nil, layout.manager.hasChoices { choiceDue = now + Self.settling }
  }

  /// Whether work is scheduled.
  fileprivate var isWaiting: Bool {
    !loose.isEmpty || routeCheckDue != nil || choiceDue != nil || refused.isWaiting
  }
}
