// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The MIDI chase of a sequence: the programs, controllers, pitch bends and pressures that it sets, and the messages
/// that set each of them. Playback that starts within the sequence can look up the values that apply there, in a time
/// that does not depend on the sequence's length.
@safe struct MIDIChase: ~Copyable {
  /// The number of different values that the sequence sets.
  let count: Int
  // The indices of the messages that set a value, sorted, and the start of each value's group. Immutable after `init`.
  private let indices: UnsafeMutablePointer<Int>
  private let starts: UnsafeMutablePointer<Int>

  /// Collects the values that the messages set. Control threads only.
  init(_ messages: [EventSource.Message]) {
    var setters: [Int: [Int]] = [:]
    for (index, message) in messages.enumerated() {
      if let key = Self.key(of: message) { setters[key, default: []].append(index) }
    }
    let groups = setters.sorted { $0.key < $1.key }.map(\.value), flat = groups.flatMap(\.self)
    count = groups.count
    unsafe indices = .allocate(capacity: max(flat.count, 1))
    unsafe starts = .allocate(capacity: count + 1)
    for (offset, index) in flat.enumerated() { unsafe (indices + offset).initialize(to: index) }
    var start = 0
    for (index, group) in groups.enumerated() {
      unsafe (starts + index).initialize(to: start)
      start += group.count
    }
    unsafe (starts + count).initialize(to: start)
  }

  deinit {
    unsafe indices.deallocate()
    unsafe starts.deallocate()
  }

  /// Returns the index of the last message before `index` that sets a value. If there is none, returns the value's
  /// last message of all if the sequence is repeating, or −1. Audio thread only.
  @_noLocks @_noAllocation func last(_ value: Int, before index: Int, orAtEnd isRepeating: Bool) -> Int {
    let (first, end) = unsafe (starts[value], starts[value + 1])
    var low = first, high = end
    while low < high {
      let middle = (low + high) / 2
      if unsafe indices[middle] < index { low = middle + 1 } else { high = middle }
    }
    if low > first { return unsafe indices[low - 1] }
    return isRepeating ? unsafe indices[end - 1] : -1
  }

  /// Returns a key that identifies the value that a message sets. Keys sort in the order in which values must be
  /// sent: bank before program, parameter number before parameter value. Returns nil for a message that sets no
  /// lasting value.
  private static func key(of message: EventSource.Message) -> Int? {
    let status = Int(message.bytes & 0xF0), number = Int(message.bytes >> 8 & 127)
    let rank: Int
    switch (status, number) {
    // Channel mode messages set no value.
    case (0xB0, 120...): return nil
    case (0xB0, 0): rank = 0
    case (0xB0, 32): rank = 1
    case (0xC0, _): rank = 2
    case (0xB0, 98...101): rank = 3 + 101 - number
    case (0xB0, 6): rank = 7
    case (0xB0, 38): rank = 8
    case (0xB0, _): rank = 16 + number
    case (0xD0, _): rank = 200
    case (0xE0, _): rank = 201
    default: return nil
    }
    return Int(message.bytes & 15) << 8 | rank
  }
}
