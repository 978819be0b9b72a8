// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// An instance of a plugin: the object behind an LV2 handle.
///
/// It imposes no conditions on the host: blocks may have any length, and buffers may be shared. A control that has
/// changed when a run begins moves with the parameter's own ramp; before the first run, at once.
@safe class PluginInstance {
  /// The maximum block length for the effect, in frames; longer runs are split.
  static var longestBlock: Int { @_noLocks @_noAllocation get { 1024 } }

  let buses: InstanceBuses
  private let events: UnsafeMutablePointer<InstanceEvents>
  private let dry: UnsafeMutablePointer<BypassPath>
  private let limits: UnsafeMutablePointer<ParameterLimit>
  /// The values that were last read from the controls.
  private let values: UnsafeMutablePointer<Float>
  let parameterCount: Int
  private let portCount: Int, firstParameter: Int
  private let enabledPort: Int, latencyPort: Int, firstMeter: Int
  private var frame: Int64 = 0
  /// Whether no frame has been processed yet.
  private var isFresh = true

  /// The operations on the effect, which subclasses override.
  var latency: Int { 0 }
  func reset() {}
  func set(_ number: Int, to value: Float, over frames: Int) {}
  func process(_ block: Block) {}
  /// Called at the begin of a run, after the controls have been read. `isFresh` is true before the first processed
  /// frame.
  func prepare(isFresh: Bool) {}

  /// Initializes everything except the effect. The subclass calls ``measure(_:sampleRate:)`` once the effect exists.
  init(for plugin: ExportedPlugin, sampleRate: Double, _ types: HostTypes?) {
    portCount = plugin.portCount
    firstParameter = plugin.firstParameter
    parameterCount = plugin.parameters.count
    enabledPort = plugin.enabledPort
    latencyPort = plugin.latencyPort
    firstMeter = plugin.firstMeter
    unsafe limits = .allocate(capacity: parameterCount + 1)
    unsafe values = .allocate(capacity: parameterCount + 1)
    for (number, parameter) in plugin.parameters.enumerated() {
      let limit = ParameterLimit(parameter.description, sampleRate: sampleRate)
      unsafe (limits + number).initialize(to: limit)
      unsafe (values + number).initialize(to: parameter.description.initial)
    }
    buses = InstanceBuses(plugin, longestBlock: Self.longestBlock)
    unsafe events = .allocate(capacity: 1)
    unsafe events.initialize(to: InstanceEvents(plugin, buses, sampleRate: sampleRate, types))
    unsafe dry = .allocate(capacity: 1)
    unsafe dry.initialize(
      to: BypassPath(
        channelCount: 0, longestLatency: 0, longestBlock: Self.longestBlock, sampleRate: sampleRate)
    )
  }

  deinit {
    unsafe events.deinitialize(count: 1)
    unsafe events.deallocate()
    unsafe dry.deinitialize(count: 1)
    unsafe dry.deallocate()
    unsafe limits.deallocate()
    unsafe values.deallocate()
  }

  /// Determines the effect's maximum latency, and allocates the bypass path for it. Sets every parameter to all its
  /// choices or both ends of its range, then restores the initial state.
  func measure(_ plugin: ExportedPlugin, sampleRate: Double) {
    var longest = latency
    for (number, parameter) in plugin.parameters.enumerated() {
      let range = parameter.description.range
      let steps = parameter.description.choices.count
      for step in 0..<max(steps, 2) {
        set(number, to: steps > 0 ? Float(step) : step == 0 ? range.lowerBound : range.upperBound, over: 0)
        longest = max(longest, latency)
      }
    }
    for (number, parameter) in plugin.parameters.enumerated() {
      set(number, to: parameter.description.initial, over: 0)
    }
    reset()
    unsafe dry.pointee = BypassPath(
      channelCount: plugin.inputs.first ?? 0, longestLatency: longest, longestBlock: Self.longestBlock,
      sampleRate: sampleRate)
  }

  /// Connects a port to memory; nil disconnects it.
  func connect(_ port: Int, to memory: UnsafeMutableRawPointer?) {
    guard port >= 0, port < portCount else { return }
    unsafe buses.ports[port] = memory?.assumingMemoryBound(to: Float.self)
  }

  /// Clears all past sound.
  func activate() {
    reset()
    unsafe dry.pointee.reset()
    isFresh = true
  }

  /// Processes a run. Audio thread.
  func run(_ frameCount: Int) {
    let denormals = rt_flush_denormals()
    takeControls()
    prepare(isFresh: isFresh)
    buses.look()
    unsafe events.pointee.begin(buses)
    if frameCount == 0 { _ = unsafe events.pointee.receive(from: 0, most: 0, frame: frame, buses) }
    var start = 0
    while start < frameCount {
      let most = min(frameCount - start, Self.longestBlock)
      let count = unsafe events.pointee.receive(from: start, most: most, frame: frame, buses)
      work(from: start, count)
      start += count
      isFresh = false
    }
    show()
    rt_restore_denormals(denormals)
  }

  private func work(from start: Int, _ count: Int) {
    buses.point(from: start, count)
    let block = unsafe Block(over: buses.memory, frameCount: count, frame: frame)
    if block.inputCount > 0 {
      let main = block.input()
      for channel in 0..<main.channelCount { unsafe dry.pointee.keep(main[channel], channel: channel) }
    }
    process(block)
    unsafe events.pointee.send(from: start, count: count, frame: frame)
    if block.outputCount > 0 { unsafe dry.pointee.blend(block.output(), latency: latency) }
    frame += Int64(count)
  }

  /// Reads the host's controls and sets the parameters that have changed.
  private func takeControls() {
    for number in 0..<parameterCount {
      guard let port = unsafe buses.ports[firstParameter + number] else { continue }
      let value = unsafe rt_load_float(port), limit = unsafe limits[number]
      if unsafe value == values[number] || value.isNaN { continue }
      unsafe values[number] = value
      set(number, to: limit.nearest(to: value), over: isFresh ? 0 : -limit.glide)
    }
    var isOff = false
    if let enabled = unsafe buses.ports[enabledPort] { isOff = unsafe rt_load_float(enabled) <= 0 }
    if isFresh {
      unsafe dry.pointee.start(isOpen: isOff, latency: latency)
    } else {
      unsafe dry.pointee.open(isOff)
    }
  }

  /// A parameter's value as last read from its control.
  func value(_ number: Int) -> Float { unsafe limits[number].nearest(to: values[number]) }

  /// Writes the meters and the latency to their ports.
  private func show() {
    if let port = unsafe buses.ports[latencyPort] { unsafe rt_store_float(port, Float(latency)) }
    for meter in 0..<buses.meterCount {
      guard let port = unsafe buses.ports[firstMeter + meter] else { continue }
      unsafe rt_store_float(port, buses.meters[meter])
    }
  }
}
