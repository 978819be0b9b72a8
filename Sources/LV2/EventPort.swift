// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import SwiftletSignal
internal import Synchronization

/// An atom port and its sequence buffer.
struct EventPort: BitwiseCopyable {
  var bus: Int
  var memory: UnsafeMutableRawPointer
  /// The buffer's size in bytes.
  var capacity: Int
  /// Whether the plugin wants to hear of the studio's song here.
  var wantsPosition: Bool

  /// The sequence's head: the atom's, then its body's.
  @_noLocks @_noAllocation func begin(size: Int, type: UInt32) {
    let head = LV2_Atom(size: UInt32(truncatingIfNeeded: size), type: type)
    memory.storeBytes(of: head, as: LV2_Atom.self)
    (memory + 8).storeBytes(of: LV2_Atom_Sequence_Body(unit: 0, pad: 0), as: LV2_Atom_Sequence_Body.self)
  }

  /// Adds an event behind the others; false where there is no room.
  @_noLocks @_noAllocation func append(frame: Int64, type: UInt32, _ bytes: UnsafeRawPointer, size: Int)
    -> Bool
  {
    let used = 8 + Int(memory.load(as: UInt32.self))
    let length = 16 + (size + 7) & ~7
    guard used + length <= capacity else { return false }
    let place = memory + used
    place.storeBytes(of: frame, as: Int64.self)
    (place + 8).storeBytes(
      of: LV2_Atom(size: UInt32(truncatingIfNeeded: size), type: type), as: LV2_Atom.self)
    rt_copy_bytes(place + 16, bytes, size)
    memory.storeBytes(of: UInt32(truncatingIfNeeded: used - 8 + length), as: UInt32.self)
    return true
  }
}

/// The numbers of the types that sequences are made of.
struct EventTypes: BitwiseCopyable {
  var sequence: UInt32
  var chunk: UInt32
  var position: PositionTypes

  init() {
    let map = URIDMap.shared
    sequence = map.number(of: Name.sequence)
    chunk = map.number(of: Name.chunk)
    position = PositionTypes()
  }
}

extension PluginRuntime {
  /// Copies the events that are due into the plugin's sequences, and opens those it writes.
  @_noLocks @_noAllocation mutating func prepareEvents(_ block: Block) {
    let hasSongChanged = clock.moves(to: block.transport, at: block.frame)
    for number in 0..<eventInputCount {
      let port = eventInputs[number]
      port.begin(size: 8, type: types.sequence)
      if hasSongChanged, port.wantsPosition {
        var position = PositionAtom(block.transport, types.position)
        if !position.append(to: port, types.position) { countLostEvent() }
      }
      guard port.bus < block.inputCount, let events = block.input(bus: port.bus).events else { continue }
      var next = events.first
      while let event = next {
        let frame = event.header.frame - block.frame
        if frame >= Int64(block.frameCount) { break }
        if frame >= 0 {
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
    tally.pointee.lostEvents.add(1, ordering: .relaxed)
  }

  /// Copies what the first instance wrote to the block's event buses, at absolute frames.
  ///
  /// Whoever reads an event buffer relies on frames that never fall and lie in the block. An event that a
  /// plugin puts elsewhere is moved to the nearest frame where it may stand.
  @_noLocks @_noAllocation mutating func collectEvents(_ block: Block) {
    for number in 0..<eventOutputCount {
      let port = eventOutputs[number]
      let head = port.memory.load(as: LV2_Atom.self)
      guard head.type == types.sequence, port.bus < block.outputCount,
        let events = block.output(bus: port.bus).events
      else { continue }
      let end = min(8 + Int(head.size), port.capacity)
      var place = 16, last: Int64 = 0, odd = 8 + Int(head.size) > port.capacity ? 1 : 0
      while place + 16 <= end {
        let frame = (port.memory + place).load(as: Int64.self)
        let atom = (port.memory + place + 8).load(as: LV2_Atom.self)
        guard place + 16 + Int(atom.size) <= end else {
          odd += 1
          break
        }
        last = min(max(frame, last), Int64(block.frameCount - 1))
        odd += last == frame ? 0 : 1
        let header = EventHeader(frame: block.frame + last, type: atom.type, size: atom.size)
        events.append(header, bytes: UnsafeRawPointer(port.memory + place + 16))
        place += 16 + (Int(atom.size) + 7) & ~7
      }
      if odd > 0 { tally.pointee.oddEvents.add(odd, ordering: .relaxed) }
    }
  }
}
