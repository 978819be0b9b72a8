// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletGraph
internal import Synchronization

extension PluginProcessor {
  /// Reads the latency that the plugin states with its current parameters and state, and publishes it.
  ///
  /// A second instance gets the same parameters and state, hears some silence, and is thrown away. Nothing happens
  /// for a plugin that states no latency, and for one whose parameters and state are those of the last rehearsal. The
  /// plugin has not played yet. Control thread; may take a plugin some time.
  package func rehearse() {
    guard runtime.pointee.latencyPort >= 0, isAltered.exchange(false, ordering: .acquiringAndReleasing) else {
      return
    }
    world.turn.locked {
      let stated = world.lock.locked { () -> Int? in
        let played = body
        let around = swiftlet_set_node_of(played.instances.first?.note)
        defer { _ = swiftlet_set_node(around) }
        guard
          let stand = try? PluginBody(
            played.model, in: world, played.layout.offline, played.promise, instanceCount: 1)
        else { return nil }
        stand.takeState(from: played)
        stand.assign(bodies.withLock { $0.assigned })
        return stand.rehearsedLatency
      }
      // A plugin that allows one instance only is asked while it plays. Others may be made next time.
      guard let stated else { return isAltered.store(true, ordering: .releasing) }
      runtime.pointee.statedLatency = stated + runtime.pointee.lag
      publish(latency: runtime.pointee.statedLatency)
    }
  }
}

extension PluginBody {
  /// The latency that the plugin states after some silence: for an instance that is thrown away. Some plugins state
  /// another one in their first blocks.
  var rehearsedLatency: Int {
    activate()
    deliver()
    var done = 0
    while done < PluginRuntime.rehearsalLength {
      rehearse(promise.longest)
      done += promise.longest
    }
    return latency
  }
}

extension PluginLayout {
  /// The same layout for an instance that is not heard live.
  var offline: PluginLayout {
    var layout = self
    layout.isOffline = true
    return layout
  }
}
