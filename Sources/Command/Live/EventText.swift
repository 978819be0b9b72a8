// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletFiles
internal import SwiftletManifest

/// The texts of an engine's events.
enum EventText {
  /// The importance of a message: printed with `--verbose`, printed by default, printed by default as a warning,
  /// printed even with `--quiet`.
  enum Weight { case detail, note, warning, error }
  /// A message with its importance.
  struct Line: Equatable {
    var line: String
    var weight: Weight

    /// Prints the message if the console's volume includes it.
    func print(_ console: Console) {
      switch weight {
      case .detail: console.detail(line)
      case .note: console.note(line)
      case .warning: console.warning(line)
      case .error: console.error(line)
      }
    }
  }

  private static func warning(_ text: String) -> Line { Line(line: text, weight: .warning) }

  /// Returns the cause of an xrun: this session if its longest cycle took longer than the period; nil if nothing was
  /// measured.
  static func cause(_ share: Double, _ slowest: [String], _ microseconds: Double) -> String? {
    guard share > 0 else { return nil }
    let cycle = "the longest cycle took \(Digits.fixed(share * 100, 0)) % of the period"
    guard share >= 1 else { return "another client or the system was late; \(cycle)" }
    guard !slowest.isEmpty else { return cycle }
    let names = slowest.map { "'\($0)'" }.joined(separator: ", ")
    return "\(cycle), the longest part in \(names): \(Digits.fixed(microseconds, 0)) µs"
  }

  /// Returns an event's message; nil for events that the meters show, that are reported at the end of the run, or
  /// that ``badInput(in:)`` combines.
  static func line(_ event: EngineEvent) -> Line? {
    switch event {
    case .xrun(_, let share, let slowest, let microseconds):
      let cause = cause(share, slowest, microseconds).map { ": \($0)" }
      return Line(line: "xrun\(cause ?? "")", weight: .detail)
    case .overloaded(let share, let nodes): return overload(share, nodes)
    case .clamped(let node, let parameter, let asked, let used):
      return Line(
        line:
          "'\(node)': \(parameter) was set to \(Digits.short(Double(asked))), which is out of range; it is "
          + "\(Digits.short(Double(used)))", weight: .warning)
    case .notANumber(let node, let parameter):
      return warning("'\(node)': \(parameter) was set to a value that is not a number; it stays as it is")
    case .noSuchBand(let node, let band, let count):
      return warning("'\(node)' has no band \(band + 1): it has \(count)")
    case .doubled(let node, let destination):
      return warning(
        "'\(node)' reaches '\(destination)' twice: directly, and through the nodes that it was connected to later"
      )
    case .muted(let node, let reason):
      return Line(line: "'\(node)' is muted: \(reason)", weight: .error)
    case .culprit(let node):
      return Line(line: "the sound that caused this came from '\(node)'", weight: .error)
    case .suspects(let nodes):
      return Line(
        line: "the sound that caused this may have come from \(NearestName.listed(nodes))", weight: .error)
    case .streamFailed(let node, let error):
      return Line(line: "'\(node)' stopped before its end: \(Advice.text(error))", weight: .error)
    case .eventsLost(let count):
      return Line(
        line: "\(Digits.count(count, "MIDI event")) lost: there were too many at once", weight: .warning)
    case .server(let notice): return line(notice)
    case .interruption(let interruption): return line(interruption)
    case .routeChange(let change, let paused): return line(change, paused)
    case .ducked(let level):
      return Line(
        line: level == 0
          ? "the level is restored"
          : "the level is reduced by \(Digits.short(-level)) dB for another session",
        weight: .note)
    case .otherRate(let server, let engine):
      return Line(
        line: "the JACK server is back, but at \(Digits.short(server)) Hz: start it at "
          + "\(Digits.short(engine)) Hz to continue this session, or restart the session",
        weight: .warning)
    case .plugin, .pluginFault, .pluginRefitted, .pluginFailed, .pluginRestarted, .pluginSilent:
      return plugin(event)
    case .warning(let text): return warning(text)
    case .takeEnded, .serverLost, .badInput: return nil
    }
  }

  /// Returns the message of an event of a plugin.
  private static func plugin(_ event: EngineEvent) -> Line? {
    switch event {
    case .plugin(let node, let message):
      return Line(line: "message of the plugin of '\(node)': \(message.shortened())", weight: .detail)
    case .pluginFault(let node, let uri, let reason):
      return Line(line: "the plugin of '\(node)', <\(uri)>, \(reason)", weight: .detail)
    case .pluginRefitted(let node, let period, let isNew):
      let frames = "JACK's period of \(Digits.count(period, "frame"))"
      return Line(
        line: isNew
          ? "'\(node)' was replaced for \(frames): its settings are kept, its tail is lost"
          : "'\(node)' plays again, at \(frames)", weight: .note)
    case .pluginFailed(let node, let reason):
      return Line(line: "the plugin of '\(node)' has failed in its own process: \(reason)", weight: .error)
    case .pluginRestarted(let node):
      return Line(line: "the plugin of '\(node)' was restarted and is audible again", weight: .note)
    case .pluginSilent(let node, let period, let reason):
      return Line(
        line: "'\(node)' is silent while JACK's period is \(Digits.count(period, "frame")): \(reason)",
        weight: .warning)
    default: return nil
    }
  }

