// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack

extension OpenClient {
  /// Reports the latencies of this client's ports to JACK. JACK's notification thread.
  func publishLatency(_ mode: jack_latency_callback_mode_t) {
    let isCapture = mode == JackCaptureLatency
    let now = show { $0 }
    let near = now.nodes.filter { ($0.direction == .input) == isCapture }
    let far = now.nodes.filter { ($0.direction == .output) == isCapture }
    let paths =
      now.paths
      ?? near.flatMap { from in
        far.map { to in
          LatencyPath(
            from: isCapture ? from.number : to.number, to: isCapture ? to.number : from.number, frames: 0...0)
        }
      }
    var known: [Int: ClosedRange<Int>] = [:]
    for node in near { known[node.number] = range(over: node.handles, mode) }
    let wanted = paths.latencies(isCapture: isCapture, known: known, wanted: far.map(\.number))
    for node in far {
      guard let frames = wanted[node.number] else { continue }
      var range = jack_latency_range_t(
        min: jack_nframes_t(clamping: frames.lowerBound), max: jack_nframes_t(clamping: frames.upperBound))
      for handle in node.handles { jack_port_set_latency_range(handle, mode, &range) }
    }
  }

  /// Returns the smallest and the largest latency of some ports.
  private func range(
    over ports: [OpaquePointer], _ mode: jack_latency_callback_mode_t
  ) -> ClosedRange<Int> {
    var shortest = Int.max, longest = 0
    for port in ports {
      var range = jack_latency_range_t()
      jack_port_get_latency_range(port, mode, &range)
      shortest = min(shortest, Int(range.min))
      longest = max(longest, Int(range.max))
    }
    return min(shortest, longest)...longest
  }

  /// Returns the latency that JACK reports for a node's ports now: the age of the sound, or the time until it is
  /// heard.
  func latency(of node: String, _ mode: jack_latency_callback_mode_t) -> ClosedRange<Int>? {
    // Do not ask for a client that has left: its ports no longer exist.
    let known = try? edit { _ in
      show { $0.nodes }.first { $0.name == node }.map { range(over: $0.handles, mode) }
    }
    return known ?? nil
  }
}
