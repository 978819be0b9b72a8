// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Compiler {
  /// The maximum memory of a plan's buffers, in bytes.
  static var mostBytes: Int { 2 << 30 }

  /// The distance from one buffer to the next, in floats. An odd number of cache lines spreads the buffers over the
  /// cache's sets.
  var stride: Int { ((longestBlock + 15) / 16 | 1) * 16 }

  /// Returns the size of a plan's slab in floats.
  ///
  /// - Throws: ``GraphError/tooLarge``.
  func slabSize(_ schedule: Schedule) throws(GraphError) -> Int {
    let bytes = (schedule.bufferCount + 2).multipliedReportingOverflow(by: stride * 4)
    let eventBytes = schedule.eventCapacities.reduce(0, +) * EventMemory.byteCount
    guard !bytes.overflow, bytes.partialValue <= Self.mostBytes - min(eventBytes, Self.mostBytes) else {
      throw .tooLarge
    }
    return bytes.partialValue / 4
  }

  /// Returns whether the buffers of a graph's plan fit even if no two buses share one. If so, checking the graph does
  /// not need the pass that assigns buffers.
  func fitsSurely(_ parts: Parts) -> Bool {
    guard let buffers = mostBuffers(parts) else { return false }
    let bytes = (buffers + 2).multipliedReportingOverflow(by: stride * 4)
    return !bytes.overflow && bytes.partialValue <= Self.mostBytes - EventMemory.byteCount
  }

  /// Returns an upper bound for the number of buffers of a graph's plan without fades: one for each channel that a
  /// step may write. Returns nil for graphs with events, whose memory is not counted here.
  func mostBuffers(_ parts: Parts) -> Int? {
    let graph = parts.graph
    var buffers = 0
    for index in graph.nodes.indices {
      var inputs = 0, outputs = 0
      for bus in graph.nodes[index].inputs { inputs += bus.channelCount }
      for bus in graph.nodes[index].outputs { outputs += bus.channelCount }
      if graph.nodes[index].inputs.contains(.events) || graph.nodes[index].outputs.contains(.events) {
        return nil
      }
      // The sum of the wires, and the node's result: an output node may have a processor, a mixer a gain.
      buffers += inputs + (graph.nodes[index].role == .processor ? outputs : inputs)
    }
    /// Returns the number of channels of the buses at both ends of a wire.
    func channels(_ wire: Graph.Wire.ID) -> Int {
      let source = graph.node(wire.source.node)?.outputs[wire.source.bus.index].channelCount ?? 0
      return source
        + (graph.node(wire.destination.node)?.inputs[wire.destination.bus.index].channelCount ?? 0)
    }
    for lane in graph.lanes {
      switch lane.target.owner {
      case .node(let id):
        guard let node = graph.node(id) else { continue }
        buffers += (node.outputs.first ?? node.inputs.first)?.channelCount ?? 0
      case .wire(let id): buffers += channels(id) + 2
      }
    }
    for tap in graph.taps { if let wire = tap.wire { buffers += channels(wire) } }
    // A send follows the lanes of its strip.
    for wire in graph.wireList.elements where wire.feedback != nil || wire.id.strip != nil {
      buffers += channels(wire.id) + 2
    }
    return buffers
  }

  /// Rejects delays that exceed the memory limit, before any memory is allocated.
  func checkMemory(_ parts: Parts, _ latency: Latency) throws(GraphError) {
    var frames = 0
    for index in latency.wire.indices where latency.wire[index] > 0 {
      let node = parts.graph.nodes[parts.source(index)], wire = parts.graph.wireList.elements[index]
      let channels = node.outputs[wire.source.bus.index].channelCount
      frames +=
        channels
        * HistoryLine.size(
          longestDelay: WireProcessor.allocatedDelay(for: latency.wire[index]), longestBlock: longestBlock)
      guard frames <= Self.mostBytes / 4 else { throw .tooLarge }
    }
  }
}