  /// Returns one message for all nodes that received invalid samples; nil if no event reports any. One file may send
  /// such samples to every node of a graph, so the nodes share a message.
  static func badInput(in events: [EngineEvent]) -> Line? {
    let nodes = events.compactMap { event -> String? in
      guard case .badInput(let node) = event else { return nil }
      return node
    }
    guard let first = nodes.first else { return nil }
    let samples = "received invalid samples (NaN, infinite or far above full scale) and"
    guard nodes.count > 1 else {
      return Line(line: "'\(first)' \(samples) treats them as silence", weight: .warning)
    }
    let names = nodes.sorted().prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    let more = nodes.count > 3 ? " and \(nodes.count - 3) more" : ""
    return Line(
      line: "\(nodes.count) nodes \(samples) treat them as silence: \(names)\(more)", weight: .warning)
  }

  /// Returns the cause of underruns of players.
  static func reason(_ cause: UnderrunCause?) -> String {
    switch cause {
    case .processor: "other work kept the processor from reading ahead"
    case .disk: "the disk was too slow"
    case .decoding: "decoding and stretching took longer than the sound lasts"
    case nil: "their files were not read ahead in time"
    }
  }

  private static func overload(_ share: Double, _ nodes: [EngineEvent.NodeLoad]) -> Line {
    let most = LoadText.nodes(nodes)
    return Line(
      line:
        "overload: the graph needs \(Digits.fixed(share, share < 10 ? 1 : 0)) times the period of JACK, so sound is"
        + " lost or late" + (most.isEmpty ? "" : "; most of it goes to \(most)")
        + "; remove or bypass nodes, or choose a longer period", weight: .error)
  }

  private static func line(_ change: RouteChange, _ paused: [String]) -> Line? {
    let lost = change.previous.physicalOutputs.subtracting(change.current.physicalOutputs).sorted()
    if !paused.isEmpty {
      let names = paused.map { "'\($0)'" }.joined(separator: " and ")
      return Line(
        line: "\(names) paused: \(lost.joined(separator: " and ")) was removed",
        weight: .warning)
    }
    if let line = rerouted(change) { return line }
    switch change.reason {
    case .newDeviceAvailable: return Line(line: "a sound card's port was added", weight: .detail)
    case .oldDeviceUnavailable: return Line(line: "a sound card's port was removed", weight: .detail)
    // Separate events report connections, periods, clocks and ports that nodes wait for.
    case .unknown, .categoryChange, .override, .wakeFromSleep, .noSuitableRoute, .configurationChange:
      return nil
    }
  }

  /// Returns a message about nodes with alternative ports whose connections have changed; nil if there are none.
  private static func rerouted(_ change: RouteChange) -> Line? {
    func ports(_ route: Route, _ node: String) -> [String] {
      (route.outputs + route.inputs).filter { $0.node == node }.map(\.port.name)
    }
    let lines = change.nodesWithAlternatives.sorted().compactMap { node -> String? in
      let now = ports(change.current, node)
      guard !now.isEmpty, change.reason != .override, now != ports(change.previous, node) else { return nil }
      return "'\(node)' is connected to \(now.joined(separator: " and ")) now"
    }
    return lines.isEmpty ? nil : Line(line: lines.joined(separator: "; "), weight: .note)
  }

  private static func line(_ interruption: Interruption) -> Line? {
    switch interruption {
    case .began(.serverShutdown(let text)):
      return Line(
        line: "\(text): takes stay open, and playback continues when the server is back", weight: .warning)
    case .began(.zombified(let longest)):
      let share = Digits.fixed(longest * 100, 0)
      return Line(
        line:
          "the JACK server removed this client as too slow (its longest cycle took \(share) % of a period): "
          + "trying to reconnect", weight: .warning)
    case .ended(.serverShutdown, let resumes), .ended(.zombified, let resumes):
      let state = resumes ? ": playback continues at the same position" : ", paused"
      return Line(line: "back on the JACK server\(state)", weight: .warning)
    case .began(.peer(let name)):
      return Line(line: "'\(name.shortened())' interrupts other sessions: players pause", weight: .warning)
    case .began(.duckingPeer(let name)):
      return Line(line: "'\(name.shortened())' ducks other sessions: speech pauses", weight: .warning)
    case .ended(.peer(let name), _), .ended(.duckingPeer(let name), _):
      return Line(
        line: "the interruption by '\(name.shortened())' has ended: players continue", weight: .warning)
    // JACK's own events report these.
    case .began(.freewheel), .began(.suspended), .ended(.freewheel, _), .ended(.suspended, _): return nil
    }
  }

  private static func line(_ notice: JackEvent) -> Line? {
    switch notice {
    case .waiting(let node, let rule):
      Line(line: "'\(node)' waits for \(rule), which does not exist yet", weight: .warning)
    case .refused(let connection): Line(line: "JACK did not connect \(connection.text)", weight: .warning)
    case .connected(let connection): Line(line: "connected \(connection.text)", weight: .detail)
    case .disconnected(let connection): Line(line: "disconnected \(connection.text)", weight: .detail)
    case .blockLength(let frames): Line(line: "JACK's period is \(frames) frames now", weight: .detail)
    case .sampleRate(let rate):
      Line(
        line:
          "JACK runs at \(Digits.short(rate)) Hz now, but this session was created for another rate: restart it",
        weight: .warning)
    case .freewheeling(let isOn):
      Line(line: isOn ? "JACK freewheels" : "JACK has stopped freewheeling", weight: .detail)
    case .clockJumped:
      Line(
        line:
          "the machine or JACK was suspended: takes continue after at most a short gap, regardless of the duration",
        weight: .warning)
    case .lostEvents, .route, .shutdown, .xrun: nil
    }
  }
}
