// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// The elapsed time of edits while a graph of 252 nodes plays in JACK, in stereo: medians, in seconds.
package struct LiveEditCosts: Sendable, Equatable {
  /// The duration of the calls that attach a plugin and connect it, without the time in which its instances are made.
  package var call: Double
  /// The time from the return of these calls until the audio thread renders the first changed frame.
  package var heard: Double
  /// The duration of the call that detaches 48 plugins in one edit.
  package var removal: Double
}

extension AudioEngine {
  /// Measures edits while the engine plays in JACK: a plugin that is attached and connected, and 48 that are detached.
  ///
  /// - Parameters:
  ///   - count: the number of plugins that are attached one after the other, at least 1.
  ///   - uri: the plugin, which must change a constant signal that it is added to.
  ///   - server: the name of the JACK server.
  /// - Throws: the errors of ``init(client:server:)``, and an error if the plugin cannot be made or connected.
  package static func measureLiveEdits(
    _ count: Int, attaching uri: String, server: String
  ) throws(EngineError) -> LiveEditCosts {
    let engine = try AudioEngine(client: "swiftlet-edits", server: server)
    defer { engine.close() }
    let source = try engine.attachSource(channels: 2) { block in
      let output = block.output()
      for channel in 0..<output.channelCount {
        for frame in 0..<block.frameCount { output[channel][frame] = 0.25 }
      }
    }
    var mixers: [AudioNode] = []
    for _ in 0..<250 { mixers.append(try engine.attachMixer()) }
    for (from, to) in zip([source] + mixers, mixers + [engine.mainOutput]) {
      try engine.connect(from, to: to)
    }
    let listener = StepListener()
    let tap = try engine.installTap(on: mixers[249], bufferSize: 16, listener.receive)
    try engine.start()
    engine.awaitRest()
    var calls: [Double] = [], delays: [Double] = []
    for _ in 0..<max(count, 1) {
      let made = try engine.make(.plugin(uri, channels: 2), "measured")
      listener.arm()
      let start = ContinuousClock.now
      let plugin = try engine.add(made, isNamed: false)
      try engine.connect(source, to: plugin)
      try engine.connect(plugin, to: mixers[125])
      calls.append((ContinuousClock.now - start) / .seconds(1))
      let returned = engine.core.withLock { $0.frame }
      delays.append(listener.awaitStep().map { Double($0 - returned) / engine.sampleRate } ?? .infinity)
      try engine.detach(plugin)
      engine.awaitRest()
    }
    let plugins = try engine.edit { edit in
      var plugins: [PluginNode] = []
      for _ in 0..<48 {
        let plugin = try edit.attach(plugin: uri)
        try edit.connect(source, to: plugin)
        try edit.connect(plugin, to: mixers[125])
        plugins.append(plugin)
      }
      return plugins
    }
    engine.awaitRest()
    let start = ContinuousClock.now
    try engine.edit { edit in for plugin in plugins { try edit.detach(plugin) } }
    let removal = (ContinuousClock.now - start) / .seconds(1)
    try engine.removeTap(tap)
    return LiveEditCosts(call: median(calls), heard: median(delays), removal: removal)
  }

  /// Waits until fades of an earlier edit have ended.
  private func awaitRest() { Waiting.sleep(.milliseconds(300)) }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Finds the first frame of a constant signal that differs from the frame before it.
private final class StepListener: Sendable {
  private struct State {
    /// The last sample, and whether a difference is searched.
    var last: Float = 0, isArmed = false
    /// The frame of the first difference.
    var step: Int64?
  }
  private let state = Mutex(State())

  /// Searches for a difference from the next buffer on.
  func arm() {
    state.withLock { ($0.isArmed, $0.step) = (true, nil) }
  }

  /// Receives a buffer of a tap. The tap's thread.
  func receive(_ buffer: AudioBuffer, _ time: AudioTime) {
    state.withLock { state in
      for (index, sample) in buffer[0].enumerated() {
        if state.isArmed, state.step == nil, sample != state.last {
          (state.isArmed, state.step) = (false, time.frame + Int64(index))
        }
        state.last = sample
      }
    }
  }

  /// Waits for a difference, for at most two seconds; returns its frame.
  func awaitStep() -> Int64? {
    for _ in 0..<400 {
      if let step = state.withLock({ $0.step }) { return step }
      Waiting.sleep(.milliseconds(5))
    }
    return nil
  }
}
