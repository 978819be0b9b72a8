// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletEffects
internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletSignal
internal import Synchronization

extension AudioEngine {
  /// The engine's session: its purpose, and what it asks of other sessions. Default: nil, which asks for nothing.
  public var session: AudioSession? { core.withLock { $0.life?.session } }

  /// Sets the engine's session. It may change while sound plays; options and modes of the previous session end.
  ///
  /// The category decides which ports there are: input and output nodes without ports stay in the graph, get silence
  /// or are not heard, and get ports and connections when another category allows them. Engines of the same user on
  /// the same server learn of the session at once: ``Interruption/Reason/peer(_:)`` reports the session that pauses
  /// this one. A session's requests to other sessions apply while it runs.
  /// - Throws: ``EngineError/session(_:)`` if the session contradicts itself, ``EngineError/jack(_:)`` if the server
  ///   refuses ports or a pattern of ports cannot be read; then the session is as before.
  public func setSession(_ session: AudioSession?) throws(EngineError) {
    if let contradiction = session?.contradiction { throw .session(contradiction) }
    let before = self.session
    let old: SessionLife?
    do throws(EngineError) {
      try serve(session)
      old = try core.withLock { core throws(EngineError) in
        core.voices.period = expectedPeriod
        return try core.switchSession(to: session)
      }
    } catch {
      try? serve(before)
      throw error
    }
    guard session != nil else {
      leaveSession(old)
      return
    }
    joinSession()
  }

  /// Registers the ports that a session's category allows (all if nil), and connects those that it may connect.
  private func serve(_ session: AudioSession?) throws(EngineError) {
    let category = session?.category
    do throws(JackError) {
      try jackClient?.serve(
        inputs: category?.records ?? true, outputs: category?.plays ?? true,
        connectionPolicy: category?.connectionPolicy ?? .asRuled, reach: session?.ports)
    } catch {
      throw .jack(error)
    }
  }

  /// Joins the session bus, unless the engine is on it already.
  private func joinSession() {
    guard let jackClient, let session, !core.withLock({ $0.life?.bus != nil }) else { return }
    let message = SessionMessage(session, name: jackClient.name, process: getpid(), since: nil)
    let bus = SessionBus(server: jackClient.server, message) { [weak self] in
      self?.core.withLock { $0.life?.update() }
    }
    guard let bus else {
      broadcaster.send(
        .warning("sessions of other programs are ignored: this user has no private folder for sockets"))
      return
    }
    core.withLock { core in
      core.life?.join(bus)
    }
  }

  /// Ends the ducking or pause that other sessions asked for, and leaves the session bus.
  private func leaveSession(_ life: SessionLife?) {
    guard let life else { return }
    let events = core.withLock { core -> [EngineEvent] in
      let events = core.apply(SessionDemand())
      core.life = nil
      return events
    }
    broadcaster.send(events)
    life.bus?.close()
  }

  /// Carries out the requests of other sessions, and sends them the changes of this one. The housekeeping thread.
  func followSession() {
    let (events, bus, message) = core.withLock { core -> ([EngineEvent], SessionBus?, SessionMessage?) in
      guard let jackClient, core.life?.isDue(isRunning: core.isRunning) == true else { return ([], nil, nil) }
      return core.followSession(as: jackClient.name)
    }
    broadcaster.send(events)
    if let message { bus?.publish(message) }
  }
}

extension EngineCore {
  /// Sets the session; nil ends it. If the graph cannot be played with the new session, nothing changes.
  ///
  /// - Returns: the state of a session that has ended, for ``AudioEngine`` to leave; nil otherwise.
  mutating func switchSession(to session: AudioSession?) throws(EngineError) -> SessionLife? {
    let before = self.life
    guard var life = life ?? session.map({ SessionLife($0) }) else { return nil }
    life.session = session ?? AudioSession()
    self.life = life
    do throws(EngineError) { try commit() } catch {
      self.life = before
      throw error
    }
    return session == nil ? life : nil
  }

  /// Evaluates the requests of the other sessions.
  ///
  /// - Returns: the events to report, and the message to send on the bus, if it has changed.
  mutating func followSession(as name: String) -> ([EngineEvent], SessionBus?, SessionMessage?) {
    let isRunning = isRunning
    life?.noteEvaluation(isRunning: isRunning)
    guard let life else { return ([], nil, nil) }
    var own = SessionMessage(life.session, name: name, process: getpid(), since: life.since)
    let demand = SessionDemand(on: life.session, saying: own, from: life.others)
    let events = demand == life.demand ? [] : apply(demand)
    // A session that pauses for another one makes no requests itself.
    if demand.pausedBy != nil { own.claims = [] }
    guard own != life.sentMessage else { return (events, nil, nil) }
    self.life?.sentMessage = own
    return (events, life.bus, own)
  }

  /// Ducks, pauses or resumes the engine. Returns the events to report.
  mutating func apply(_ demand: SessionDemand) -> [EngineEvent] {
    var events: [EngineEvent] = []
    if let name = demand.pausedBy, life?.interruption == nil {
      let reason: Interruption.Reason = demand.pausesAsSpeech ? .duckingPeer(name) : .peer(name)
      holdPlayers(for: \.bySession)
      life?.interruption = reason
      events.append(.interruption(.began(reason)))
    } else if demand.pausedBy == nil, let reason = life?.interruption {
      resume(held.bySession)
      life?.interruption = nil
      events.append(.interruption(.ended(reason, shouldResume: isRunning)))
    }
    let level: Float = demand.pausedBy != nil ? 0 : Decibels.amplitude(Float(demand.duckLevel))
    controller.setLoudness(level)
    // While the session is paused its output is silent, so the duck level is reported when the pause ends.
    if demand.pausedBy == nil, let life, demand.duckLevel != life.reportedDuckLevel {
      self.life?.reportedDuckLevel = demand.duckLevel
      events.append(.ducked(by: demand.duckLevel))
    }
    life?.demand = demand
    return events
  }

  /// The graph to be played: in the mode `measurement`, effects that change level or tone are bypassed.
  var shaped: Graph {
    guard life?.session.mode == .measurement else { return graph }
    var shaped = graph
    for node in graph.nodes where records[node.id]?.info.map(Self.colours) == true {
      try? shaped.setBypass(true, of: node.id)
    }
    return shaped
  }

  /// Returns whether a node is a built-in effect that changes nothing but level or tone.
  private static func colours(_ info: ProcessorInfo) -> Bool {
    info.origin == .builtIn
      && ["compressor", "limiter", "gate", "ducker", "multiband", "equalizer"].contains(info.id)
  }
}
