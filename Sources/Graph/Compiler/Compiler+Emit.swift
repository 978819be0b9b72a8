// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

extension Compiler {
  /// Numbers the address sets of all plans in the process, so that a processor recognizes addresses that it has seen.
  private static let addressNumbers = Atomic<Int>(0)

  /// Pass 5: writes the schedule as trivial steps over tables of addresses, in one slab.
  func emit(_ schedule: Schedule, warmUp: Int) throws(GraphError) -> RenderPlan {
    let slabSize = try slabSize(schedule)
    var slabs = PlanSlabs()
    let slab = unsafe slabs.filled(slabSize, Float(0))
    let zeros = unsafe slab, trash = unsafe slab + stride
    let events = EventMemories(capacities: schedule.eventCapacities)
    let eventBuffers = unsafe slabs.copy(events.buffers)
    let table = unsafe makeTable(schedule, over: slab, &slabs)
    let buses = unsafe makeBuses(schedule, table, events, &slabs)
    let arrivals = schedule.arrivals
    let transports = unsafe slabs.filled(arrivals.count, Transport())
    let stripTargets = unsafe slabs.filled(schedule.strips.count, StripTargets.plain)
    for (index, strip) in schedule.strips.enumerated() { unsafe stripTargets[index] = strip.targets }
    let (lanes, groups, groupOf) = unsafe schedule.orderedLanes
    let addresses = unsafe StepAddresses(
      buses: buses, transports: transports, trash: trash, arrivals: arrivals, groupOf: groupOf)
    let steps = unsafe makeSteps(schedule, on: addresses, &slabs)
    let regions = unsafe schedule.allRegions.map { region in
      unsafe Region(
        first: Int32(region.steps.lowerBound), end: Int32(region.steps.upperBound),
        longest: Int32(clamping: region.longest))
    }
    let returning = returningSlots(schedule), stepCount = schedule.entries.count
    let memory = unsafe PlanMemory(
      generation: 0, longestBlock: longestBlock, steps: steps, stepCount: stepCount,
      regions: slabs.copy(regions), regionCount: regions.count, stripTargets: stripTargets,
      table: table.channels, tableCount: table.count, buses: buses, busCount: schedule.refs.count,
      inputPatches: slabs.copy(table.inputs), inputPatchCount: table.inputs.count,
      outputPatches: slabs.copy(table.outputs), outputPatchCount: table.outputs.count, zeros: zeros,
      trash: trash, eventBuffers: eventBuffers, eventBufferCount: events.buffers.count,
      returning: slabs.copy(returning), returningCount: returning.count, arrivals: slabs.copy(arrivals),
      transports: transports, arrivalCount: arrivals.count, lanes: slabs.copy(lanes),
      parameterLanes: schedule.parameterLaneCount, groups: slabs.copy(groups),
      costs: .allocate(capacity: max(stepCount, 1)), profiledCycles: .allocate(capacity: 1))
    for step in 0..<stepCount { unsafe (memory.costs + step).initialize(to: StepCost()) }
    unsafe memory.profiledCycles.initialize(to: Atomic(0))
    unsafe slabs.own(UnsafeMutableRawPointer(memory.costs))
    unsafe slabs.own(UnsafeMutableRawPointer(memory.profiledCycles))
    return unsafe RenderPlan(schedule, memory: memory, owned: slabs.owned, events: events, warmUp: warmUp)
  }

  /// The channel addresses of all buses: one range of the table per bus.
  @unsafe private struct Table {
    var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The start of each bus, and the number of channels in all.
    var starts: [Int] = [], count = 0
    /// The entries that each cycle writes into the table.
    var inputs: [PlanMemory.Patch] = [], outputs: [PlanMemory.Patch] = []
  }

  @unsafe private func makeTable(
    _ schedule: Schedule, over slab: UnsafeMutablePointer<Float>, _ slabs: inout PlanSlabs
  ) -> Table {
    let zeros = unsafe slab, trash = unsafe slab + stride
    var table = unsafe Table(
      channels: slabs.filled(schedule.memories.reduce(0) { $0 + max($1.channels, 1) }, zeros))
    unsafe table.starts.reserveCapacity(schedule.memories.count)
    for memory in schedule.memories {
      let start = unsafe table.count
      unsafe table.starts.append(start)
      for channel in 0..<memory.channels {
        let entry = start + channel
        switch memory.location {
        case .silence, .events: break
        case .slab(let first):
          unsafe table.channels[entry] =
            unsafe slab + (Int(schedule.slabBuffers[first + channel]) + 2) * stride
        case .external(let number):
          unsafe table.inputs.append(
            .init(entry: Int32(entry), external: Int32(clamping: number), channel: Int32(channel)))
        case .externalOut(let number):
          unsafe table.channels[entry] = unsafe trash
          unsafe table.outputs.append(
            .init(entry: Int32(entry), external: Int32(clamping: number), channel: Int32(channel)))
        }
      }
      unsafe table.count += max(memory.channels, 1)
    }
    return unsafe table
  }

