// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// The prefetch thread of all players. Created on first use.
  var prefetchThread: PrefetchThread {
    core.withLock { core in
      let prefetchThread =
        core.prefetchThread ?? PrefetchThread(longestBlock: longestBlock, isLive: !isOffline)
      core.prefetchThread = prefetchThread
      return prefetchThread
    }
  }

  /// Adds the node of a player with a schedule.
  func attach(_ scheduler: any SchedulePlayer, channels: Int, name: String?) throws(EngineError) -> AudioNode
  {
    try add(
      NewNode(name ?? "player", .processor, [], [.audio(channels: channels)], .player(scheduler)),
      isNamed: name != nil)
  }

  /// Sends the pending events of all players. Holds no lock, so that a closure may call any function.
  func sendPlayerEvents() {
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
        // An undo has restored the node while its player was ended.
        scheduler.reopenSchedule()
      }
      // After the last cycle, everything that was rendered counts as heard.
      let now = isOver ? .max : jackClient?.currentFrame ?? position
      // Finding the output nodes takes time, so the latency is computed only if an event waits for it.
      let waits = jackClient == nil || isOver
      let late = scheduler.hasUnheard(waits: waits) ? lateness(of: id) : nil
      for (event, onEvent) in scheduler.takePlayerEvents(
        position: position, now: now, late: late, waits: waits)
      {
        onEvent?(event)
        scheduler.listeners.send(event)
      }
      if isOver { scheduler.listeners.finish() }
    }
  }

  /// The frames from a node's output until the sound is heard, from the latencies of the graph and of JACK.
  private func lateness(of node: NodeID) -> Int64 {
    let late = core.withLock { core in
      core.graph.outputs(of: node).map { (frames: core.controller.latency(of: $0), name: core.name($0)) }
    }
    return Int64(late.map { $0.frames + playbackLatency(of: $0.name) }.max() ?? 0)
  }

  /// The latency from an output node until the sound is heard, as JACK reports it, in frames.
  func playbackLatency(of output: String) -> Int { jackClient?.playbackLatency(of: output)?.upperBound ?? 0 }
}
