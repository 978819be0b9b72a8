// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import SwiftletSignal

/// All data of a plugin that the audio thread uses, in one place, without reference counting or lookups.
///
/// Tables are allocated and freed by ``PluginBody``. The audio thread owns their contents while the plugin plays.
struct PluginRuntime {
  /// An audio or CV port of one instance, and the memory that it was last connected to.
  struct Wire: BitwiseCopyable {
    var memory: UnsafeMutablePointer<Float>?
    var port: UInt32
    var bus: Int32
    var channel: Int32
    /// A buffer for a split block. It has space for the longest block, since some plugins process as many frames as
    /// the previous block had.
    var spacious: UnsafeMutablePointer<Float>
  }

  /// A control input's value and ramp.
  struct Control: BitwiseCopyable {
    var isParameter: Bool
    var isWhole: Bool
    var isMoving: Bool
    var low: Float, high: Float
    var ramp: Ramp
  }

  /// The longest block that was guaranteed to the plugin, in frames.
  var longest = 1
  /// The instances, at least one, and their function `run`. A direct call of several instances has the address of the
  /// row in the processor's runtime, which stays when the instances are exchanged; that of one instance has its handle.
  var row: swiftlet_row
  var connectPort: swiftlet_lv2_connect
  /// For each instance its inputs, then its outputs.
  var wires: UnsafeMutablePointer<Wire>
  var inputWireCount = 0, outputWireCount = 0

  /// The fixed block length that was guaranteed to the plugin, in frames; 0 if lengths may vary.
  var exact = 0
  /// For a plugin with a fixed block length: the last sample of each output channel, from which it ramps to silence.
  var held: UnsafeMutablePointer<Float>
  var heldCount = 0
  /// Whether the plugin did not process the last block.
  var isMissing = false
  /// Whether ramps split blocks on the 16-frame grid.
  var isOnGrid = true
  /// The substitutes for a channel that a block lacks: silence to read, and memory to write to.
  var silence: UnsafeMutablePointer<Float>
  var spare: UnsafeMutablePointer<Float>

  /// A float for each port, then one for each property, which is NaN until it is set. Further instances have rows of
  /// their own for their outputs.
  var values: UnsafeMutablePointer<Float>
  /// The values that a restored state gives to parameters, until they are in effect, as one row; NaN for all others.
  /// Control threads write them while the audio thread does not use the plugin.
  var restored: UnsafeMutablePointer<Float>
  /// One row, in the layout of `values`.
  var controls: UnsafeMutablePointer<Control>
  var portCount = 0
  /// The properties in the form that the audio thread sends.
  var properties: UnsafeMutablePointer<PatchAtom.Slot>
  var propertyCount = 0
  /// The event input for messages about properties; −1 if there is none.
  var messageInput = -1
  /// The message queues; nil for a plugin without properties.
  var messages: UnsafeMutablePointer<PluginMessages>?
  /// The ports and properties with ramps in progress.
  var moving: UnsafeMutablePointer<Int32>
  var movingCount = 0
  /// The ports of control outputs, in the order of the meters.
  var meters: UnsafeMutablePointer<Int32>
  var meterCount = 0
  var latencyPort = -1, freeWheelingPort = -1, enabledPort = -1
  /// The control input that clears the plugin's past sound, and whether to set it for the next call of `run`.
  var resetPort = -1, isToReset = false
  /// Whether the plugin must bypass itself.
  var isBypassed = false
  /// The control inputs that receive transport values.
  var clockPorts: UnsafeMutablePointer<ClockPort>
  var clockPortCount = 0
  var sampleRate: Float = 48_000
  /// The delay of an isolated plugin's output beyond the current cycle, in frames.
  var lag = 0
  /// The latency that was last published to the graph, in frames.
  var statedLatency = 0
  /// The number of frames after which a reported latency of 0 is taken as the plugin's latency.
  static var rehearsalLength: Int { @_noLocks @_noAllocation get { 8192 } }
  /// The number of frames that the plugin has played without reporting a latency.
  var unstatedFrames = 0

