// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletGraph
package import SwiftletSignal
internal import Synchronization

/// An LV2 plugin as a plan calls it. Made by ``PluginWorld/makeProcessor(uri:layout:preset:values:)``.
///
/// A parameter's number is the index of its port. Glides move in steps of the 16-frame grid; a plugin that
/// asks for whole blocks takes a step a block. Its latency is followed while it runs.
package final class PluginProcessor: Processor, @unchecked Sendable {
  /// Whether the audio thread may work on the plugin.
  enum Gate: Int {
    case open, closing, closed, opening
    /// A body that was made anew waits, or fades in beside the old one.
    case offered, crossing
    /// Nobody plays, and the new body is put in its place.
    case finishing
  }
  /// The body that plays, the one that is to take its place, and those that the audio thread has let go of.
  struct Bodies {
    var now: PluginBody
    var next: PluginBody?
    var spent: [PluginBody] = []
    /// The properties that were set since the last preset, oldest first.
    var assigned: [PropertyAssignment] = []
    /// The values that are known of properties, by URID: set, or reported by the plugin.
    var known: [UInt32: PropertyValue] = [:]
    /// The properties that the plugin was asked for.
    var asked: Set<UInt32> = []
    /// The states that were restored last, one for each instance, or one for all: what a plugin that has failed gets again.
    var states: [PluginState] = []
    /// When the process of the plugin has failed, as far as that matters still.
    var failures: [ContinuousClock.Instant] = []
    /// Whether it may have ended the process that it shared with others, and is to have one of its own.
    var isApart = false
  }

  let runtime: UnsafeMutablePointer<PluginRuntime>
  let gate = Atomic<Int>(Gate.open.rawValue)
  /// Open for blocks that are but a call of `run`: all ports are connected to
  /// where they lie, and nothing glides.
  let key = ShortcutKey()
  /// Whether there may be such blocks. A body that may be made anew has none:
  /// the plan would call the old one.
  let isSimple: Bool
  /// The way to the next body, while the gate says that there is one: a ``PluginCrossing``.
  let crossing = Atomic<UnsafeMutableRawPointer?>(nil)
  /// Whether a parameter or the state has changed since the latency was read last.
  let isAltered = Atomic(false)
  /// The plugin's URI.
  package let uri: String
  let bodies: Mutex<Bodies>
  /// The world that it was made in, in whose turn it is changed.
  package let world: PluginWorld
  private let log: PluginLog
  let tally: PluginTally

  /// What the plugin is, and what was promised to it.
  var body: PluginBody { bodies.withLock { $0.now } }

  init(_ body: PluginBody, in world: PluginWorld, latency: Int) {
    uri = body.model.uri
    bodies = Mutex(Bodies(now: body))
    self.world = world
    log = body.log
    tally = body.tally
    runtime = .allocate(capacity: 1)
    runtime.initialize(to: body.runtime.pointee)
    isSimple = body.runtime.pointee.isSimple && !body.model.reliesOnLengths && body.child == nil
    super.init(
      latency: latency + runtime.pointee.lag, cut: body.model.needsWholeBlocks ? .never : .grid,
      meterCount: runtime.pointee.meterCount,
      bypassesItself: runtime.pointee.enabledPort >= 0 && runtime.pointee.outputWireCount > 0,
      reporter: body.reporter)
    runtime.pointee.statedLatency = latency + runtime.pointee.lag
    mendAfterFailure(of: body)
  }

  deinit { runtime.deallocate() }

  package override var warmPlaces: (UnsafeRawPointer?, UnsafeRawPointer?) {
    guard isSimple else { return (UnsafeRawPointer(runtime), nil) }
    let row = runtime.pointee.row.pointee
    return row.count == 1
      ? (UnsafeRawPointer(runtime.pointee.values), UnsafeRawPointer(runtime.pointee.values))
      : (UnsafeRawPointer(row.first), UnsafeRawPointer(row.second))
  }

  package override var shortcut: Shortcut? {
    guard isSimple else { return nil }
    let longest = runtime.pointee.longest
    if runtime.pointee.pluginCount == 1 {
      let row = runtime.pointee.row.pointee
      return Shortcut(row.run, context: row.first, key: key, longestBlock: longest)
    }
    return Shortcut(swiftlet_run_row, context: runtime.pointee.row, key: key, longestBlock: longest)
  }

  /// Runs the plugin over a block: each instance of a mono plugin over its channel. Audio thread.
  package override func process(_ block: Block) {
    if bypassesItself { runtime.pointee.isBypassed = isToBypass }
    if gate.load(ordering: .acquiring) != Gate.open.rawValue { return processAtGate(block) }
    // A shorter block has gone through memory of the plugin's own.
    let isWhole = runtime.pointee.runsWhole(block) ? block.frameCount == runtime.pointee.longest : false
    runtime.pointee.process(block)
    if runtime.pointee.latencyPort >= 0 || runtime.pointee.lag > 0 { followLatency(after: block.frameCount) }
    if isSimple { isWhole ? openShortcut(for: block) : key.close() }
  }

  /// Moves a control input by its port's index, clamped to its range, over `frames` frames. Audio thread.
  package override func set(_ parameter: Int, to value: Float, over frames: Int) {
    runtime.pointee.set(parameter, to: value, over: max(frames, 0))
    isAltered.store(true, ordering: .releasing)
    if runtime.pointee.movingCount > 0 { key.close() }
  }

  /// Lets the plan call `run` itself from the next block on, if it is as this one was. Not where this one
  /// was cut: its ports are connected to where the last piece lay.
  private func openShortcut(for block: Block) {
    key.open(for: block)
    // Who closes the gate does it in the other order: one of us sees the other.
    if gate.load(ordering: .sequentiallyConsistent) != Gate.open.rawValue { key.close() }
  }

  /// Ends glides. What the plugin itself is to forget is no matter of the audio thread:
  /// ``restart(within:isPlaying:)``. Audio thread.
  package override func reset() { runtime.pointee.finishGlides() }

  /// Says whether somebody listens. Which cycles wait for the plugin's work is told by each; but one that
  /// waits when somebody listens again goes on at once. Any thread.
  package func listen(_ isHeard: Bool) {
    bodies.withLock {
      for body in [$0.now, $0.next] { body?.worker?.isHeard.store(isHeard, ordering: .relaxed) }
    }
  }

  /// What the plugin has logged since the last call, oldest first. Any thread but the audio thread.
  package func takeMessages() -> [PluginMessage] {
    readReports()
    return log.take()
  }

  /// What the host had to mend or give up since the last call, each to be read behind the plugin's name; of
  /// many of a kind one in ten seconds. Any thread but the audio thread.
  package func takeFaults() -> [String] { tally.take() }

  /// What has happened to the process of an isolated plugin since the last call, oldest first. Any thread but the audio
  /// thread.
  package func takeProcessNews() -> [ProcessNews] { tally.takeProcessNews() }

  /// How many events found no room in the plugin's buffers since it was made. Any thread.
  package var lostEvents: Int { tally.counts.pointee.lostEvents.load(ordering: .relaxed) }

  private var next: UnsafeMutablePointer<PluginCrossing>? {
    crossing.load(ordering: .acquiring)?.assumingMemoryBound(to: PluginCrossing.self)
  }

  /// Tells the graph how late the plugin says it is.
  private func followLatency(after frameCount: Int) {
    let stated = runtime.pointee.latency
    // Some state it only after some blocks; until then the latency from the rehearsal is used.
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
    case .closed, .finishing: runtime.pointee.silenceOutputs(block)
    case .offered:
      let (isTaken, _) = gate.compareExchange(
        expected: Gate.offered.rawValue, desired: Gate.crossing.rawValue, ordering: .acquiringAndReleasing)
      if isTaken { cross(block) } else { runtime.pointee.process(block) }
    case .crossing: cross(block)
    case .open, nil: runtime.pointee.process(block)
    }
  }

  private func cross(_ block: Block) {
    guard let next else { return runtime.pointee.process(block) }
    guard next.pointee.run(block, from: runtime) else { return }
    next.pointee.finish(runtime)
    gate.store(Gate.open.rawValue, ordering: .releasing)
  }

  @_noLocks @_noAllocation private func fade(_ block: Block, from start: Float, to end: Float) {
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for channel in 0..<output.channelCount { output[channel].fade(from: start, to: end) }
    }
  }
}
