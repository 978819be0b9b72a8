// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// The instants at which takes can begin and end, and the latencies at which they are recorded.
extension AudioEngine {
  /// The next frame of the source at which something can begin on all buses: the present frame if the engine is not
  /// running, otherwise one a moment ahead of the audio thread.
  var nextInstant: Int64 {
    let position = renderer.position.load(ordering: .acquiring)
    guard let jackClient, core.withLock({ $0.isActive }) else { return position }
    return position + Int64(3 * jackClient.blockLength) + Int64(sampleRate * 0.005)
  }

  /// Returns the frame of a time; if the time has passed or is nil, the next possible frame.
  func nextInstant(from time: AudioTime?) -> Int64 {
    max(nextInstant, time.map { $0.frame(at: sampleRate) } ?? .min)
  }

  /// Makes sure that all taps are in a plan, so that their latencies are known.
  func settle() throws(EngineError) {
    rehearsePlugins()
    try core.withLock { core throws(EngineError) in
      if !core.isRunning { try core.apply() }
    }
  }

  func latency(of tap: TapID) -> Int { core.withLock { $0.controller.latency(of: tap) } }

  /// Returns the latency of a take at a tap, in frames after its source. If a performer listens to the graph through
  /// the playback node `output`, the latencies to the performer's ears and from the performer to the tap's input
  /// nodes are added.
  func lateness(of tap: TapID, _ output: AudioNode?) -> Int {
    let (own, sources, there) = core.withLock { core in
      (
        core.controller.latency(of: tap),
        core.graph.tap(tap).map { core.graph.inputs(of: $0.node) }?.map(core.name) ?? [],
        output.map { core.controller.latency(of: $0.id) } ?? 0
      )
    }
    guard let output else { return own }
    let back = sources.map { jackClient?.captureLatency(of: $0)?.upperBound ?? 0 }.max() ?? 0
    return own + there + playbackLatency(of: output.name) + back
  }
}
