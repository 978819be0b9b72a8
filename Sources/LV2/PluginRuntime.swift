// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import SwiftletSignal

/// All that the audio thread touches of a plugin, in one place, with nothing counted and nothing looked up.
///
/// Tables are allocated and freed by ``PluginBody``; the audio thread owns their
/// contents while the plugin plays.
struct PluginRuntime {
  /// An audio or CV port of one instance, and the memory it was last connected to.
  struct Wire: BitwiseCopyable {
    var memory: UnsafeMutablePointer<Float>?
    var port: UInt32
    var bus: Int32
    var channel: Int32
    /// Memory for a block that is cut. It has room for the longest block, since some plugins process as many frames as
    /// the block before had.
    var spacious: UnsafeMutablePointer<Float>
  }

  /// A control input's value and where it is going.
  struct Control: BitwiseCopyable {
    var isParameter: Bool
    var isWhole: Bool
    var isMoving: Bool
    var low: Float, high: Float
    var ramp: Ramp
  }

  /// The longest block the plugin was promised.
  var longest = 1
  /// The instances, one or more, and their function `run`. A shortcut reads them here.
  var row: UnsafeMutablePointer<swiftlet_row>
  var connectPort: swiftlet_lv2_connect
  /// For each instance its inputs, then its outputs.
  var wires: UnsafeMutablePointer<Wire>
  var inputWireCount = 0, outputWireCount = 0

  /// The one length that the plugin was promised for all its blocks; 0 where they may vary.
  var exact = 0
  /// The last sample that each output channel had, where one length was promised: from there it falls silent.
  var held: UnsafeMutablePointer<Float>
  var heldCount = 0
  /// Whether the last block was none for the plugin.
  var isMissing = false
  /// Whether a glide cuts blocks on the grid.
  var isOnGrid = true
  /// What stands in for a channel that a block lacks: silence to read, and a place to write.
  var silence: UnsafeMutablePointer<Float>
  var spare: UnsafeMutablePointer<Float>

  /// A float for each port, then one for each property, which is NaN until it is set; outputs of further instances have
  /// rows of their own.
  var values: UnsafeMutablePointer<Float>
  /// As `values`, one row.
  var controls: UnsafeMutablePointer<Control>
  var portCount = 0
  /// The properties as the audio thread sends them.
  var properties: UnsafeMutablePointer<PatchAtom.Slot>
  var propertyCount = 0
  /// The event input that takes messages about properties; −1 for a plugin without.
  var messageInput = -1
  /// Messages from control threads, and those that the plugin sent; nil for a plugin without properties.
  var messages: UnsafeMutablePointer<PluginMessages>?
  /// The ports and properties that glide.
  var moving: UnsafeMutablePointer<Int32>
  var movingCount = 0
  /// The ports of control outputs, in the order of the meters.
  var meters: UnsafeMutablePointer<Int32>
  var meterCount = 0
  var latencyPort = -1, freeWheelingPort = -1, enabledPort = -1
  /// The control input that has the plugin forget all sound, and whether it is to do so in the next call of `run`.
  var resetPort = -1, isToReset = false
  /// Whether the plugin is told to let sound pass it by.
  var isBypassed = false
  /// The control inputs that are told of the transport.
  var clockPorts: UnsafeMutablePointer<ClockPort>
  var clockPortCount = 0
  var sampleRate: Float = 48_000
  /// How much later an isolated plugin is heard than in the same cycle, in frames.
  var lag = 0
  /// The latency that was last told to the graph.
  var statedLatency = 0
  /// For how many frames a plugin may state no latency before it is believed to have none.
  static var rehearsalLength: Int { @_noLocks @_noAllocation get { 8192 } }
  /// How many frames the plugin has played without stating one.
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
  var clock = SongClock()
  /// What is counted for the control thread.
  var tally: UnsafeMutablePointer<PluginTally.Counts>
  var worker: Unmanaged<PluginWorker>?
  /// Whether the plugin runs in a process of its own; then `plugins` are ``swiftlet_isolated``.
  var isIsolated = false
  /// Whether there is something to see to after each run.
  var hasAftermath = false

