// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
public import SwiftletSignal
internal import Synchronization

/// An LV2 plugin as a plan calls it. Made by ``PluginWorld/makeProcessor(uri:layout:preset:values:)``.
///
/// A parameter's number is the index of its port. Glides move in steps of the 16-frame grid; a plugin that asks for
/// whole blocks takes a step a block. Its latency is followed while it runs.
public final class PluginProcessor: Processor, @unchecked Sendable {
  /// Whether the audio thread may work on the plugin.
  enum Gate: Int {
    case open, closing, closed, opening
  }

  // These two stand first: with what comes before them they share a line of the cache.
  private let runtime: UnsafeMutablePointer<PluginRuntime>
  let gate = Atomic<Int>(Gate.open.rawValue)
  /// The plugin's URI.
  public var uri: String { body.model.uri }
  /// What the plugin is, and what was promised to it.
  let body: PluginBody
  let world: PluginWorld
  private let isFreewheeling = Atomic<Bool>(false)

  init(_ body: PluginBody, in world: PluginWorld, latency: Int) {
    self.body = body
    self.world = world
    runtime = body.runtime
    super.init(
      latency: latency, cut: body.model.needsWholeBlocks ? .never : .grid,
      meterCount: runtime.pointee.meterCount)
    runtime.pointee.statedLatency = latency
  }

  public override var warmPlaces: [UnsafeRawPointer] {
    let handle = runtime.pointee.pluginCount > 0 ? runtime.pointee.plugins[0] : nil
    return [UnsafeRawPointer(runtime), handle.map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(runtime)]
  }

  /// Runs the plugin over a block: each instance of a mono plugin over its channel. Audio thread.
  public override func process(_ block: Block) {
    if gate.load(ordering: .acquiring) != Gate.open.rawValue { return processAtGate(block) }
    if runtime.pointee.processKnown(block) { return }
    runtime.pointee.process(block)
    if runtime.pointee.hasHostPorts { seeToHostPorts() }
  }

  /// Moves a control input by its port's index, clamped to its range, over `frames` frames. Audio thread.
  public override func set(_ parameter: Int, to value: Float, over frames: Int) {
    runtime.pointee.set(parameter, to: value, over: max(frames, 0))
  }

  /// Ends glides, and makes the plugin forget: LV2 knows no other way than to deactivate and activate it, which a
  /// plugin may take its time for. Audio thread.
  public override func reset() {
    runtime.pointee.finishGlides()
    runtime.pointee.restart()
  }

  /// Tells the plugin whether nobody listens, so that it may take its time for its best; then the audio thread waits
  /// for its worker, too. Any thread.
  public func freewheel(_ isFreewheeling: Bool) {
    self.isFreewheeling.store(isFreewheeling, ordering: .relaxed)
    body.worker?.waits.store(isFreewheeling, ordering: .relaxed)
  }

  /// What the plugin has logged since the last call, oldest first. Any thread but the audio thread.
  public func takeMessages() -> [PluginMessage] { body.log.take() }

  /// How many events found no room in the plugin's buffers since it was made. Any thread.
  public var lostEvents: Int { runtime.pointee.lostEvents }

  private func seeToHostPorts() {
    let port = runtime.pointee.freeWheelingPort
    if port >= 0 { runtime.pointee.values[port] = isFreewheeling.load(ordering: .relaxed) ? 1 : 0 }
    let stated = runtime.pointee.latency
    // Some state it only after some blocks; until then the rehearsal's word counts.
    guard stated > 0 || runtime.pointee.hasStatedLatency else { return }
    runtime.pointee.hasStatedLatency = true
    if runtime.pointee.latencyPort >= 0, stated != runtime.pointee.statedLatency {
      runtime.pointee.statedLatency = stated
      latency.store(stated, ordering: .relaxed)
    }
  }

  /// While the gate moves: a block that fades out, silence, a block that fades in.
  private func processAtGate(_ block: Block) {
    switch Gate(rawValue: gate.load(ordering: .acquiring)) {
    case .closing:
      runtime.pointee.process(block)
      fade(block, from: 1, to: 0)
      _ = gate.compareExchange(
        expected: Gate.closing.rawValue, desired: Gate.closed.rawValue, ordering: .acquiringAndReleasing)
    case .opening:
      runtime.pointee.process(block)
      fade(block, from: 0, to: 1)
      _ = gate.compareExchange(
        expected: Gate.opening.rawValue, desired: Gate.open.rawValue, ordering: .acquiringAndReleasing)
    case .closed: runtime.pointee.silenceOutputs(block)
    case .open, nil: runtime.pointee.process(block)
    }
  }

  @_noLocks @_noAllocation private func fade(_ block: Block, from start: Float, to end: Float) {
    let step = (end - start) / Float(block.frameCount)
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for channel in 0..<output.channelCount {
        let samples = output[channel]
        for frame in 0..<block.frameCount { samples[frame] *= start + step * Float(frame + 1) }
      }
    }
  }
}
