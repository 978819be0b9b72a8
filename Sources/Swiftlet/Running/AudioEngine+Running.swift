// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletPlayback
internal import SwiftletThreads
internal import Synchronization

extension AudioEngine {
  /// Prepares the graph and the JACK ports, so that `start` fails only if the server does.
  ///
  /// - Throws: ``EngineError/graph(_:)`` if nodes form a loop without a feedback wire.
  public func prepare() throws(EngineError) {
    rehearsePlugins()
    try core.withLock { core throws(EngineError) in
      try core.admitMainNodes()
      try core.apply()
    }
  }

  /// Starts the engine, or resumes it after `pause` or `stop`. The first sound fades in over 300 ms. While the server
  /// is away, the engine plays as soon as the server is back.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/jack(_:)``, ``EngineError/serverLost``.
  public func start() throws(EngineError) {
    rehearsePlugins()
    try core.withLock { core throws(EngineError) in
      guard !core.isRunning else { return }
      guard !core.state.isOver else { throw .serverLost }
      try core.admitMainNodes()
      try core.apply()
      guard !core.state.setResumes(true) else { return }
      core.controller.resume()
      let wasActive = core.isActive
      core.state = .running
      guard let jackClient, !wasActive else { return }
      do throws(JackError) {
        jackClient.setPaced(true)
        try jackClient.activate(renderer)
        core.controller.isLive = true
      } catch {
        core.state = .idle
        throw .jack(error)
      }
    }
  }

  /// Fades out within 5 ms and pauses. Nodes keep their tails and state; ports and their connections stay.
  public func pause() {
    core.withLock { core in
      core.state.setResumes(false)
      guard core.isRunning else { return }
      core.state = .paused
      core.controller.suspend()
    }
  }

  /// Pauses and resets all nodes: reverbs and delays are empty at the next `start`.
  public func stop() {
    pause()
    reset()
  }

  /// Resets all nodes: tails, delay lines and envelopes are empty. Parameters stay.
  ///
  /// Plugins that play fade out over a period, and in again; the call returns when they are reset. A plugin that
  /// cannot be reset is reported as ``EngineEvent/warning(_:)``.
  public func reset() {
    let plugins = core.withLock { core in
      let now = core.frame
      for id in core.records.keys where core.records[id]?.processor != nil {
        try? core.controller.reset(id)
        core.records[id]?.endRamps(at: now)
      }
      for id in core.voices.processors.keys { try? core.controller.reset(id) }
      return core.roster.plugins
    }
    restart(plugins)
  }

  /// Closes the JACK client: its ports are removed, and takes end with the sound; ``Recorder/finish()`` waits for
  /// their files. The engine cannot be started again.
  public func close() {
    fadeOut()
    closed.store(true, ordering: .releasing)
    // From now on no thread grants frames while JACK freewheels.
    jackClient?.setPaced(false)
    let tick = core.withLock { core in
      defer { core.state = core.isActive ? .ending : .ended }
      return core.isActive || core.state.absence != nil
    }
    jackClient?.close()
    let bus = core.withLock { core in
      core.controller.isLive = false
      core.state = .ended
      defer { core.life = nil }
      return core.life?.bus
    }
    bus?.close()
    writers.endAll()
    if tick { self.tick() }
    closeInquiries()
    core.withLock { core in
      for feed in core.taps.values { feed.finish() }
      core.taps = [:]
    }
    sendPlayerEvents()
    notifyObservers()
    broadcaster.finish()
  }