  /// The number of instances.
  var pluginCount: Int { @_noLocks @_noAllocation get { Int(row.pointee.count) } }

  /// Whether the plugin has ports that the host sees to by itself.
  var hasHostPorts: Bool { @_noLocks @_noAllocation get { latencyPort >= 0 || hasHostInputs } }

  /// Whether a block is one call of `run` for each instance, but for glides: nothing is to be seen to before or after it.
  var isSimple: Bool {
    eventInputCount + eventOutputCount == 0 && !hasAftermath && !hasHostPorts && exact == 0
  }

  /// The latency that the plugin states now, in frames; 0 for one that states none, or nonsense.
  var latency: Int {
    @_noLocks @_noAllocation get {
      guard latencyPort >= 0, values[latencyPort] >= 0, values[latencyPort] < 1e8 else { return 0 }
      return Int(values[latencyPort])
    }
  }

  /// Whether a block is one slice: no glide, and no promise on lengths, asks for it to be cut.
  @_noLocks @_noAllocation @inline(__always) func runsWhole(_ block: Block) -> Bool {
    guard movingCount == 0, exact == 0 else { return false }
    return block.frameCount <= longest
  }

  /// Runs the plugin over a block, which is cut where it must be.
  @_noLocks @_noAllocation mutating func process(_ block: Block) {
    if isIsolated { tellChildren(of: block) }
    if hasHostInputs { setHostInputs(block.transport) }
    if runsWhole(block) { slice(block) } else { cut(block) }
  }

  @_noLocks @_noAllocation private mutating func cut(_ block: Block) {
    // A plugin that was promised one length gets no other, whatever the backend does.
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

  /// One call of `run` for each instance.
  @_noLocks @_noAllocation private mutating func slice(_ block: Block) {
    if eventInputCount + eventOutputCount > 0 { prepareEvents(block) }
    let isCut = block.frameCount < longest
    var wire = wires
    for number in 0..<pluginCount {
      let plugin = row.pointee.plugins[number]
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
    if hasAftermath { aftermath(block) }
  }

  /// Copies what all instances have played from the spacious memory to the block.
  @_noLocks @_noAllocation private func copyOutputs(_ block: Block) {
    for number in 0..<pluginCount {
      let first = wires + number * (inputWireCount + outputWireCount) + inputWireCount
      for place in 0..<outputWireCount {
        let wire = first + place
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
    // LV2 has one type for both directions; a plugin does not write to its inputs.
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
    rt_foreign_enter()
    rt_begin_run(plugin)
    swiftlet_call_run(row.pointee.run, plugin, UInt32(truncatingIfNeeded: frameCount))
    rt_end_call()
    rt_mend_float_mode()
    rt_foreign_exit()
  }

  @_noLocks @_noAllocation private func connect(
    _ plugin: LV2_Handle?, _ wire: UnsafeMutablePointer<Wire>, to memory: UnsafeMutablePointer<Float>
  ) {
    wire.pointee.memory = memory
    rt_foreign_enter()
    rt_begin_connect(plugin)
    swiftlet_call_connect(connectPort, plugin, wire.pointee.port, memory)
    rt_end_call()
    rt_foreign_exit()
  }

  /// Replies from the worker, events that came out, values to show.
  @_noLocks @_noAllocation private mutating func aftermath(_ block: Block) {
    if let worker {
      rt_foreign_enter()
      endRun(worker, isAlone: block.transport.isFreewheeling)
      rt_mend_float_mode()
      rt_foreign_exit()
    }
    if eventOutputCount > 0, passesEvents { collectEvents(block) }
    for meter in 0..<meterCount { block.show(values[Int(meters[meter])], on: meter) }
  }

  /// The worker is a class; borrowing it counts nothing.
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
