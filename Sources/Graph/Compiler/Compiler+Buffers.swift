// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime

extension Compiler {
  /// Pass 4: the steps, and which buffers they share.
  ///
  /// An input bus with one plain wire reads its source's memory; fan-in becomes
  /// a mix; an open input is silence.
  func buffers(
    _ parts: Parts, _ order: Order, _ latency: Latency, _ transition: Transition
  ) throws(GraphError) -> Schedule {
    var layout = BusLayout(
      compiler: self, parts: parts, latency: latency, transition: transition,
      outputs: parts.graph.nodes.map {
        Array(repeating: .init(memory: Schedule.silence), count: $0.outputs.count)
      })
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
      position = nodes.endIndex
    }
    layout.schedule.assignBuffers()
    return layout.schedule
  }
}

extension Schedule {
  /// Gives every bus its buffers: those of the slab go on to the next bus after their last use.
  mutating func assignBuffers() {
    var lastUse = Array(repeating: -1, count: memories.count)
    for (step, entry) in entries.enumerated() {
      for ref in entry.inputs + entry.outputs { lastUse[ref.memory] = step }
    }
    var free: [Int] = []
    var assigned = Set<Int>()
    for (step, entry) in entries.enumerated() {
      var inherited: Int?
      for (bus, ref) in entry.outputs.enumerated() {
        guard case .slab = memories[ref.memory].place, assigned.insert(ref.memory).inserted else { continue }
        if bus == 0, let donor = inPlaceDonor(entry, step, lastUse),
          memories[donor].channels == memories[ref.memory].channels
        {
          memories[ref.memory].place = memories[donor].place
          inherited = donor
          continue
        }
        let buffers = (0..<memories[ref.memory].channels).map { _ in
          free.popLast()
            ?? {
              bufferCount += 1; return bufferCount - 1
            }()
        }
        memories[ref.memory].place = .slab(buffers)
      }
      for memory in Set((entry.inputs + entry.outputs).map(\.memory)).sorted()
      where lastUse[memory] == step && memory != inherited {
        if case .slab(let buffers) = memories[memory].place { free += buffers.reversed() }
      }
    }
  }

  /// The input whose memory the step's main output may take over.
  private func inPlaceDonor(_ entry: Entry, _ step: Int, _ lastUse: [Int]) -> Int? {
    guard entry.kind == .node || entry.kind == .fade, entry.processor?.worksInPlace == true,
      let input = entry.inputs.first,
      input.channel == nil, lastUse[input.memory] == step,
      entry.inputs.dropFirst().allSatisfy({ $0.memory != input.memory }),
      case .slab = memories[input.memory].place
    else { return nil }
    return input.memory
  }
}
