// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The ports of an instance, as the buses of a block.
///
/// LV2 lets a host share one buffer between any input and any output. What a unit cannot bear of that is
/// copied first.
@safe struct InstanceBuses: ~Copyable {
  /// Where the host keeps each port.
  let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// What a block looks at.
  let memory: UnsafeMutablePointer<BlockMemory>
  let meters: UnsafeMutablePointer<Float>
  let meterCount: Int
  private let inputCount: Int, outputCount: Int, longestBlock: Int
  /// The channels of the first output that may lie where the same channel of the first input does.
  private let sharedCount: Int
  private let buses: UnsafeMutablePointer<BusMemory>
  private let busCount: Int
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Whether an input has to be copied, channel by channel.
  private let isShared: UnsafeMutablePointer<Bool>
  /// A block for each channel: what inputs are copied to, silence, or where outputs go that nobody has
  /// connected.
  private let spare: UnsafeMutablePointer<Float>
  /// What a block says of the song.
  let transport: UnsafeMutablePointer<Transport>
  /// Memory for the events of each event bus.
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
    for (place, width) in (plugin.inputs + plugin.outputs).enumerated() {
      let table = unsafe UnsafePointer(channels + first)
      if described[place].content == .events {
        let events = unsafe EventBuffer(
          over: eventMemory + place * Self.eventBytes, byteCount: Self.eventBytes)
        unsafe (buses + place).initialize(to: BusMemory(events: events, channels: table))
      } else {
        unsafe (buses + place).initialize(to: BusMemory(channels: table, channelCount: width))
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

  /// How many bytes of events a block may bring, for each bus.
  private static var eventBytes: Int { 16_384 }

  /// The events of a bus, by its place in the description; nil for audio.
  func events(_ place: Int, isInput: Bool) -> EventBuffer? {
    let first = unsafe isInput ? 0 : Int(memory.pointee.inputCount)
    return unsafe buses[first + place].events
  }

  /// Sees which buffers the host shares. Once a run.
  @_noLocks @_noAllocation func look() {
    for input in 0..<inputCount {
      var shared = false
      for output in 0..<outputCount where unsafe ports[input] == ports[inputCount + output] {
        if input != output || input >= sharedCount { shared = true }
      }
      unsafe isShared[input] = shared
    }
  }

  /// Points the channels at the part of the host's buffers that begins with frame `start`.
  @_noLocks @_noAllocation func point(from start: Int, _ count: Int) {
    for place in 0..<inputCount + outputCount {
      let own = unsafe spare + place * longestBlock
      if let port = unsafe ports[place] {
        if unsafe isShared[place] {
          unsafe rt_copy_floats(own, port + start, count)
          unsafe channels[place] = own
        } else {
          unsafe channels[place] = port + start
        }
      } else {
        if place < inputCount { unsafe rt_clear_floats(own, count) }
        unsafe channels[place] = own
      }
    }
  }
}
