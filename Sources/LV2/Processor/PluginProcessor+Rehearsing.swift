// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletGraph
internal import Synchronization

extension PluginProcessor {
  /// Reads the latency that the plugin reports with its current parameters and state, and publishes it.
  ///
  /// A second instance gets the same parameters and state, processes some silence, and is discarded. Does nothing if
  /// the plugin reports no latency, or if parameters and state are unchanged since the last call. The plugin must not
  /// have played yet. Control thread; may take some time.
  package func rehearse() {
    guard runtime.pointee.latencyPort >= 0, isAltered.exchange(false, ordering: .acquiringAndReleasing) else {
      return
    }
    changeLock.locked {
      func rehearsed() -> Int? {
        let played = body
        let around = swiftlet_set_node_of(played.instances.first?.note)
        defer { _ = swiftlet_set_node(around) }
        guard
          let stand = try? PluginBody(
            played.model, in: world, played.layout.offline, played.guarantee, instanceCount: 1)
        else { return nil }
        stand.takeState(from: played)
        stand.assign(bodies.withLock { $0.assigned })
        return stand.rehearsedLatency
      }
      // If the plugin allows only one instance, its latency is read while it plays. A second instance may succeed next
      // time.
      guard let stated = rehearsed() else { return isAltered.store(true, ordering: .releasing) }
      runtime.pointee.statedLatency = stated + runtime.pointee.lag
      publish(latency: runtime.pointee.statedLatency)
    }
  }
}

extension PluginBody {
  /// The latency that the plugin reports after some silence, for an instance that is then discarded. Some plugins
  /// report another latency in their first blocks.
  var rehearsedLatency: Int {
    activate()
    deliver()
    var done = 0
    while done < PluginRuntime.rehearsalLength {
      rehearse(guarantee.longest)
      done += guarantee.longest
    }
    return latency
  }
}
