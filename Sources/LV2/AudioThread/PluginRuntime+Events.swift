// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import SwiftletSignal
internal import Synchronization

extension PluginRuntime {
  /// Copies the block's events into the plugin's sequences, and initializes the output sequences.
  @_noLocks @_noAllocation mutating func prepareEvents(_ block: Block) {
    let hasTransportChanged = clock.moves(to: block.transport, at: block.frame)
    for number in 0..<eventInputCount {
      let port = eventInputs[number]
      port.begin(size: 8, type: types.sequence)
      if hasTransportChanged, port.receivesPosition {
        var position = PositionAtom(block.transport, types.position)
        if !position.append(to: port, types.position) { countLostEvent() }
      }
      if number == messageInput { sendProperties(to: port) }
      guard port.bus < block.inputCount, let events = block.input(bus: port.bus).events else { continue }
      var next = events.first
      while let event = next {
        let frame = event.header.frame - block.frame
        if frame >= Int64(block.frameCount) { break }
        if frame >= 0, !takesProgramChange(event) {
          let isIn = port.append(
            frame: frame, type: event.header.type, event.bytes, size: Int(event.header.size))
          if !isIn { countLostEvent() }
        }
        next = events.next(after: event)
      }
    }
    for number in 0..<eventOutputCount * pluginCount {
      let port = eventOutputs[number]
      port.begin(size: port.capacity - 8, type: types.chunk)
    }
  }

  @_noLocks @_noAllocation private func countLostEvent() {
    faults.pointee.lostEvent()
  }

  /// Copies the events that the first instance wrote into the block's event buses. A plugin counts frames from the start
  /// of its block; the copies have frames of the engine's clock.
  ///
  /// Readers of an event buffer require frames that never decrease and lie within the block. An event with any other
  /// frame is moved to the nearest allowed one, and an event without a time stamp to the frame of the one before it.
  @_noLocks @_noAllocation mutating func collectEvents(_ block: Block) {
    for number in 0..<eventOutputCount {
      let port = eventOutputs[number]
      let head = port.memory.load(as: LV2_Atom.self)
      guard head.type == types.sequence, port.bus < block.outputCount,
        let events = block.output(bus: port.bus).events
      else { continue }
      let end = min(8 + Int(head.size), port.capacity)
      if 8 + Int(head.size) > port.capacity { faults.pointee.noteEvents(.long) }
      var offset = 16, last: Int64 = 0
      while offset + 16 <= end {
        guard let event = port.event(at: offset, before: end, object: types.patch.object) else {
          faults.pointee.noteEvents(.long)
          break
        }
        if let frame = event.frame {
          last = min(max(frame, last), Int64(block.frameCount - 1))
          if last != frame { faults.pointee.noteEvents(.misplaced) }
        } else {
          faults.pointee.noteEvents(.unstamped)
        }
        let header = EventHeader(
          frame: block.frame + last, type: event.type, size: UInt32(truncatingIfNeeded: event.size))
        if event.type == types.patch.object { noteMessage(event.body, size: event.size) }
        events.append(header, bytes: event.body)
        offset = event.next
      }
    }
  }
}
