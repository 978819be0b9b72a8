// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The ports of an instance, as the buses of a block.
///
/// LV2 allows a host to use one buffer for any input and any output. An input is copied first if the effect cannot
/// handle the sharing.
@safe struct InstanceBuses: ~Copyable {
  /// The host's buffer of each port.
  let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The memory that a block refers to.
  let memory: UnsafeMutablePointer<BlockMemory>
  let meters: UnsafeMutablePointer<Float>
  let meterCount: Int
  private let inputCount: Int, outputCount: Int, longestBlock: Int
  /// The number of channels of the first output that may share the buffer of the same channel of the first input.
  private let sharedCount: Int
  private let buses: UnsafeMutablePointer<BusMemory>
  private let busCount: Int
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// For each input channel whether it must be copied.
  private let isShared: UnsafeMutablePointer<Bool>
  /// A buffer for each channel: for copies of inputs, for silence, or for unconnected outputs.
  private let spare: UnsafeMutablePointer<Float>
  /// The block's transport.
  let transport: UnsafeMutablePointer<Transport>
  /// The memory for the events of each event bus.
  private let eventMemory: UnsafeMutableRawPointer

  init(_ plugin: ExportedPlugin, longestBlock: Int) {
    inputCount = plugin.inputCount
    outputCount = plugin.outputCount
    self.longestBlock = longestBlock
    sharedCount =
      plugin.description.worksInPlace ? min(plugin.inputs.first ?? 0, plugin.outputs.first ?? 0) : 0
    meterCount = plugin.description.meters.count
    busCount = plugin.inputs.count + plugin.outputs.count
    let count = inputCount + outputCount
    unsafe ports = .allocate(capacity: plugin.portCount)
    unsafe ports.initialize(repeating: nil, count: plugin.portCount)
    unsafe meters = .allocate(capacity: meterCount + 1)
    unsafe meters.initialize(repeating: 0, count: meterCount + 1)
    unsafe spare = .allocate(capacity: (count + 1) * longestBlock)
    unsafe spare.initialize(repeating: 0, count: (count + 1) * longestBlock)
    unsafe channels = .allocate(capacity: count + 1)
    unsafe channels.initialize(repeating: spare, count: count + 1)
    unsafe isShared = .allocate(capacity: count + 1)
    unsafe isShared.initialize(repeating: false, count: count + 1)
    unsafe buses = .allocate(capacity: busCount + 1)
    unsafe eventMemory = .allocate(byteCount: (busCount + 1) * Self.eventBytes, alignment: 8)
    var first = 0
    let described = plugin.description.inputs + plugin.description.outputs
    for (index, width) in (plugin.inputs + plugin.outputs).enumerated() {
      let table = unsafe UnsafePointer(channels + first)
      if described[index].content == .events {
        let events = unsafe EventBuffer(
          over: eventMemory + index * Self.eventBytes, byteCount: Self.eventBytes)
        unsafe (buses + index).initialize(to: BusMemory(events: events, channels: table))
      } else {
        unsafe (buses + index).initialize(to: BusMemory(channels: table, channelCount: width))
      }
      first += width
    }
    unsafe transport = .allocate(capacity: 1)
    unsafe transport.initialize(to: Transport())
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(
      to: BlockMemory(
        inputs: buses, inputCount: plugin.inputs.count, outputs: buses + plugin.inputs.count,
        outputCount: plugin.outputs.count, transport: transport, meters: meters))
  }

  deinit {
    unsafe ports.deallocate()
    unsafe memory.deallocate()
    unsafe meters.deallocate()
    unsafe spare.deallocate()
    unsafe channels.deallocate()
    unsafe isShared.deallocate()
    unsafe buses.deallocate()
    unsafe transport.deallocate()
    unsafe eventMemory.deallocate()
  }

  /// The size of the events of one bus in a block, in bytes.
  private static var eventBytes: Int { 16_384 }

  /// The events of a bus, by its index in the description; nil for an audio bus.
  func events(_ index: Int, isInput: Bool) -> EventBuffer? {
    let first = unsafe isInput ? 0 : Int(memory.pointee.inputCount)
    return unsafe buses[first + index].events
  }

  /// Determines which buffers the host shares. Called once per run.
  @_noLocks @_noAllocation func look() {
    for input in 0..<inputCount {
      var shared = false
      for output in 0..<outputCount where unsafe ports[input] == ports[inputCount + output] {
        if input != output || input >= sharedCount { shared = true }
      }
      unsafe isShared[input] = shared
    }
  }

  /// Points the channels to the host's buffers from frame `start` on.
  @_noLocks @_noAllocation func point(from start: Int, _ count: Int) {
    for index in 0..<inputCount + outputCount {
      let own = unsafe spare + index * longestBlock
      if let port = unsafe ports[index] {
        if unsafe isShared[index] {
          unsafe rt_copy_floats(own, port + start, count)
          unsafe channels[index] = own
        } else {
          unsafe channels[index] = port + start
        }
      } else {
        if index < inputCount { unsafe rt_clear_floats(own, count) }
        unsafe channels[index] = own
      }
    }
  }
}
