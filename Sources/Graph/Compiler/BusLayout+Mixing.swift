// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The sum of the wires that end in one bus, with the steps written so far.
struct Mix {
  /// The wires, in the order in which they are added.
  let wires: [Int]
  /// The bus's number of channels.
  let channels: Int
  /// The number of wires whose steps are written.
  fileprivate(set) var count = 0
  /// The memory of the sum; nil before the first step.
  fileprivate(set) var bus: Schedule.Ref?
  /// Whether the memory holds data to which the next wire is added.
  fileprivate(set) var isFilled = false
}

extension BusLayout {
  /// Finds the sums whose steps can directly follow their sources: several audio wires into one bus of a node that is
  /// in no loop.
  mutating func findMixes(_ order: Compiler.Order) {
    isReady = Array(repeating: false, count: nodes.count)
    mixOf = Array(repeating: -1, count: wires.count)
    var isInLoop = Array(repeating: false, count: nodes.count)
    for loop in order.loops { for nodeIndex in order.nodes[loop] { isInLoop[nodeIndex] = true } }
    for nodeIndex in nodes.indices where parts.incoming.itemCount(of: nodeIndex) > 1 && !isInLoop[nodeIndex] {
      for bus in nodes[nodeIndex].inputs.indices {
        guard case .audio(let channels) = nodes[nodeIndex].inputs[bus] else { continue }
        let ending = parts.incoming[nodeIndex].filter { wires[$0].destination.bus.index == bus }
        guard ending.count > 1 else { continue }
        for wire in ending { mixOf[wire] = Int32(clamping: mixes.count) }
        mixes.append(Mix(wires: ending, channels: channels))
      }
    }
    // Usually one step per node and per wire of a sum.
    schedule.reserve(steps: nodes.count + mixes.reduce(0) { $0 + $1.wires.count } + 16)
  }

  /// Writes the steps that add a node's outputs to sums, so that their buffers are free early.
  ///
  /// A sum always adds its wires in the order in which they were created, so the result is bit-identical wherever the
  /// steps are. A sum needs a buffer from its first step on; so a node with more wires than a sum has does not start
  /// that sum.
  mutating func mixEarly(from nodeIndex: Int) {
    isReady[nodeIndex] = true
    guard !mixes.isEmpty else { return }
    let leaving = parts.outgoing.itemCount(of: nodeIndex)
    for wire in parts.outgoing[nodeIndex] where mixOf[wire] >= 0 {
      let mix = Int(mixOf[wire])
      guard mixes[mix].wires.count >= leaving, !parts.isFeedback(wire),
        case .slab = schedule.memories[origin(of: wire).memory].location
      else { continue }
      while mixes[mix].count < mixes[mix].wires.count {
        let next = mixes[mix].wires[mixes[mix].count]
        guard isReady[parts.source(next)], !parts.isFeedback(next) else { break }
        addTapsBeforeFader(next)
        fade(next)
        add(next, to: mix)
      }
    }
  }

  /// Writes the missing steps of a sum, and returns its output.
  mutating func sum(_ ending: [Int], channels: Int) -> Schedule.Ref {
    var mix = Int(mixOf[ending[0]])
    if mix < 0 {
      mix = mixes.count
      mixes.append(Mix(wires: ending, channels: channels))
    }
    for wire in ending[mixes[mix].count...] {
      // For a single wire, the steps before its fader are written already.
      if ending.count > 1 {
        addTapsBeforeFader(wire)
        fade(wire)
      }
      add(wire, to: mix)
    }
    return mixes[mix].bus ?? .init(memory: Schedule.silence)
  }

  /// Writes the step that adds the next wire of a sum.
  private mutating func add(_ index: Int, to mix: Int) {
    let wire = wires[index], source = source(of: index), channels = mixes[mix].channels
    let isTapped = !taps(of: index, .after).isEmpty
    let bus = mixes[mix].bus ?? begin(mix, isCovered: wire.destination.channel == nil && !isTapped)
    var targets = targets(of: index)
    if !motion(of: index).isDisjoint(with: [.leaving, .held]) { targets.gate = 0 }
    let processor = processor(index, into: channels, targets)
    let end = Schedule.Ref(memory: bus.memory, channel: wire.destination.channel)
    mixes[mix].count += 1
    guard isTapped else {
      schedule.append(
        .init(
          kind: mixes[mix].isFilled ? .wireAdding : .wire, label: label(of: index), processor: processor),
        inputs: CollectionOfOne(source), outputs: CollectionOfOne(end), strip: (.wire(wire.id), targets))
      mixes[mix].isFilled = true
      return
    }
    // A tap on this wire must not receive the other wires of the sum.
    let own = schedule.audio(schedule.width(end))
    schedule.append(
      .init(kind: .wire, label: label(of: index), processor: processor), inputs: CollectionOfOne(source),
      outputs: CollectionOfOne(own), strip: (.wire(wire.id), targets))
    addTapsAfterFader(index, own)
    schedule.append(
      .init(kind: .add, label: .text("add")), inputs: CollectionOfOne(own), outputs: CollectionOfOne(end))
  }

  /// Allocates the bus of a sum, and clears it unless the first wire writes all of its channels.
  private mutating func begin(_ mix: Int, isCovered: Bool) -> Schedule.Ref {
    let bus = schedule.audio(mixes[mix].channels)
    mixes[mix].bus = bus
    mixes[mix].isFilled = !isCovered
    if !isCovered {
      schedule.append(.init(kind: .clear, label: .text("clear")), inputs: [], outputs: CollectionOfOne(bus))
    }
    return bus
  }
}
