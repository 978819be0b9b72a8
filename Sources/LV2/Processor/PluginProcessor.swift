// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletGraph
package import SwiftletSignal
internal import Synchronization

/// An LV2 plugin as a processor of a plan. Created by ``PluginWorld/makeProcessor(uri:layout:preset:values:)``.
///
/// A parameter's number is the index of its port. Ramps advance on the 16-frame grid; for a plugin that requires whole
/// blocks, once a block. Latency changes are followed while the plugin runs.
package final class PluginProcessor: Processor, @unchecked Sendable {
  /// Whether the audio thread may use the plugin.
  enum Gate: Int {
    case open, closing, closed, opening
    /// A new body is offered, or is being crossfaded to.
    case offered, crossfading
    /// The plugin does not play, and the new body is being put in place.
    case finishing
  }
  /// The body that plays, the one that will replace it, and those that the audio thread no longer uses.
  struct Bodies {
    var now: PluginBody
    var next: PluginBody?
    var spent: [PluginBody] = []
    /// The properties that were set since the last preset, oldest first.
    var assigned: [PropertyAssignment] = []
    /// The known values of properties, by URID: set by a caller or reported by the plugin.
    var known: [UInt32: PropertyValue] = [:]
    /// The properties that were requested from the plugin.
    var requested: Set<UInt32> = []
    /// The states that were restored last, one for each instance or one for all. A plugin is restored from them after
    /// a failure.
    var states: [PluginState] = []
    /// The program that was selected last, after these states; nil if none was.
    var program: ProgramChange?
    /// The times of recent failures of the plugin's process.
    var failures: [ContinuousClock.Instant] = []
    /// Whether the plugin may have ended the process that it shared, so that it gets one of its own.
    var isApart = false
  }

  let runtime: UnsafeMutablePointer<PluginRuntime>
  let gate = Atomic<Int>(Gate.open.rawValue)
  /// Open for blocks that are a single call of `run`: all ports are connected to the plan's buffers, and no parameter
  /// ramps.
  let key = DirectCallKey()
  /// Whether such blocks are possible. They are not for an isolated plugin, which receives the mode of each block, or one that
  /// depends on the block length, since a plan keeps the longest block of a direct call.
  let isSimple: Bool
  /// The ``PluginCrossfade`` to the next body, while the gate is `offered` or `crossfading`.
  let crossfade = Atomic<UnsafeMutableRawPointer?>(nil)
  /// Whether a parameter or the state has changed since the latency was last read.
  let isAltered = Atomic(false)
  /// The plugin's URI.
  package let uri: String
  /// The programs that the plugin's code listed when it was instantiated.
  package let programs: [PluginProgram]
  let bodies: Mutex<Bodies>
  /// The world that the plugin was created in.
  package let world: PluginWorld
  /// Held while a control thread changes the plugin. Taken before any lock that an `isPlaying` callback takes.
  let changeLock = ControlLock()
  private let log: PluginLog
  let faults: PluginFaultCounters

  /// The current body.
  var body: PluginBody { bodies.withLock { $0.now } }

  init(_ body: PluginBody, in world: PluginWorld, latency: Int) {
    uri = body.model.uri
    programs = body.programs
    bodies = Mutex(Bodies(now: body))
    self.world = world
    log = body.log
    faults = body.faults
    runtime = .allocate(capacity: 1)
    runtime.initialize(to: body.runtime.pointee)
    isSimple = body.runtime.pointee.isSimple && !body.model.dependsOnBlockLength && body.child == nil
    super.init(
      latency: latency + runtime.pointee.lag, cut: body.model.needsWholeBlocks ? .never : .grid,
      meterCount: runtime.pointee.meterCount,
      bypassesItself: runtime.pointee.enabledPort >= 0 && runtime.pointee.outputWireCount > 0,
      reporter: body.reporter)
    runtime.pointee.statedLatency = latency + runtime.pointee.lag
    scheduleRestart(of: body)
  }

  deinit { runtime.deallocate() }

  package override var prefetchAddresses: (UnsafeRawPointer?, UnsafeRawPointer?) {
    guard isSimple else { return (UnsafeRawPointer(runtime), nil) }
    // The instances of a small plugin are next to each other. The body's own data never changes, unlike the copy that
    // the audio thread uses.
    let own = body.runtime
    return (UnsafeRawPointer(own.pointee.values), UnsafeRawPointer(own.pointee.row.first))
  }

  package override var directCall: DirectCall? {
    guard isSimple else { return nil }
    let longest = body.runtime.pointee.longest, row = body.runtime.pointee.row
    if row.count == 1 { return DirectCall(row.run, context: row.first, key: key, longestBlock: longest) }
    return withUnsafeMutablePointer(to: &runtime.pointee.row) {
      DirectCall(swiftlet_run_row, context: $0, key: key, longestBlock: longest)
    }
  }

  /// Runs the plugin for a block; each instance of a mono plugin processes its channel. Audio thread.
  package override func process(_ block: Block) {
    if bypassesItself { runtime.pointee.isBypassed = isToBypass }
    if gate.load(ordering: .acquiring) != Gate.open.rawValue { return processAtGate(block) }
    // A shorter block has passed through the plugin's own buffers.
    let isWhole = runtime.pointee.runsWhole(block) ? block.frameCount == runtime.pointee.longest : false
    runtime.pointee.process(block)
    if runtime.pointee.latencyPort >= 0 || runtime.pointee.lag > 0 { followLatency(after: block.frameCount) }
    if isSimple { isWhole ? openDirectCall(for: block) : key.close() }
  }

  /// Sets a control input by its port's index, clamped to its range, with a ramp over `frames` frames. Audio thread.
  package override func set(_ parameter: Int, to value: Float, over frames: Int) {
    runtime.pointee.set(parameter, to: value, over: max(frames, 0))
    isAltered.store(true, ordering: .releasing)
    if runtime.pointee.movingCount > 0 { key.close() }
  }

  /// Lets the plan call `run` itself from the next block on, if that is like this one. Not called after a split block,
  /// since the ports are then connected to the last slice's memory.
  private func openDirectCall(for block: Block) {
    key.open(for: block)
    // A thread that closes the gate does this in the opposite order, so that at least one of the two sees the other.
    if gate.load(ordering: .sequentiallyConsistent) != Gate.open.rawValue { key.close() }
  }

  /// Ends ramps. Clearing the plugin's past sound is not possible on the audio thread: see
  /// ``restart(within:isPlaying:)``. Audio thread.
  package override func reset() { runtime.pointee.finishGlides() }

  /// Sets whether rendering is live. Each cycle determines whether it waits for the plugin's work; setting `isHeard`
  /// ends a wait that is in progress. Any thread.
  package func listen(_ isHeard: Bool) {
    bodies.withLock {
      for body in [$0.now, $0.next] { body?.worker?.isLive.store(isHeard, ordering: .relaxed) }
    }
  }

  /// The messages that the plugin has logged since the last call, oldest first. Any thread except the audio thread.
  package func takeMessages() -> [PluginMessage] {
    readReports()
    return log.take()
  }

  /// The faults that the host corrected or gave up on since the last call, each phrased to follow the plugin's name;
  /// at most one report in ten seconds. Any thread except the audio thread.
  package func takeFaults() -> [String] { faults.take() }

  /// Returns the faults of the events that the plugin sent, each once, phrased to follow the plugin's name. The host has
  /// corrected them. Control thread.
  package func takeEventFaults() -> [String] { faults.takeEventFaults() }

  /// The events of an isolated plugin's process since the last call, oldest first. Any thread except the audio thread.
  package func takeProcessEvents() -> [PluginProcessEvent] { faults.takeProcessEvents() }

  /// The number of events that did not fit in the plugin's buffers since it was created. Any thread.
  package var lostEvents: Int { faults.counts.pointee.lostEvents.load(ordering: .relaxed) }

  private var next: UnsafeMutablePointer<PluginCrossfade>? {
    crossfade.load(ordering: .acquiring)?.assumingMemoryBound(to: PluginCrossfade.self)
  }

  /// Publishes the latency that the plugin reports to the graph.
  private func followLatency(after frameCount: Int) {
    let stated = runtime.pointee.latency
    // Some plugins report it only after some blocks; until then the latency from the rehearsal is used.
    if stated == 0, runtime.pointee.unstatedFrames < PluginRuntime.rehearsalLength {
      return runtime.pointee.unstatedFrames += frameCount
    }
    runtime.pointee.unstatedFrames = PluginRuntime.rehearsalLength
    let total = stated + runtime.pointee.lag
    if total != runtime.pointee.statedLatency {
      runtime.pointee.statedLatency = total
      publish(latency: total)
    }
  }

  /// Processes a block while the gate is not open: fades out, is silent, fades in, or crossfades.
  private func processAtGate(_ block: Block) {
    switch Gate(rawValue: gate.load(ordering: .acquiring)) {
    case .closing:
      runtime.pointee.process(block)
      fade(block, from: 1, to: 0)
      _ = gate.compareExchange(
        expected: Gate.closing.rawValue, desired: Gate.closed.rawValue, ordering: .acquiringAndReleasing)
    case .opening:
      runtime.pointee.takeRestored()
      runtime.pointee.process(block)
      fade(block, from: 0, to: 1)
      _ = gate.compareExchange(
        expected: Gate.opening.rawValue, desired: Gate.open.rawValue, ordering: .acquiringAndReleasing)
    case .closed, .finishing: runtime.pointee.silenceOutputs(block)
    case .offered:
      let (isTaken, _) = gate.compareExchange(
        expected: Gate.offered.rawValue, desired: Gate.crossfading.rawValue, ordering: .acquiringAndReleasing)
      if isTaken { cross(block) } else { runtime.pointee.process(block) }
    case .crossfading: cross(block)
    case .open, nil: runtime.pointee.process(block)
    }
  }

  /// Has plans call the instance that has replaced the previous one. Several instances are called through the
  /// processor's own row. Called while the gate is not open.
  @_noLocks @_noAllocation func replaceDirectCall() {
    guard isSimple, runtime.pointee.pluginCount == 1 else { return }
    key.replace(runtime.pointee.row.run, context: runtime.pointee.row.first)
  }

  private func cross(_ block: Block) {
    guard let next else { return runtime.pointee.process(block) }
    guard next.pointee.run(block, from: runtime) else { return }
    next.pointee.finish(runtime)
    replaceDirectCall()
    gate.store(Gate.open.rawValue, ordering: .releasing)
  }

  @_noLocks @_noAllocation private func fade(_ block: Block, from start: Float, to end: Float) {
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for channel in 0..<output.channelCount { output[channel].fade(from: start, to: end) }
    }
  }
}
