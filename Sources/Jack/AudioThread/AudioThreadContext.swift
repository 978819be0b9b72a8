// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import CSwiftletRealtime
internal import SwiftletGraph
internal import SwiftletSignal
internal import SwiftletThreads
internal import Synchronization

/// The state behind JACK's process callback: the ports of the client, and the cycles that the renderer is called for.
///
/// JACK holds a pointer to it for as long as the client is open.
struct AudioThreadContext: ~Copyable {
  let client: OpaquePointer
  let sampleRate: Double
  let inputs: PortTable, outputs: PortTable
  private let silence: SpareChannel, waste: SpareChannel

  /// The renderer to call. Set before the client is activated; not changed while it is active.
  var renderer: Unmanaged<Renderer>?
  /// The longest cycle that the renderer gets, in frames; longer cycles are split. Set like `renderer`.
  var longestBlock: Int

  /// Incremented at the start and at the end of each cycle, so it is odd during a cycle. The control thread reads it
  /// to find out whether the audio thread can still use an object.
  let sequence = Atomic<Int>(0)
  let isFreewheeling = Atomic<Bool>(false)
  /// Whether cycles wait for grants while JACK freewheels, and the number of frames that are granted and not yet
  /// rendered.
  let isPaced = Atomic<Bool>(false), budget = Atomic<Int>(0)
  /// Whether the renderer, or the memory that it plays from, may be freed. If so, the audio thread does not call it.
  let isAbandoned = Atomic<Bool>(false)
  /// The first frame of the last cycle, and the offset from an absolute frame to JACK's frame.
  let lastFrame = Atomic<Int64>(0), clockOffset = Atomic<Int64>(0)
  /// Incremented before and after `clockOffset` changes, so it is odd during a change. 0 before the first cycle.
  private let clockSequence = Atomic<Int>(0)
  /// The number of times JACK's frame counter has jumped to another time base since the client was activated.
  let clockJumps = Atomic<Int>(0)
  /// The transport frame at which JACK waits for this client, and the last frame at which the client was ready; −1 if
  /// none.
  let awaited = Atomic<Int64>(-1), ready = Atomic<Int64>(-1)
  /// MIDI events that did not fit into a buffer, here or in JACK.
  let lostEvents = Atomic<Int>(0)

  /// The state that only the audio thread uses.
  private let moving: UnsafeMutablePointer<Moving>
  private struct Moving {
    var clock: StreamClock
    /// The argument for the renderer, filled in again for each part of a cycle.
    var cycle: Cycle
  }

  init(client: OpaquePointer, sampleRate: Double, longestBlock: Int) {
    self.client = client
    self.sampleRate = sampleRate
    self.longestBlock = longestBlock
    silence = SpareChannel(frameCount: longestBlock)
    waste = SpareChannel(frameCount: longestBlock)
    inputs = PortTable(vacant: silence.vacantBus)
    outputs = PortTable(vacant: waste.vacantBus)
    moving = .allocate(capacity: 1)
    let cycle = Cycle(
      frame: 0, frameCount: 1, inputs: UnsafePointer(inputs.buses), inputCount: 0,
      outputs: UnsafePointer(outputs.buses), outputCount: 0)
    moving.initialize(to: Moving(clock: StreamClock(from: 0, sampleRate: sampleRate), cycle: cycle))
  }

  deinit { moving.deallocate() }

  /// Sets the absolute frame of the next cycle. Only while the client is not active.
  func begin(at frame: Int64) {
    moving.pointee.clock = StreamClock(from: frame, sampleRate: sampleRate)
    clockJumps.store(0, ordering: .relaxed)
    clockSequence.store(0, ordering: .relaxed)
    lastFrame.store(frame, ordering: .releasing)
  }

  /// The first frame of the last cycle, and the offset from it to JACK's frame; the offset is nil before the first
  /// cycle.
  var clock: (last: Int64, offset: Int64?) {
    for _ in 0..<1000 {
      let sequence = clockSequence.load(ordering: .acquiring)
      let last = lastFrame.load(ordering: .acquiring), offset = clockOffset.load(ordering: .acquiring)
      guard sequence & 1 == 0, clockSequence.load(ordering: .acquiring) == sequence else { continue }
      return (last, sequence == 0 ? nil : offset)
    }
    return (lastFrame.load(ordering: .acquiring), nil)
  }

  /// Publishes the first frame and the clock offset of this cycle. Audio thread.
  @_noLocks @_noAllocation private func note(_ frame: Int64, offset: Int64) {
    let isFirst = clockSequence.load(ordering: .relaxed) == 0
    guard isFirst || offset != clockOffset.load(ordering: .relaxed) else {
      lastFrame.store(frame, ordering: .releasing)
      return
    }
    clockSequence.add(1, ordering: .sequentiallyConsistent)
    lastFrame.store(frame, ordering: .sequentiallyConsistent)
    clockOffset.store(offset, ordering: .sequentiallyConsistent)
    clockSequence.add(1, ordering: .sequentiallyConsistent)
  }

