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
  var wantsPosition: Bool

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
    let place = memory + used
    place.storeBytes(of: frame, as: Int64.self)
    (place + 8).storeBytes(
      of: LV2_Atom(size: UInt32(truncatingIfNeeded: size), type: type), as: LV2_Atom.self)
    rt_copy_bytes(place + 16, bytes, size)
    memory.storeBytes(of: UInt32(truncatingIfNeeded: used - 8 + length), as: UInt32.self)
    return true
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