  var eventInputs: UnsafeMutablePointer<EventPort>
  var eventOutputs: UnsafeMutablePointer<EventPort>
  var eventInputCount = 0, eventOutputCount = 0
  /// Whether the host loads a preset for a program change, which the plugin then does not receive.
  var loadsPresets = false
  var programs = ProgramChangeReader()
  /// Whether events that the plugin sends are passed on.
  var passesEvents = true
  var types: EventTypes
  var clock = TransportTracker()
  /// Counters for the control thread.
  var faults: UnsafeMutablePointer<PluginFaultCounters.Counts>
  var worker: Unmanaged<PluginWorker>?
  /// Whether the plugin runs in a process of its own; then `plugins` are ``swiftlet_isolated``.
  var isIsolated = false
  /// Whether `finishRun` has work.
  var hasPostRunWork = false

  /// The number of instances.
  var pluginCount: Int { @_noLocks @_noAllocation get { Int(row.count) } }

  /// Whether the plugin has ports that the host controls or reads by itself.
  var hasHostPorts: Bool { @_noLocks @_noAllocation get { latencyPort >= 0 || hasHostInputs } }

  /// Whether a block is one call of `run` for each instance, apart from ramps, with no work before or after it.
  var isSimple: Bool {
    eventInputCount + eventOutputCount == 0 && !hasPostRunWork && !hasHostPorts && exact == 0
  }

  /// The latency that the plugin currently reports, in frames; 0 if it reports none or an invalid one.
  var latency: Int {
    @_noLocks @_noAllocation get {
      guard latencyPort >= 0, values[latencyPort] >= 0, values[latencyPort] < 1e8 else { return 0 }
      return Int(values[latencyPort])
    }
  }

  /// Whether a block is one slice: neither a ramp nor a guaranteed length requires it to be split.
  @_noLocks @_noAllocation @inline(__always) func runsWhole(_ block: Block) -> Bool {
    guard movingCount == 0, exact == 0 else { return false }
    return block.frameCount <= longest
  }

  /// Runs the plugin for a block, which is split if necessary.
  @_noLocks @_noAllocation mutating func process(_ block: Block) {
    if isIsolated { setOfflineFlags(of: block) }
    if hasHostInputs { setHostInputs(block.transport) }
    if runsWhole(block) { slice(block) } else { cut(block) }
  }

  /// Sets in isolated instances whether rendering is offline: if so, they may exceed the real-time limit.
  @_noLocks @_noAllocation func setOfflineFlags(of block: Block) {
    for number in 0..<pluginCount {
      let instance = row.plugins[number]?.assumingMemoryBound(to: swiftlet_isolated.self)
      instance?.pointee.is_offline = block.transport.isFreewheeling ? 1 : 0
    }
  }

  @_noLocks @_noAllocation private mutating func cut(_ block: Block) {
    // A plugin with a guaranteed length gets no other, whatever the backend does.
    if exact > 0, block.frameCount % exact != 0 { return miss(block) }
    var start = 0
    while start < block.frameCount {
      var count = min(block.frameCount - start, longest)
      if movingCount > 0, isOnGrid {
        count = min(count, 16 - Int(truncatingIfNeeded: block.frame + Int64(start)) & 15)
      }
      glide(count)
      slice(block.slice(from: start, count: count))
      start += count
    }
    if exact > 0 { hold(block) }
  }

  /// Calls `run` once for each instance.
  @_noLocks @_noAllocation private mutating func slice(_ block: Block) {
    if eventInputCount + eventOutputCount > 0 { prepareEvents(block) }
    let isCut = block.frameCount < longest
    var wire = wires
    for number in 0..<pluginCount {
      let plugin = row.plugins[number]
      for _ in 0..<inputWireCount {
        var memory = input(of: wire, block)
        if isCut, memory != silence {
          rt_copy_floats(wire.pointee.spacious, memory, block.frameCount)
          memory = wire.pointee.spacious
        }
        if wire.pointee.memory != memory { connect(plugin, wire, to: memory) }
        wire += 1
      }
      for _ in 0..<outputWireCount {
        let memory = isCut ? wire.pointee.spacious : output(of: wire, block)
        if wire.pointee.memory != memory { connect(plugin, wire, to: memory) }
        wire += 1
      }
      run(plugin, block.frameCount)
    }
    if isToReset { endReset() }
    if isCut { copyOutputs(block) }
    if hasPostRunWork { finishRun(block) }
  }

