// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The buses of one render, and the block over them. It owns their memory.
final class RigMemory<E: Effect & ~Copyable> {
  private static var eventBytes: Int { 4096 }
  private let frameCount: Int
  private let inputCount: Int, outputCount: Int
  private let inputBuses: UnsafeMutablePointer<BusMemory>, outputBuses: UnsafeMutablePointer<BusMemory>
  private let transport = UnsafeMutablePointer<Transport>.allocate(capacity: 1)
  private let meters: UnsafeMutablePointer<Float>
  private let memory: UnsafeMutablePointer<BlockMemory>
  private var allocations: [UnsafeMutableRawPointer] = []

  init(_ layout: Layout, _ input: [[Float]], further: [[Float]]?, transport instant: Transport, inPlace: Bool)
  {
    frameCount = input[0].count
    transport.initialize(to: instant)
    let description = E.description
    memory = .allocate(capacity: 1)
    meters = .allocate(capacity: description.meters.count + 1)
    meters.initialize(repeating: 0, count: description.meters.count + 1)
    inputCount = layout.inputs.count
    outputCount = layout.outputs.count
    inputBuses = .allocate(capacity: max(inputCount, 1))
    outputBuses = .allocate(capacity: max(outputCount, 1))
    for (bus, count) in layout.inputs.enumerated() {
      let isEvents = bus < description.inputs.count && description.inputs[bus].content == .events
      let source = bus > 0 ? further ?? input : input
      (inputBuses + bus).initialize(to: isEvents ? events() : audio(count) { source[$0 % source.count] })
    }
    for (bus, count) in layout.outputs.enumerated() {
      if inPlace, bus == 0, count == layout.inputs.first {
        (outputBuses + bus).initialize(to: inputBuses[0])
      } else {
        let isEvents = bus < description.outputs.count && description.outputs[bus].content == .events
        let unwritten = [Float](repeating: .nan, count: frameCount)
        (outputBuses + bus).initialize(to: isEvents ? events() : audio(count) { _ in unwritten })
      }
    }
  }

  deinit {
    allocations.forEach { $0.deallocate() }
    inputBuses.deallocate()
    outputBuses.deallocate()
    transport.deallocate()
    meters.deallocate()
    memory.deallocate()
  }

  /// Returns a block over all frames. It is valid during the lifetime of this object.
  func block(frame: Int64, frameCount: Int) -> Block {
    memory.pointee = BlockMemory(
      inputs: inputBuses, inputCount: inputCount, outputs: outputBuses, outputCount: outputCount,
      transport: transport, meters: meters)
    return Block(over: memory, frameCount: frameCount, frame: frame)
  }

  /// The channels of all outputs.
  var output: [[Float]] { (0..<outputCount).flatMap { channels(of: outputBuses[$0]) } }

  /// The values of the meters.
  var meterValues: [Float] { (0..<E.description.meters.count).map { meters[$0] } }

  /// The current contents of the main input's channels.
  var mainInput: [[Float]] { inputCount > 0 ? channels(of: inputBuses[0]) : [] }

  private func channels(of bus: BusMemory) -> [[Float]] {
    (0..<bus.channelCount).map { Array(UnsafeBufferPointer(start: bus.channels[$0], count: frameCount)) }
  }

  private func audio(_ count: Int, _ content: (Int) -> [Float]) -> BusMemory {
    let table = allocate(UnsafeMutablePointer<Float>.self, max(count, 1))
    for channel in 0..<count {
      let samples = allocate(Float.self, frameCount)
      samples.initialize(from: content(channel), count: frameCount)
      (table + channel).initialize(to: samples)
    }
    return BusMemory(channels: table, channelCount: count)
  }

  private func events() -> BusMemory {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.eventBytes, alignment: 8)
    allocations.append(memory)
    return BusMemory(
      events: EventBuffer(over: memory, byteCount: Self.eventBytes),
      channels: allocate(UnsafeMutablePointer<Float>.self, 1))
  }

  private func allocate<Element>(_ type: Element.Type, _ count: Int) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: count)
    allocations.append(UnsafeMutableRawPointer(memory))
    return memory
  }
}
