// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// The state of rendering without a server.
struct OfflineRendering {
  /// The memory of the input and output nodes; nil at first, and after such a node is added.
  var memory: OfflineMemory?
  /// Whether a block is being rendered.
  var isRendering = false
}

/// The buffers of an offline engine: memory for each input and output node, by bus number.
final class OfflineMemory {
  let inputs: UnsafeMutablePointer<BusMemory>, outputs: UnsafeMutablePointer<BusMemory>
  let inputCount: Int, outputCount: Int
  private var owned: [UnsafeMutableRawPointer] = []

  /// Allocates the memory for the input and output nodes of `graph`, each for `longestBlock` frames.
  init(for graph: Graph, inputCount: Int, outputCount: Int, longestBlock: Int) {
    self.inputCount = inputCount
    self.outputCount = outputCount
    inputs = .allocate(capacity: max(inputCount, 1))
    outputs = .allocate(capacity: max(outputCount, 1))
    var formats = (
      inputs: Array(repeating: BusFormat.audio(channels: 1), count: inputCount),
      outputs: Array(repeating: BusFormat.audio(channels: 1), count: outputCount)
    )
    for node in graph.nodes {
      if case .input(let number) = node.role, number < inputCount { formats.inputs[number] = node.outputs[0] }
      if case .output(let number) = node.role, number < outputCount {
        formats.outputs[number] = node.inputs[0]
      }
    }
    for (number, format) in formats.inputs.enumerated() {
      (inputs + number).initialize(to: bus(format, longestBlock))
    }
    for (number, format) in formats.outputs.enumerated() {
      (outputs + number).initialize(to: bus(format, longestBlock))
    }
  }

  deinit {
    for memory in owned { memory.deallocate() }
    inputs.deallocate()
    outputs.deallocate()
  }

  /// Writes a signal to the buses of all input nodes.
  func fillInputs(_ frameCount: Int, from signal: TestSignal, at frame: Int64) {
    for number in 0..<inputCount {
      let bus = inputs[number]
      if let events = bus.events {
        events.clear()
        signal.play(events, from: frame, frameCount: frameCount)
      }
      for channel in 0..<bus.channelCount {
        signal.fill(MutableSamples(bus.channels[channel], count: frameCount))
      }
    }
  }

  private func allocate<T: BitwiseCopyable>(_ count: Int, _ value: T) -> UnsafeMutablePointer<T> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<T>.stride, alignment: 64)
    owned.append(memory)
    return memory.initializeMemory(as: T.self, repeating: value, count: max(count, 1))
  }

  private func bus(_ format: BusFormat, _ longestBlock: Int) -> BusMemory {
    let zero = allocate(longestBlock, Float(0))
    let table = allocate(max(format.channelCount, 1), zero)
    switch format {
    case .events:
      let bytes = allocate(1 << 12, UInt64(0))
      return BusMemory(events: EventBuffer(over: bytes, byteCount: 8 << 12), channels: table)
    case .audio(let channels):
      for channel in 1..<max(channels, 1) where channel < channels {
        table[channel] = allocate(longestBlock, Float(0))
      }
      return BusMemory(channels: table, channelCount: channels)
    }
  }
}
