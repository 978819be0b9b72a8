// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// What reads files ahead for all players.
  var streamFiller: StreamFiller {
    core.withLock { core in
      let filler = core.filler ?? StreamFiller(longestBlock: longestBlock, isLive: !isOffline)
      core.filler = filler
      return filler
    }
  }

  /// Adds the node of a player with a schedule.
  func attach(_ scheduler: any SchedulePlayer, channels: Int, name: String?) throws(EngineError) -> AudioNode
  {
    try add(
      NewNode(name ?? "player", .processor, [], [.audio(channels: channels)], .player(scheduler)),
      isNamed: name != nil)
  }

  /// Tells what players have to tell: outside of every lock, so that whoever is told may do anything.
  func tellPlayers() {
    let schedulers = core.withLock { core in
      defer { core.schedulers = core.schedulers.filter { core.records[$0.key] != nil } }
      return core.schedulers.map { (id: $0, scheduler: $1, isThere: core.records[$0] != nil) }
    }
    let position = now.frame
    for (id, scheduler, isThere) in schedulers {
      let isOver = isClosed || !isThere
      if isOver {
        scheduler.endAll(at: position, isOver: true)
      } else if scheduler.isOver {
        // The node came back while the player was being ended.
        scheduler.revive()
      }
      // Where no more comes, what was rendered counts as heard.
      let now = isOver ? .max : studio?.currentFrame ?? position
      // To find the ways out takes its time: most of the time nobody wants to know.
      let waits = studio == nil || isOver
      let late = scheduler.hasUnheard(waits: waits) ? lateness(of: id) : nil
      for (event, tell) in scheduler.takeNews(position: position, now: now, late: late, waits: waits) {
        tell?(event)
        scheduler.listeners.send(event)
      }
      if isOver { scheduler.listeners.finish() }
    }
  }

  /// How much later than it leaves a node sound is heard, as far as the graph and JACK know, in frames.
  private func lateness(of node: NodeID) -> Int64 {
    let late = core.withLock { core in
      core.graph.outputs(of: node).map { (frames: core.host.latency(of: $0), name: core.name($0)) }
    }
    return Int64(late.map { $0.frames + playbackLatency(of: $0.name) }.max() ?? 0)
  }

  /// How long what leaves a playback node takes to be heard, as JACK knows it, in frames.
  func playbackLatency(of output: String) -> Int { studio?.playbackLatency(of: output)?.upperBound ?? 0 }
}
