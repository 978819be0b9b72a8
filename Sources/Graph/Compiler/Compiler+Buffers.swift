// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime

extension Compiler {
  /// Pass 4: writes the steps and assigns buffers.
  ///
  /// An input bus with one plain wire reads its source's memory directly; several wires are mixed; an unconnected
  /// input is silent.
  func buffers(
    _ parts: Parts, _ order: Order, _ latency: Latency, _ transition: Transition
  ) throws(GraphError) -> Schedule {
    var layout = BusLayout(compiler: self, parts: parts, latency: latency, transition: transition)
    layout.findMixes(order)
    layout.schedule.warnings = latency.warnings
    var loops = order.loops[...]
    var position = 0
    while position < order.nodes.count {
      let loop = loops.first.flatMap { $0.lowerBound == position ? loops.removeFirst() : nil }
      let start = layout.schedule.entries.count
      let nodes = order.nodes[position..<(loop?.upperBound ?? position + 1)]
      layout.openFeedback(into: nodes)
      for node in nodes { layout.add(node) }
      if loop != nil {
        let inside = Set(nodes)
        let delays = nodes.flatMap { parts.incoming[$0] }
          .filter { parts.isFeedback($0) && inside.contains(parts.source($0)) }.compactMap {
            layout.slices[$0]
          }
        layout.schedule.regions.append(
          (start..<layout.schedule.entries.count, delays.min() ?? longestBlock))
      }
      // These steps must follow the loop's last step: steps outside the loop are not run in slices.
      for node in nodes { layout.mixEarly(from: node) }
      position = nodes.endIndex
    }
    layout.schedule.assignBuffers()
    return layout.schedule
  }
}

extension Schedule {
  /// Assigns buffers to all buses. A slab buffer is reused after its bus's last use.
  mutating func assignBuffers() {
    var lastUse = Array(repeating: -1, count: memories.count)
    for step in entries.indices {
      for ref in inputs(of: step) { lastUse[ref.memory] = step }
      for ref in outputs(of: step) { lastUse[ref.memory] = step }
    }
    var free: [Int32] = [], ending: [Int] = []
    var isAssigned = Array(repeating: false, count: memories.count)
    slabBuffers.reserveCapacity(memories.count)
    for step in entries.indices {
      let inputs = inputs(of: step), outputs = outputs(of: step)
      var inherited: Int?
      for (bus, ref) in outputs.enumerated() {
        guard case .slab = memories[ref.memory].location, !isAssigned[ref.memory] else { continue }
        isAssigned[ref.memory] = true
        if bus == 0, let donor = inPlaceDonor(step, inputs, lastUse),
          memories[donor].channels == memories[ref.memory].channels
        {
          memories[ref.memory].location = memories[donor].location
          inherited = donor
          continue
        }
        memories[ref.memory].location = .slab(slabBuffers.count)
        for _ in 0..<memories[ref.memory].channels {
          if let buffer = free.popLast() {
            slabBuffers.append(buffer)
          } else {
            slabBuffers.append(Int32(clamping: bufferCount))
            bufferCount += 1
          }
        }
      }
      // Each memory once, in ascending order.
      ending.removeAll(keepingCapacity: true)
      for ref in inputs where lastUse[ref.memory] == step { ending.append(ref.memory) }
      for ref in outputs where lastUse[ref.memory] == step { ending.append(ref.memory) }
      if ending.count > 1 { ending.sort() }
      for (index, memory) in ending.enumerated()
      where memory != inherited && (index == 0 || ending[index - 1] != memory) {
        free += buffers(of: memory).reversed()
      }
    }
  }

  /// Returns the input whose memory the step's main output may reuse.
  private func inPlaceDonor(_ step: Int, _ inputs: ArraySlice<Ref>, _ lastUse: [Int]) -> Int? {
    let kind = entries[step].kind
    guard kind == .node || kind == .fade, entries[step].processor?.worksInPlace == true,
      let input = inputs.first,
      input.channel == nil, lastUse[input.memory] == step,
      inputs.dropFirst().allSatisfy({ $0.memory != input.memory }),
      case .slab = memories[input.memory].location
    else { return nil }
    return input.memory
  }
}
