// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
public import SwiftletJack
internal import Synchronization

extension AudioEngine {
  /// The connections of the engine's ports; nil offline and while the server is away.
  public var currentRoute: Route? { (try? jackClient?.route()) ?? nil }

  /// The changes of the route from now on, each with the connections before and after it.
  public var routeChanges: some AsyncSequence<RouteChange, Never> & Sendable {
    events.compactMap { event in
      if case .routeChange(let change, _) = event { change } else { nil }
    }
  }

  /// Whether players pause when a hardware port that the engine played to is removed, for example when headphones are
  /// unplugged. Default: true.
  ///
  /// Players do not pause if the node's rule names another port for that case (``ConnectionRule/firstOf(_:)``) that
  /// exists.
  ///
  /// Players, MIDI players and tracks that were playing are paused, and ``EngineEvent/routeChange(_:paused:)`` names
  /// them, until ``resumePlayers()`` or a `play` of their own. All other nodes run on, and takes go on. Any thread.
  public var pausesOnRouteLoss: Bool {
    get { core.withLock { $0.held.pausesOnRouteLoss } }
    set { core.withLock { $0.held.pausesOnRouteLoss = newValue } }
  }

  /// Resumes the players that an interruption or a lost route paused, unless the program has controlled them since.
  ///
  /// - Returns: the names of the players that were resumed.
  @discardableResult public func resumePlayers() -> [String] {
    core.withLock { $0.resume($0.held.all) }
  }

  /// The names of the players that ``resumePlayers()`` would resume.
  package var pausedPlayers: [String] { core.withLock { core in core.held.all.sorted().map(core.name) } }
}

/// The players that the engine has paused and that ``AudioEngine/resumePlayers()`` resumes.
struct HeldPlayers {
  /// Whether players pause when a route is lost.
  var pausesOnRouteLoss = true
  /// The players that were paused because a route was lost, and because another session asked for it.
  var byRoute: Set<NodeID> = [], bySession: Set<NodeID> = []

  var all: Set<NodeID> { byRoute.union(bySession) }

  mutating func release(_ player: NodeID) {
    byRoute.remove(player)
    bySession.remove(player)
  }
}

extension EngineCore {
  /// Pauses all players that play, and records the reason.
  mutating func holdPlayers(for reason: WritableKeyPath<HeldPlayers, Set<NodeID>>) {
    let playing = records.filter { $1.player?.isPlayRequested == true }.keys
    for id in playing { records[id]?.player?.pause() }
    held[keyPath: reason].formUnion(playing)
  }

  /// Pauses all players because a route is lost. Those that another session has paused stay paused when that session
  /// ends, since their output no longer exists.
  ///
  /// - Returns: the names of the players that were not already paused because of a lost route.
  mutating func holdForRoute() -> [String] {
    let before = held.byRoute
    held.byRoute.formUnion(held.bySession)
    held.bySession = []
    holdPlayers(for: \.byRoute)
    return held.byRoute.subtracting(before).filter { records[$0] != nil }.sorted().map(name)
  }

  /// Resumes players that the engine has paused.
  ///
  /// - Returns: the names of those that are still attached.
  @discardableResult mutating func resume(_ players: Set<NodeID>) -> [String] {
    let present = players.filter { records[$0] != nil }.sorted()
    for id in present { records[id]?.player?.resumePlaying() }
    for id in players { held.release(id) }
    return present.map(name)
  }
}
