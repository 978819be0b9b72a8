// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

extension Compiler {
  /// What is fetched ahead of a step: its processor, and what that touches first.
  private func warmPlaces(of processor: Processor?) -> (UnsafeRawPointer?, UnsafeRawPointer?) {
    unsafe (
      processor.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }, processor?.warmPlace
    )
  }

  /// Numbers the address sets of all plans of the process, so that a processor knows one it has seen.
  private static let addressNumbers = Atomic<Int>(0)
  /// Pass 5: writes the schedule down as trivial steps over tables of addresses, in one slab.
  func emit(_ schedule: Schedule, warmUp: Int) throws(GraphError) -> RenderPlan {
    let slabSize = try slabSize(schedule)
    var owned: [UnsafeMutableRawPointer] = unsafe []
    func array<T: BitwiseCopyable>(_ count: Int, _ filler: T) -> UnsafeMutablePointer<T> {
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: max(count, 1) * MemoryLayout<T>.stride, alignment: 64)
      unsafe owned.append(memory)
      return unsafe memory.initializeMemory(as: T.self, repeating: filler, count: max(count, 1))
    }
    let slab = unsafe array(slabSize, Float(0))
    let zeros = unsafe slab, trash = unsafe slab + stride
    let events = EventMemories(rooms: schedule.eventRooms)
    let eventBuffers = unsafe array(events.buffers.count, events.buffers[0])
    for (index, buffer) in events.buffers.enumerated() { unsafe eventBuffers[index] = buffer }

    // The table: a stretch of channel addresses for each bus.
    let table = unsafe array(schedule.memories.reduce(0) { $0 + max($1.channels, 1) }, zeros)
    var starts: [Int] = []
    starts.reserveCapacity(schedule.memories.count)
    var inputPatches: [PlanMemory.Patch] = [], outputPatches: [PlanMemory.Patch] = []
    var place = 0
    for memory in schedule.memories {
      starts.append(place)
      for channel in 0..<memory.channels {
        switch memory.place {
        case .silence, .events: break
        case .slab(let first):
          unsafe table[place + channel] =
            unsafe slab + (Int(schedule.slabBuffers[first + channel]) + 2) * stride
        case .external(let number):
          inputPatches.append(
            .init(place: Int32(place + channel), external: Int32(clamping: number), channel: Int32(channel)))
        case .externalOut(let number):
          unsafe table[place + channel] = unsafe trash
          outputPatches.append(
            .init(place: Int32(place + channel), external: Int32(clamping: number), channel: Int32(channel)))
        }
      }
      place += max(memory.channels, 1)
    }

    func bus(_ ref: Schedule.Ref) -> BusMemory {
      let memory = schedule.memories[ref.memory]
      let channels = unsafe UnsafePointer(table + starts[ref.memory] + (ref.channel ?? 0))
      if case .events(let number) = memory.place {
        return unsafe BusMemory(events: events.buffers[number], channels: channels)
      }
      return unsafe BusMemory(channels: channels, channelCount: ref.channel == nil ? memory.channels : 1)
    }
    // Inputs and outputs of all steps, as they stand in the schedule.
    let buses = unsafe array(schedule.refs.count, bus(.init(memory: Schedule.silence)))
    for (index, ref) in schedule.refs.enumerated() { unsafe buses[index] = unsafe bus(ref) }

    let entries = schedule.entries
    var late: Set<Int> = []
    for step in entries.indices where entries[step].latency != 0 { late.insert(entries[step].latency) }
    let arrivals = [0] + late.sorted()
    let transports = unsafe array(arrivals.count, Transport())
    let arrivalPlace = Dictionary(uniqueKeysWithValues: arrivals.enumerated().map { ($1, $0) })
    let placeMemory = unsafe array(schedule.strips.count, WirePlace.plain)
    for (index, strip) in schedule.strips.enumerated() { unsafe placeMemory[index] = strip.place }
    let steps = unsafe UnsafeMutableRawPointer(
      array((entries.count + 1) * MemoryLayout<Step>.stride, UInt8(0))
    ).bindMemory(to: Step.self, capacity: entries.count + 1)
    let (lanes, groups, groupOf) = unsafe schedule.laidLanes
    let laneMemory = unsafe lanes.withUnsafeBufferPointer { lanes in
      let memory = unsafe UnsafeMutableRawPointer(
        array(lanes.count * MemoryLayout<LaneMemory>.stride, UInt8(0))
      ).bindMemory(to: LaneMemory.self, capacity: max(lanes.count, 1))
      if let base = lanes.baseAddress { unsafe memory.initialize(from: base, count: lanes.count) }
      return unsafe UnsafePointer(memory)
    }
    let groupMemory = unsafe array(groups.count, LaneGroup(first: 0, count: 0))
    for (index, group) in groups.enumerated() { unsafe groupMemory[index] = group }
    // By index: to copy an entry is to retain all that it holds.
    for step in entries.indices {
      let kind = entries[step].kind, processor = entries[step].processor
      let arrival = entries[step].latency == 0 ? 0 : arrivalPlace[entries[step].latency] ?? 0
      let inputs = Int(entries[step].firstRef), outputs = inputs + Int(entries[step].inputCount)
      let memory = unsafe BlockMemory(
        inputs: buses + inputs, inputCount: Int(entries[step].inputCount), outputs: buses + outputs,
        outputCount: Int(entries[step].outputCount), transport: transports + arrival,
        meters: processor?.meterMemory ?? trash,
        addresses: schedule.isInSlab(step) ? Self.addressNumbers.add(1, ordering: .relaxed).newValue : 0)
      let shortcut = unsafe kind == .node ? processor?.shortcut ?? Shortcut() : Shortcut()
      unsafe (steps + step).initialize(
        to: Step(
          shortcut: shortcut, kind: kind, slot: Int32(entries[step].slot), arrival: Int32(arrival),
          delay: Int32(clamping: entries[step].delay),
          external: groupOf[step] ?? Int32(clamping: entries[step].external),
          processor: processor.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) },
          memory: memory, warm: warmPlaces(of: processor), level: entries[step].level,
          place: max(entries[step].strip, 0)))
    }

    let regions = schedule.allRegions
    let regionMemory = unsafe array(regions.count, Region(first: 0, end: 0, longest: 0))
    for (index, region) in regions.enumerated() {
      unsafe regionMemory[index] = unsafe Region(
        first: Int32(region.steps.lowerBound), end: Int32(region.steps.upperBound),
        longest: Int32(clamping: region.longest))
    }
    let arrivalMemory = unsafe array(arrivals.count, 0)
    for (index, arrival) in arrivals.enumerated() { unsafe arrivalMemory[index] = arrival }
    func lay(_ patches: [PlanMemory.Patch]) -> UnsafePointer<PlanMemory.Patch> {
      let memory = unsafe array(patches.count, PlanMemory.Patch(place: 0, external: 0, channel: 0))
      for (index, patch) in patches.enumerated() { unsafe memory[index] = patch }
      return unsafe UnsafePointer(memory)
    }
    var returning: [Int32] = []
    if !dismissed.isEmpty {
      let slots = entries.indices.lazy.map { Int32(clamping: entries[$0].slot) }
      returning = slots.filter(dismissed.contains)
    }
    let returningMemory = unsafe array(returning.count, Int32(-1))
    for (index, slot) in returning.enumerated() { unsafe returningMemory[index] = slot }
    let memory = unsafe PlanMemory(
      generation: 0, longestBlock: longestBlock, steps: UnsafePointer(steps),
      stepCount: entries.count, regions: UnsafePointer(regionMemory), regionCount: regions.count,
      places: placeMemory, table: table, tableCount: place, buses: UnsafePointer(buses),
      busCount: schedule.refs.count, inputPatches: lay(inputPatches),
      inputPatchCount: inputPatches.count,
      outputPatches: lay(outputPatches), outputPatchCount: outputPatches.count, zeros: zeros, trash: trash,
      eventBuffers: UnsafePointer(eventBuffers), eventBufferCount: events.buffers.count,
      returning: UnsafePointer(returningMemory), returningCount: returning.count,
      arrivals: UnsafePointer(arrivalMemory), transports: transports,
      arrivalCount: arrivals.count, lanes: laneMemory, parameterLanes: schedule.parameterLaneCount,
      groups: UnsafePointer(groupMemory), costs: .allocate(capacity: max(entries.count, 1)),
      profiledCycles: .allocate(capacity: 1))
    for step in entries.indices { unsafe (memory.costs + step).initialize(to: StepCost()) }
    unsafe memory.profiledCycles.initialize(to: Atomic(0))
    unsafe owned += [UnsafeMutableRawPointer(memory.costs), UnsafeMutableRawPointer(memory.profiledCycles)]
    return unsafe RenderPlan(schedule, memory: memory, owned: owned, events: events, warmUp: warmUp)
  }
}

extension Schedule {
  /// Whether a step's channels lie where they are for the whole life of the plan.
  func isInSlab(_ step: Int) -> Bool {
    func stays(_ ref: Ref) -> Bool {
      switch memories[ref.memory].place {
      case .slab, .silence, .events: true
      case .external, .externalOut: false
      }
    }
    return inputs(of: step).allSatisfy(stays) && outputs(of: step).allSatisfy(stays)
  }

  /// The steps in stretches: loops with their longest slice, and all between them.
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
