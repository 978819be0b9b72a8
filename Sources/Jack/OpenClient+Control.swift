// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Foundation
internal import Synchronization

extension OpenClient {
  /// How long after a cable came out its two ports must still be there for the user to have pulled it.
  private static let grace = Duration.milliseconds(250)

  /// Starts the thread that does what callbacks must not, and tells what
  /// happened. It ends when the client closes.
  func startControlThread() {
    let thread = Thread { [self] in
      var told = Told()
      while !mailbox.isOver.load(ordering: .acquiring) {
        let isLoose = (try? edit { !$0.loose.isEmpty }) ?? false
        mailbox.wait(seconds: isLoose ? 0.05 : 1)
        work(&told)
      }
    }
    thread.name = "swiftlet-jack"
    thread.start()
  }

  /// What has been told already.
  private struct Told {
    var xruns = 0, lostEvents = 0, clockJumps = 0
    var isShutDown = false
  }

  private func work(_ told: inout Told) {
    var events: [JackEvent] = []
    if mailbox.isShutDown.load(ordering: .acquiring) {
      if !told.isShutDown { events.append(.shutdown(reason: shutdownReason)) }
      told.isShutDown = true
      _ = mailbox.takeAll()
    } else {
      events = (try? edit { handle(mailbox.takeAll(), &$0) }) ?? []
    }
    let xruns = mailbox.xruns.load(ordering: .acquiring)
    if xruns != told.xruns {
      let delay = Float(bitPattern: mailbox.lastDelay.load(ordering: .relaxed))
      events.append(.xrun(total: xruns, delay: delay))
      told.xruns = xruns
    }
    let lost = edge.pointee.lostEvents.load(ordering: .relaxed)
    if lost != told.lostEvents {
      events.append(.lostEvents(total: lost))
      told.lostEvents = lost
    }
    let jumps = edge.pointee.clockJumps.load(ordering: .relaxed)
    if jumps != told.clockJumps {
      if jumps > 0 { events.append(.clockJumped(total: jumps)) }
      told.clockJumps = jumps
    }
    for event in events { tell(event) }
  }

  private var shutdownReason: String {
    mailbox.shutdownStatus.load(ordering: .relaxed) & JackClientZombie.rawValue != 0
      ? "the JACK server threw '\(name)' out: it was too slow, or did not answer"
      : "the JACK server has gone"
  }

  private func handle(_ notices: [Mailbox.Notice], _ edits: inout Edits) -> [JackEvent] {
    var events: [JackEvent] = []
    var hasNewPorts = false
    let now = ContinuousClock.now
    for notice in notices {
      switch notice {
      case .portCame: hasNewPorts = true
      case .portWent(let port): edits.loose.removeAll { $0.source == port || $0.destination == port }
      case .connected(let cable):
        guard isOurs(cable, edits) else { continue }
        edits.loose.removeAll { $0.cable == cable }
        edits.keeper.noteConnected(cable)
        events.append(.connected(cable))
      case .disconnected(let cable, let source, let destination):
        guard isOurs(cable, edits) else { continue }
        events.append(.disconnected(cable))
        edits.loose.append(
          LooseCable(cable: cable, source: source, destination: destination, due: now + Self.grace))
      case .blockLength(let count): events.append(.blockLength(count))
      case .sampleRate(let rate): events.append(.sampleRate(rate))
      case .freewheeling(let isOn): events.append(.freewheeling(isOn))
      }
    }
    for loose in edits.loose where loose.due <= now && isThere(loose.cable) {
      edits.keeper.notePulled(loose.cable)
    }
    edits.loose.removeAll { $0.due <= now }
    if hasNewPorts && edits.isActive { events += connect(&edits) }
    return events
  }

  private func isOurs(_ cable: Cable, _ edits: Edits) -> Bool {
    edits.keeper.node(owning: cable.source) != nil || edits.keeper.node(owning: cable.destination) != nil
  }

  private func isThere(_ cable: Cable) -> Bool {
    jack_port_by_name(client, cable.source) != nil && jack_port_by_name(client, cable.destination) != nil
  }

  /// Puts in the cables that the rules ask for and that are not there. Under the
  /// editing lock, not in a callback.
  @discardableResult func connect(_ edits: inout Edits) -> [JackEvent] {
    var events: [JackEvent] = []
    let wish = edits.keeper.wishes(among: JackPort.all(of: client))
    let loose = Set(edits.loose.map(\.cable))
    for cable in wish.cables where !loose.contains(cable) {
      let own = jack_port_by_name(client, isOwn(cable.source) ? cable.source : cable.destination)
      let other = isOwn(cable.source) ? cable.destination : cable.source
      if let own, jack_port_connected_to(own, other) != 0 { continue }
      let result = jack_connect(client, cable.source, cable.destination)
      if result != 0 && result != EEXIST { events.append(.refused(cable)) }
    }
    for name in wish.waiting {
      guard let node = edits.keeper.nodes.first(where: { $0.name == name }) else { continue }
      events.append(.waiting(node: name, rule: node.rule))
    }
    return events
  }

  private func isOwn(_ port: String) -> Bool { port.hasPrefix(name + ":") }
}
