// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
public import SwiftletJack
internal import Synchronization

extension AudioEngine {
  /// What the engine's ports are connected to now; nil offline and while the server is away.
  public var currentRoute: Route? { (try? studio?.route()) ?? nil }

  /// How the route changes, from now on: with what was connected before and what is connected now.
  public var routeChanges: some AsyncSequence<RouteChange, Never> & Sendable {
    events.compactMap { event in
      if case .routeChange(let change, _) = event { change } else { nil }
    }
  }

  /// Whether players pause when a machine's port that the engine played to has gone, as headphones do that are
  /// unplugged: nobody wants their music out of the next loudspeaker. True unless told otherwise.
  ///
  /// Not where the node's rule names other ports for that case (``ConnectionRule/firstOf(_:)``) that are there.
  ///
  /// Players, MIDI players and tracks that were playing stand still then, which ``EngineEvent/routeChange(_:paused:)`` tells, until
  /// ``resumePlayers()`` or a `play` of their own; all else runs on, and takes go on. Any thread.
  public var pausesOnRouteLoss: Bool {
    get { core.withLock { $0.pausesOnRouteLoss } }
    set { core.withLock { $0.pausesOnRouteLoss = newValue } }
  }

  /// Lets those players go on that an interruption or a lost route paused and that nobody told to do anything since.
  ///
  /// - Returns: their names; none where nothing was paused.
  @discardableResult public func resumePlayers() -> [String] { core.withLock { $0.resumePlayers() } }

  /// The players that ``resumePlayers()`` would let go on.
  package var pausedPlayers: [String] { core.withLock { core in core.heldPlayers.sorted().map(core.name) } }
}

extension EngineCore {
  /// Lets all players stand still that play, and keeps in mind which; gives their names.
  mutating func holdPlayers() -> [String] {
    let playing = records.filter { _, record in
      record.stream?.isPlaying == true || record.desk?.isAskedToPlay == true
        || record.score?.isPlaying == true
    }.keys.sorted()
    for id in playing {
      records[id]?.stream?.pause()
      records[id]?.desk?.pause()
      records[id]?.score?.hold(true)
    }
    heldPlayers.formUnion(playing)
    return playing.map(name)
  }

  /// The same where a route is lost, and gives besides the names of those that another session silences: when that
  /// is over they stand still as the others do, since nobody would hear them where they were heard.
  mutating func holdForRoute() -> [String] {
    let before = heldPlayers.subtracting(life?.held ?? [])
    life?.held = []
    _ = holdPlayers()
    return heldPlayers.subtracting(before).filter { records[$0] != nil }.sorted().map(name)
  }

  /// Lets those go on.
  mutating func resumePlayers() -> [String] {
    let held = heldPlayers.filter { records[$0] != nil }.sorted()
    for id in held {
      records[id]?.stream?.play()
      records[id]?.desk?.goOn()
      records[id]?.score?.hold(false)
    }
    heldPlayers = []
    return held.map(name)
  }
}
