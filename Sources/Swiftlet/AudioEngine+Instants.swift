// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// When takes can begin and end, and how late sound is where they are recorded.
extension AudioEngine {
  /// The next instant of the source at which something can begin everywhere: now, with nothing running; else
  /// a moment ahead of the audio thread.
  var nextInstant: Int64 {
    let position = renderer.position.load(ordering: .acquiring)
    guard let studio, core.withLock({ $0.isActive }) else { return position }
    return position + Int64(3 * studio.blockLength) + Int64(sampleRate * 0.005)
  }

  /// The instant of a moment that has not passed, else the next one.
  func nextInstant(from time: AudioTime?) -> Int64 {
    max(nextInstant, time.map { $0.frame(at: sampleRate) } ?? .min)
  }

  /// Sees that all taps are in a plan, so that their latencies are known.
  func settle() throws(EngineError) {
    rehearsePlugins()
    try core.withLock { core throws(EngineError) in
      if !core.isRunning { try core.apply() }
    }
  }

  func latency(of tap: TapID) -> Int { core.withLock { $0.host.latency(of: tap) } }

  /// How much later than at its source a bus is heard at a tap; and, where somebody performs to what is heard
  /// through a playback node, how long that takes to get there and back besides.
  func lateness(of tap: TapID, _ output: AudioNode?) -> Int {
    let (own, sources, there) = core.withLock { core in
      (
        core.host.latency(of: tap),
        core.graph.tap(tap).map { core.graph.inputs(of: $0.node) }?.map(core.name) ?? [],
        output.map { core.host.latency(of: $0.id) } ?? 0
      )
    }
    guard let output else { return own }
    let back = sources.map { studio?.captureLatency(of: $0)?.upperBound ?? 0 }.max() ?? 0
    return own + there + playbackLatency(of: output.name) + back
  }
}