  /// Copies the outputs of all instances from their own buffers to the block.
  @_noLocks @_noAllocation private func copyOutputs(_ block: Block) {
    for number in 0..<pluginCount {
      let first = wires + number * (inputWireCount + outputWireCount) + inputWireCount
      for index in 0..<outputWireCount {
        let wire = first + index
        rt_copy_floats(output(of: wire, block), wire.pointee.spacious, block.frameCount)
      }
    }
  }

  /// The memory that an input reads: its channel of the block, or silence if the block has no such channel.
  @_noLocks @_noAllocation @inline(__always)
  private func input(of wire: UnsafeMutablePointer<Wire>, _ block: Block) -> UnsafeMutablePointer<Float> {
    let bus = Int(wire.pointee.bus), channel = Int(wire.pointee.channel)
    guard bus < block.inputCount else { return silence }
    let input = block.input(bus: bus)
    // LV2 uses one pointer type for both directions; a plugin does not write to its inputs.
    return channel < input.channelCount ? UnsafeMutablePointer(mutating: input[channel].unsafeBase) : silence
  }

  /// The memory that an output writes: its channel of the block, or unused memory if the block has no such channel.
  @_noLocks @_noAllocation @inline(__always)
  private func output(of wire: UnsafeMutablePointer<Wire>, _ block: Block) -> UnsafeMutablePointer<Float> {
    let bus = Int(wire.pointee.bus), channel = Int(wire.pointee.channel)
    guard bus < block.outputCount else { return spare }
    let output = block.output(bus: bus)
    return channel < output.channelCount ? output[channel].unsafeBase : spare
  }

  @_noLocks @_noAllocation @inline(__always) private func run(_ plugin: LV2_Handle?, _ frameCount: Int) {
    rt_third_party_enter()
    rt_begin_run(plugin)
    swiftlet_call_run(row.run, plugin, UInt32(truncatingIfNeeded: frameCount))
    rt_end_call()
    rt_mend_float_mode()
    rt_third_party_exit()
  }

  @_noLocks @_noAllocation private func connect(
    _ plugin: LV2_Handle?, _ wire: UnsafeMutablePointer<Wire>, to memory: UnsafeMutablePointer<Float>
  ) {
    wire.pointee.memory = memory
    rt_third_party_enter()
    rt_begin_connect(plugin)
    swiftlet_call_connect(connectPort, plugin, wire.pointee.port, memory)
    rt_end_call()
    rt_third_party_exit()
  }

  /// Delivers worker replies, collects output events, and publishes meter values.
  @_noLocks @_noAllocation private mutating func finishRun(_ block: Block) {
    if let worker {
      rt_third_party_enter()
      endRun(worker, isAlone: block.transport.isFreewheeling)
      rt_mend_float_mode()
      rt_third_party_exit()
    }
    if eventOutputCount > 0, passesEvents { collectEvents(block) }
    for meter in 0..<meterCount { block.show(values[Int(meters[meter])], on: meter) }
  }

  /// Borrows the worker, a class instance, without reference counting.
  @_semantics("no_performance_analysis")
  private func endRun(_ worker: Unmanaged<PluginWorker>, isAlone: Bool) {
    worker._withUnsafeGuaranteedRef { $0.endRun(isAlone: isAlone) }
  }

  /// Makes every audio output silent.
  @_noLocks @_noAllocation func silenceOutputs(_ block: Block) {
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus)
      for channel in 0..<output.channelCount { output[channel].clear() }
    }
  }
}