  /// Waits until sound has faded out and held notes are released, before the ports are removed. Does not wait for a
  /// JACK server that has stopped.
  private func fadeOut() {
    let start = core.withLock { core -> Int64? in
      guard core.isRunning, core.isActive else { return nil }
      core.controller.suspend()
      return renderer.position.load(ordering: .acquiring)
    }
    guard let start, let jackClient else { return }
    let enough = start + Int64(0.01 * renderer.sampleRate) + Int64(2 * jackClient.blockLength)
    Waiting.until(every: .milliseconds(1), tries: 100) {
      renderer.position.load(ordering: .acquiring) >= enough
    }
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Does the periodic work of the engine. The housekeeping thread, or the thread that renders offline.
  func tick() {
    let notices = broadcaster.takeNotices()
    let now = ContinuousClock.now
    let (events, meters, mustReturn) = core.withLock { core in
      core.controller.tick()
      core.sendUnsent()
      let overload = core.watchLoad(at: now)
      core.keepTime()
      core.refitVoices()
      core.reportReadiness(jackClient)
      for feed in core.taps.values { feed.drain() }
      core.endLooseTaps()
      if core.controller.isSettled, !core.nodesLosingPorts.isEmpty {
        for (name, _) in core.nodesLosingPorts { try? jackClient?.remove(node: name) }
        core.nodesLosingPorts = []
      }
      let xrun = core.takeXrun(at: now)
      let events = core.events(from: notices) + [xrun, overload].compactMap(\.self)
      return (events, core.busyMeters(), core.connection.takeLoss())
    }
    if mustReturn { startReturning() }
    followSession()
    // Outside the lock, since measuring true peaks takes time.
    for meter in meters { meter.drain() }
    for event in events {
      if case .serverLost = event { writers.endAll() }
      broadcaster.send(event)
    }
    for case .blockLength(let frames) in notices { fitPlugins(to: frames) }
    loadPrograms()
    showLatency()
    sendPlayerEvents()
    notifyObservers()
    makeReady()
  }

  /// Reports the latencies through the graph to JACK, whenever they have changed.
  private func showLatency() {
    guard let jackClient else { return }
    let changed = core.withLock { core -> [LatencyPath]? in
      guard core.isActive, core.controller.isSettled,
        core.connection.noteReport(of: core.controller.planNumber)
      else {
        return nil
      }
      return core.graph.paths.map { path in
        let frames = core.controller.latency(of: path.node)
        return LatencyPath(from: path.input, to: path.output, frames: frames...frames)
      }
    }
    if let changed { try? jackClient.setLatency(changed) }
  }

  /// The number of frames that are granted at once while JACK freewheels: two cycles of the longest period.
  private static let stride = 2 * JackClient.longestBlock

  /// Grants frames to JACK while it freewheels, when players have read them ahead and takes have room for them.
  /// Freewheeling runs faster than any disk, so JACK has to wait; the result is then the same, sample for sample, as
  /// in real time.
  func makeReady() {
    guard let jackClient, let granted = jackClient.grantedFrames, granted < Self.stride else { return }
    let ahead = max(granted, 0) + Self.stride
    let prefetchThread = core.withLock { $0.prefetchThread }
    prefetchThread?.fill(atLeast: ahead)
    guard core.withLock({ $0.controller.haveTapsRoom(for: ahead) }) else { return }
    jackClient.grant(Self.stride)
  }
}

extension EngineCore {
  /// Converts the reports of the audio thread and of JACK into events.
  mutating func events(from notices: [JackEvent]) -> [EngineEvent] {
    var events: [EngineEvent] = []
    for notice in notices {
      switch notice {
      case .xrun(let total, _):
        loads.xrun = LoadState.Xrun(
          total: total, cycle: controller.lastCycle?.number, time: loads.xrun?.time ?? ContinuousClock.now)
      case .lostEvents(let total): events.append(.eventsLost(total))
      case .shutdown(let reason, let wasZombified):
        if let loss = recordServerLoss(reason, wasZombified: wasZombified) { events.append(loss) }
      case .route(let change):
        let paused = change.losesOutput && held.pausesOnRouteLoss ? holdForRoute() : []
        events.append(.routeChange(change, paused: paused))
      case .clockJumped:
        events += [
          .server(notice), .interruption(.began(.suspended)),
          .interruption(.ended(.suspended, shouldResume: isRunning)),
        ]
      case .freewheeling(let isOn):
        events.append(.server(notice))
        if isOn != connection.isFreewheeling {
          connection.isFreewheeling = isOn
          events.append(
            .interruption(isOn ? .began(.freewheel) : .ended(.freewheel, shouldResume: isRunning)))
        }
        for (_, plugin) in roster.plugins { plugin.listen(!isOn) }
      case .blockLength(let frames):
        voices.period = frames
        events.append(.server(notice))
      case .sampleRate, .connected, .disconnected, .waiting, .refused:
        events.append(.server(notice))
      }
    }
    for (source, error) in prefetchThread?.takeFailures() ?? [:] {
      let node = graph.nodes.first { node in
        records[node.id]?.streamPlayer.map { ObjectIdentifier($0.stream) } == source
      }
      if let node { events.append(.streamFailed(node: node.name, error)) }
    }
    for report in controller.takeReports() {
      switch report {
      case .muted(let output, let reason):
        events.append(.muted(node: name(output), reason: "\(reason)"))
        inquiries.append(
          MuteInquiry(output: output, frame: controller.renderer.position.load(ordering: .acquiring)))
      case .cause(let node):
        events.append(.culprit(node: name(node)))
        inquiries = []
      case .badInput(let node): events.append(.badInput(node: name(node)))
      case .words(let node): events += words(of: node)
      case .eventsDropped(let count): events.append(.eventsLost(count))
      }
    }
    return events + takeSuspects()
  }

  /// Returns the events of a plugin: its messages, faults and process events.
  private mutating func words(of node: NodeID) -> [EngineEvent] {
    guard let plugin = records[node]?.plugin else { return [] }
    let name = name(node)
    if let change = plugin.takeProgramChange() { programs.wanted[node] = change }
    let events = plugin.takeProcessEvents().map { event -> EngineEvent in
      switch event {
      case .failed(let reason): .pluginFailed(node: name, reason: reason)
      case .restarted: .pluginRestarted(node: name)
      case .notRestarted(let reason): .warning("'\(name)' could not be restarted: \(reason)")
      }
    }
    return plugin.takeMessages().map { .plugin(node: name, message: $0.text) }
      + plugin.takeFaults().map { .warning("'\(name)' \($0)") }
      + plugin.takeEventFaults().map { .pluginFault(node: name, uri: plugin.uri, reason: $0) } + events
  }

  func name(_ id: NodeID) -> String { graph.node(id.principal)?.name ?? "a removed node" }
}