  /// Runs one JACK cycle: calls the renderer for parts of at most `longestBlock` frames. Audio thread.
  @_noLocks @_noAllocation func run(_ frameCount: Int) {
    if isFreewheeling.load(ordering: .relaxed), isPaced.load(ordering: .relaxed) { awaitGrant(frameCount) }
    rt_enter()
    sequence.add(1, ordering: .sequentiallyConsistent)
    let inputCount = inputs.take(), outputCount = outputs.take()
    fetch(inputs, inputCount, frameCount)
    fetch(outputs, outputCount, frameCount)
    let begin = moving.pointee.clock.begin(at: swiftlet_jack_cycle_frame(client), count: frameCount)
    note(begin, offset: moving.pointee.clock.offset)
    clockJumps.store(moving.pointee.clock.jumps, ordering: .relaxed)
    let transport = readTransport()
    if transport.isRolling {
      // A rolling transport ends the wait: JACK asks again before the next start.
      awaited.store(-1, ordering: .relaxed)
      ready.store(-1, ordering: .releasing)
    }
    moving.pointee.cycle.isFreewheeling = isFreewheeling.load(ordering: .relaxed)
    moving.pointee.cycle.inputCount = inputCount
    moving.pointee.cycle.outputCount = outputCount

    var start = 0
    while start < frameCount {
      let count = min(frameCount - start, longestBlock)
      let frame = begin + Int64(start)
      setBuses(inputs, inputCount, spare: silence, from: start, count: count)
      setBuses(outputs, outputCount, spare: waste, from: start, count: count)
      receiveMIDI(inputCount, frame: frame, start: start, count: count)
      moving.pointee.cycle.frame = frame
      moving.pointee.cycle.frameCount = count
      moving.pointee.cycle.transport = transport.advanced(by: start, sampleRate: sampleRate)
      render(moving.pointee.cycle)
      sendMIDI(outputCount, begin: begin, frameCount: frameCount)
      start += count
    }
    sequence.add(1, ordering: .sequentiallyConsistent)
    rt_exit()
  }

  /// Waits until the frames of a cycle are granted, at most two seconds. After that the cycle runs with missing
  /// sound, as it would in real time. Only while JACK freewheels. Audio thread.
  @_semantics("no_performance_analysis")
  func awaitGrant(_ frameCount: Int) {
    // In microseconds. Compare times instead of counting sleeps: a sleep of 50 µs takes longer than that.
    let end = jack_get_time() + 2_000_000
    while budget.load(ordering: .acquiring) < frameCount, jack_get_time() < end {
      guard isPaced.load(ordering: .acquiring), isFreewheeling.load(ordering: .acquiring) else { return }
      Waiting.sleep(microseconds: 50)
    }
    let left = budget.load(ordering: .relaxed)
    budget.subtract(min(max(left, 0), frameCount), ordering: .relaxed)
  }

  /// Gets the buffers of this cycle from JACK, and clears those of MIDI outputs.
  @_noLocks @_noAllocation
  private func fetch(_ table: borrowing PortTable, _ length: Int, _ frameCount: Int) {
    for number in 0..<length {
      guard let group = table.current[number] else { continue }
      group.pointee.nextEvent = 0
      group.pointee.lastOffset = 0
      for port in 0..<group.pointee.count {
        let buffer = swiftlet_jack_buffer(group.pointee.ports[port], jack_nframes_t(frameCount))
        group.pointee.buffers[port] = buffer
        if group.pointee.sendsMIDI, let buffer { swiftlet_jack_midi_clear(buffer) }
      }
    }
  }

  /// Points the renderer's buses to one part of the cycle.
  @_noLocks @_noAllocation
  private func setBuses(
    _ table: borrowing PortTable, _ length: Int, spare: borrowing SpareChannel, from start: Int, count: Int
  ) {
    for number in 0..<length {
      guard let group = table.current[number] else {
        table.buses[number] = spare.vacantBus
        continue
      }
      if let events = group.pointee.eventMemory {
        table.buses[number].channels = UnsafePointer(group.pointee.channels)
        table.buses[number].channelCount = 0
        table.buses[number].events = EventBuffer(over: events, byteCount: PortGroup.eventBytes)
        continue
      }
      for channel in 0..<group.pointee.count {
        if let buffer = group.pointee.buffers[channel] {
          group.pointee.channels[channel] = buffer.assumingMemoryBound(to: Float.self) + start
        } else {
          group.pointee.channels[channel] = spare.samples
        }
      }
      table.buses[number].channels = UnsafePointer(group.pointee.channels)
      table.buses[number].channelCount = group.pointee.count
      table.buses[number].events = nil
    }
  }

  /// Calls the renderer, which the client retains while it is open.
  @_noLocks @_noAllocation private func render(_ cycle: Cycle) {
    guard let renderer, !isAbandoned.load(ordering: .sequentiallyConsistent) else { return silence(cycle) }
    renderer._withUnsafeGuaranteedRef { $0.render(cycle) }
  }

  @_noLocks @_noAllocation private func silence(_ cycle: Cycle) {
    for number in 0..<cycle.outputCount {
      let bus = cycle.outputs[number]
      for channel in 0..<bus.channelCount { rt_clear_floats(bus.channels[channel], cycle.frameCount) }
    }
  }
}
