// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

extension AudioEngine {
  /// Renders the next frames without a server, on the calling thread.
  ///
  /// - Parameters:
  ///   - frameCount: the number of frames, 1 to `longestBlock`.
  ///   - inputs: the sound of capture nodes, at the engine's rate. Nodes without a buffer receive silence, and short
  ///     buffers are followed by silence. Default: none.
  /// - Returns: the output of each playback node.
  /// - Throws: ``EngineError/offlineOnly(_:)``, ``EngineError/tooManyFrames(asked:most:)``,
  ///   ``EngineError/graph(_:)``, ``EngineError/bufferRate(node:_:expected:)`` for a buffer with a sample rate other
  ///   than the engine's, ``EngineError/isRendering`` while another thread renders.
  public func render(
    _ frameCount: Int, from inputs: [AudioNode: AudioBuffer] = [:]
  ) throws(EngineError) -> [AudioNode: AudioBuffer] {
    try checkOwner(of: Array(inputs.keys))
    for (node, buffer) in inputs where buffer.rate(on: self) != sampleRate {
      throw .bufferRate(node: node.name, buffer.format.sampleRate, expected: sampleRate)
    }
    var result: [AudioNode: AudioBuffer] = [:]
    try render(frameCount) { node, channel, samples in
      guard let given = inputs[node]?[channel] else { return samples.clear() }
      for frame in 0..<samples.count { samples[frame] = frame < given.count ? given[frame] : 0 }
    } deliver: { node, channel, samples in
      var buffer = result[node]?.channels ?? []
      buffer.append(Array(UnsafeBufferPointer(start: samples.unsafeBase, count: samples.count)))
      result[node] = AudioBuffer(checked: buffer, sampleRate)
    }
    return result
  }

  /// Renders the next frames without copies, for long files.
  ///
  /// - Parameters:
  ///   - frameCount: the number of frames, 1 to `longestBlock`.
  ///   - fill: writes each channel of each capture node before the block.
  ///   - play: adds to the events of each MIDI input before the block, in the order of their frames. Frames are
  ///     absolute; the last argument is the block's first frame. A block has room for about a thousand messages;
  ///     those that do not fit are reported as ``EngineEvent/eventsLost(_:)``.
  ///   - deliver: reads each channel of each playback node after the block.
  /// - Throws: the errors of `render(_:from:)`.
  package func render(
    _ frameCount: Int, fill: (AudioNode, Int, MutableSamples) -> Void,
    play: (AudioNode, EventBuffer, Int64) -> Void = { _, _, _ in },
    deliver: (AudioNode, Int, Samples) -> Void
  ) throws(EngineError) {
    guard jackClient == nil else { throw .offlineOnly("rendering") }
    try claim()
    defer { unclaim() }
    try renderClaimed(frameCount, fill: fill, play: play, deliver: deliver)
  }