  /// Returns the inputs and outputs of all steps, in the schedule's order.
  @unsafe private func makeBuses(
    _ schedule: Schedule, _ table: Table, _ events: EventMemories, _ slabs: inout PlanSlabs
  ) -> UnsafePointer<BusMemory> {
    func bus(_ ref: Schedule.Ref) -> BusMemory {
      let memory = schedule.memories[ref.memory]
      let channels = unsafe UnsafePointer(table.channels + table.starts[ref.memory] + (ref.channel ?? 0))
      if case .events(let number) = memory.location {
        return unsafe BusMemory(events: events.buffers[number], channels: channels)
      }
      return unsafe BusMemory(channels: channels, channelCount: ref.channel == nil ? memory.channels : 1)
    }
    let buses = unsafe slabs.filled(schedule.refs.count, bus(.init(memory: Schedule.silence)))
    for (index, ref) in schedule.refs.enumerated() { unsafe buses[index] = unsafe bus(ref) }
    return unsafe UnsafePointer(buses)
  }

  /// The memory that steps point to.
  @unsafe private struct StepAddresses {
    var buses: UnsafePointer<BusMemory>
    var transports: UnsafeMutablePointer<Transport>
    var trash: UnsafeMutablePointer<Float>
    var arrivals: [Int]
    /// The groups of lanes, by step.
    var groupOf: [Int: Int32]
  }

  @unsafe private func makeSteps(
    _ schedule: Schedule, on addresses: StepAddresses, _ slabs: inout PlanSlabs
  ) -> UnsafeMutablePointer<Step> {
    let entries = schedule.entries
    let arrivalIndex = unsafe Dictionary(
      uniqueKeysWithValues: addresses.arrivals.enumerated().map { ($1, $0) })
    let steps = unsafe slabs.zeros(entries.count + Step.readAhead, of: Step.self)
    // Iterate by index: copying an entry retains all its references.
    for step in entries.indices {
      let kind = entries[step].kind, processor = entries[step].processor
      let arrival = arrivalIndex[entries[step].latency] ?? 0
      let inputs = Int(entries[step].firstRef), outputs = inputs + Int(entries[step].inputCount)
      let memory = unsafe BlockMemory(
        inputs: addresses.buses + inputs, inputCount: Int(entries[step].inputCount),
        outputs: addresses.buses + outputs,
        outputCount: Int(entries[step].outputCount), transport: addresses.transports + arrival,
        meters: processor?.meterMemory ?? addresses.trash,
        addresses: schedule.isInSlab(step) ? Self.addressNumbers.add(1, ordering: .relaxed).newValue : 0)
      // A step without fixed addresses gets no direct call: it would never open, so the renderer could never know that
      // all direct calls of the plan are open.
      let mayOpen = unsafe kind == .node && memory.addresses != 0
      let directCall = unsafe mayOpen ? processor?.directCall ?? DirectCall() : DirectCall()
      unsafe (steps + step).initialize(
        to: Step(
          directCall: directCall, kind: kind, arrival: UInt16(clamping: arrival),
          prefetched: processor?.prefetchAddresses ?? (nil, nil), processor: address(of: processor),
          memory: memory,
          slot: Int32(entries[step].slot), delay: Int32(clamping: entries[step].delay),
          external: Int32(clamping: entries[step].external), group: addresses.groupOf[step] ?? -1,
          level: entries[step].level, strip: max(entries[step].strip, 0)))
    }
    return unsafe steps
  }

  private func address(of processor: Processor?) -> UnsafeRawPointer? {
    unsafe processor.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
  }

  /// Returns the slots of nodes that were removed before and are in the plan again.
  private func returningSlots(_ schedule: Schedule) -> [Int32] {
    guard !dismissed.isEmpty else { return [] }
    let entries = schedule.entries
    return entries.indices.lazy.map { Int32(clamping: entries[$0].slot) }.filter(dismissed.contains)
  }
}

extension Schedule {
  /// Returns whether a step's channels have fixed addresses for the life of the plan.
  func isInSlab(_ step: Int) -> Bool {
    func stays(_ ref: Ref) -> Bool {
      switch memories[ref.memory].location {
      case .slab, .silence, .events: true
      case .external, .externalOut: false
      }
    }
    return inputs(of: step).allSatisfy(stays) && outputs(of: step).allSatisfy(stays)
  }

  /// The distinct input latencies, with 0 first.
  var arrivals: [Int] {
    var late: Set<Int> = []
    for step in entries.indices where entries[step].latency != 0 { late.insert(entries[step].latency) }
    return [0] + late.sorted()
  }

  /// The steps as regions: loops with their longest slice, and the steps between them.
  var allRegions: [(steps: Range<Int>, longest: Int)] {
    var all: [(steps: Range<Int>, longest: Int)] = []
    var start = 0
    for region in regions {
      if start < region.steps.lowerBound { all.append((start..<region.steps.lowerBound, Int.max)) }
      all.append(region)
      start = region.steps.upperBound
    }
    if start < entries.count { all.append((start..<entries.count, Int.max)) }
    return all
  }
}
