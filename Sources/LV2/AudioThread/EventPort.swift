// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime

/// An atom port and its sequence buffer.
struct EventPort: BitwiseCopyable {
  var bus: Int
  var memory: UnsafeMutableRawPointer
  /// The buffer's size in bytes.
  var capacity: Int
  /// Whether the plugin receives the host's transport position at this port.
  var receivesPosition: Bool

  /// The maximum body size of one more event, in bytes.
  var room: Int { @_noLocks @_noAllocation get { capacity - 8 - Int(memory.load(as: UInt32.self)) - 24 } }

  /// Writes the sequence's headers: the atom's, then the body's.
  @_noLocks @_noAllocation func begin(size: Int, type: UInt32) {
    let head = LV2_Atom(size: UInt32(truncatingIfNeeded: size), type: type)
    memory.storeBytes(of: head, as: LV2_Atom.self)
    (memory + 8).storeBytes(of: LV2_Atom_Sequence_Body(unit: 0, pad: 0), as: LV2_Atom_Sequence_Body.self)
  }

  /// Appends an event; returns false if there is no space.
  @_noLocks @_noAllocation func append(frame: Int64, type: UInt32, _ bytes: UnsafeRawPointer, size: Int)
    -> Bool
  {
    let used = 8 + Int(memory.load(as: UInt32.self))
    let length = 16 + (size + 7) & ~7
    guard used + length <= capacity else { return false }
    let address = memory + used
    address.storeBytes(of: frame, as: Int64.self)
    (address + 8).storeBytes(
      of: LV2_Atom(size: UInt32(truncatingIfNeeded: size), type: type), as: LV2_Atom.self)
    rt_copy_bytes(address + 16, bytes, size)
    memory.storeBytes(of: UInt32(truncatingIfNeeded: used - 8 + length), as: UInt32.self)
    return true
  }
}

/// An event in a sequence that a plugin wrote.
struct SequenceEvent: BitwiseCopyable {
  /// The frame in the block; nil if the plugin wrote no time stamp.
  var frame: Int64?
  var type: UInt32
  /// The body's size in bytes.
  var size: Int
  var body: UnsafeRawPointer
  /// The position of the next event in the port's memory, in bytes.
  var next: Int
}

extension EventPort {
  /// Returns the event at a position, which is at least 16 bytes before `end`; nil if it exceeds `end`.
  ///
  /// Some plugins (eg-sampler 1.18.4) write two objects after one time stamp. Where the second stamp would be is then the
  /// header of an atom, with its type in the upper half: no block has a frame of that number.
  ///
  /// - Parameter object: The URID of the type of objects.
  @_noLocks @_noAllocation func event(at offset: Int, before end: Int, object: UInt32) -> SequenceEvent? {
    let stamp = (memory + offset).load(as: Int64.self)
    let first = (memory + offset).load(as: LV2_Atom.self)
    if first.type == object {
      return offset + 8 + Int(first.size) <= end ? event(nil, first, offset + 8) : nil
    }
    let atom = (memory + offset + 8).load(as: LV2_Atom.self)
    return offset + 16 + Int(atom.size) <= end ? event(stamp, atom, offset + 16) : nil
  }

  @_noLocks @_noAllocation private func event(_ frame: Int64?, _ atom: LV2_Atom, _ body: Int) -> SequenceEvent
  {
    SequenceEvent(
      frame: frame, type: atom.type, size: Int(atom.size), body: UnsafeRawPointer(memory + body),
      next: body + (Int(atom.size) + 7) & ~7)
  }
}

/// A fault of the events that a plugin sends. The host corrects each.
enum EventFault: Int, CaseIterable {
  /// Without a time stamp.
  case unstamped
  /// Out of order, or outside of their block.
  case misplaced
  /// Longer than their sequence, or a sequence longer than the port's buffer.
  case long

  /// The fault's bit in a set of faults: 1 shifted left by the raw value.
  var bit: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .unstamped: 1
      case .misplaced: 2
      case .long: 4
      }
    }
  }

  /// The plugin's fault and its correction, to follow the plugin's name.
  var words: String {
    switch self {
    case .unstamped: "sent an event without a time stamp; it got the time of the event before it"
    case .misplaced:
      "sent events out of order or outside of their block; they were moved to the nearest frame that is allowed"
    case .long: "sent more events than the buffer holds, or an incomplete one; the rest was dropped"
    }
  }
}

/// The URIDs of the types in sequences.
struct EventTypes: BitwiseCopyable {
  var sequence: UInt32
  var chunk: UInt32
  var position: PositionTypes
  var patch: PatchTypes

  init() {
    let map = URIDMap.shared
    sequence = map.number(of: Name.sequence)
    chunk = map.number(of: Name.chunk)
    position = PositionTypes()
    patch = PatchTypes()
  }
}