  /// Claims the engine's rendering for this thread, until ``unclaim()``.
  ///
  /// - Throws: ``EngineError/isRendering`` if the rendering is claimed: by another thread, or by this one, if a
  ///   function that the engine calls while it renders calls this one.
  func claim() throws(EngineError) {
    guard isClaimed.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
      throw .isRendering
    }
  }

  func unclaim() { isClaimed.store(false, ordering: .releasing) }

  /// As `render`, for a caller that has claimed the engine.
  func renderClaimed(
    _ frameCount: Int, fill: (AudioNode, Int, MutableSamples) -> Void,
    play: (AudioNode, EventBuffer, Int64) -> Void, deliver: (AudioNode, Int, Samples) -> Void
  ) throws(EngineError) {
    let memory = try offlineMemory(frameCount)
    let ioNodes = core.withLock { $0.ioNodes }.map { ioNode in
      (
        node: AudioNode(name: ioNode.name, id: ioNode.id, engine: self), number: ioNode.number,
        isInput: ioNode.isInput
      )
    }
    let start = renderer.position.load(ordering: .relaxed)
    for ioNode in ioNodes where ioNode.isInput {
      let bus = memory.inputs[ioNode.number]
      if let events = bus.events {
        events.clear()
        play(ioNode.node, events, start)
        let lost = events.takeDropped()
        if lost > 0 { broadcaster.send(.eventsLost(lost)) }
      }
      for channel in 0..<bus.channelCount {
        fill(ioNode.node, channel, MutableSamples(bus.channels[channel], count: frameCount))
      }
    }
    tick()
    core.withLock { $0.offline.isRendering = true }
    swiftlet_prepare_thread(0)
    renderer.render(cycle(frameCount, memory))
    core.withLock { core in
      core.controller.isLive = true
      core.offline.isRendering = false
      core.offlineTransport.advance(frameCount)
      for feed in core.taps.values { feed.drain() }
    }
    tick()
    for ioNode in ioNodes where !ioNode.isInput {
      let bus = memory.outputs[ioNode.number]
      for channel in 0..<bus.channelCount {
        deliver(ioNode.node, channel, Samples(bus.channels[channel], count: frameCount))
      }
    }
  }

  /// Renders cycles back to back, with the last sound of capture nodes, to measure their mean time; then as many
  /// again, each timed separately.
  ///
  /// A few uncounted cycles come first, since caches are cold then.
  ///
  /// - Returns: the mean time of the first cycles and the longest time of the others, in seconds.
  /// - Throws: the errors of `render(_:from:)`.
  package func measure(cycles: Int, of frameCount: Int) throws(EngineError) -> (mean: Double, longest: Double)
  {
    try claim()
    defer { unclaim() }
    let memory = try offlineMemory(frameCount), count = max(cycles, 1)
    tick()
    core.withLock { $0.offline.isRendering = true }
    swiftlet_prepare_thread(0)
    // Caches are cold at first.
    for _ in 0..<8 { renderer.render(cycle(frameCount, memory)) }
    let clock = ContinuousClock()
    let time = clock.measure { for _ in 0..<count { renderer.render(cycle(frameCount, memory)) } }
    var longest = Duration.zero
    for _ in 0..<count {
      longest = max(longest, clock.measure { renderer.render(cycle(frameCount, memory)) })
    }
    core.withLock { core in
      core.offline.isRendering = false
      for feed in core.taps.values { feed.drain() }
    }
    tick()
    return (time / .seconds(1) / Double(count), longest / .seconds(1))
  }

  /// Returns a function that renders the next cycle. Only one thread at a time may call it. From now on edits fade,
  /// as while sound plays.
  ///
  /// - Parameters:
  ///   - frameCount: the length of a cycle in frames.
  ///   - signal: the signal for the input nodes; nil to repeat their last sound.
  func renderingCycle(
    of frameCount: Int, hearing signal: TestSignal? = nil
  ) throws(EngineError) -> @Sendable () -> Void {
    let memory = Unchecked(try offlineMemory(frameCount))
    core.withLock { $0.controller.isLive = true }
    return { [self] in
      swiftlet_prepare_thread(0)
      if let signal {
        memory.value.fillInputs(frameCount, from: signal, at: renderer.position.load(ordering: .relaxed))
      }
      renderer.render(cycle(frameCount, memory.value, isFreewheeling: false))
      core.withLock { $0.offlineTransport.advance(frameCount) }
    }
  }

  /// Returns the memory of all input and output nodes, after preparing the graph and filling the streams.
  private func offlineMemory(_ frameCount: Int) throws(EngineError) -> OfflineMemory {
    guard jackClient == nil else { throw .offlineOnly("rendering") }
    guard 1...longestBlock ~= frameCount else { throw .tooManyFrames(asked: frameCount, most: longestBlock) }
    rehearsePlugins()
    return try core.withLock { core throws(EngineError) in
      if !core.isRunning {
        try core.admitMainNodes()
        try core.apply()
        core.state = .running
      }
      core.keepTime()
      if !core.offlineTransport.isReady { _ = core.areReady(at: core.offlineTransport.position) }
      core.rollWhenReady()
      core.joinTransport()
      core.prefetchThread?.fill(atLeast: frameCount)
      core.rollWhenReady()
      if !core.offlineTransport.isReady {
        core.offlineTransport.isReady = core.areReady(at: core.offlineTransport.position)
      }
      return Unchecked(core.offlineMemory(longestBlock))
    }.value
  }

  private func cycle(_ frameCount: Int, _ memory: OfflineMemory, isFreewheeling: Bool = true) -> Cycle {
    Cycle(
      frame: renderer.position.load(ordering: .relaxed), frameCount: frameCount, transport: offlineTransport,
      isFreewheeling: isFreewheeling && isOffline,
      inputs: memory.inputs, inputCount: memory.inputCount, outputs: memory.outputs,
      outputCount: memory.outputCount)
  }

  /// The transport for effects; stopped if the timeline does not follow it.
  private var offlineTransport: Transport {
    core.withLock { core in
      core.role.followsJackTransport ? core.offlineTransport.transport : Transport()
    }
  }
}

/// Carries a non-sendable value out of a lock. The caller guarantees that one thread renders at a time.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

extension EngineCore {
  mutating func offlineMemory(_ longestBlock: Int) -> OfflineMemory {
    if let memory = offline.memory { return memory }
    let new = OfflineMemory(
      for: graph, inputCount: inputCount, outputCount: outputCount, longestBlock: longestBlock)
    offline.memory = new
    return new
  }
}
