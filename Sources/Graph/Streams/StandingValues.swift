// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The values of a song that stay until they are set again: programs, controllers, bends and pressures, and which
/// messages set each of them. So who begins in a song's midst can be told how things stand, in a time that does not
/// depend on how long it is.
@safe struct StandingValues: ~Copyable {
  /// How many values there are that the song sets at all.
  let count: Int
  // The places of the messages that set a value, in order, and where those of each value begin. Nothing is written
  // after it has been made.
  private let places: UnsafeMutablePointer<Int>
  private let starts: UnsafeMutablePointer<Int>

  /// The values that some messages set. Control thread.
  init(_ messages: [EventSource.Message]) {
    var setters: [Int: [Int]] = [:]
    for (place, message) in messages.enumerated() {
      if let key = Self.key(of: message) { setters[key, default: []].append(place) }
    }
    let groups = setters.sorted { $0.key < $1.key }.map(\.value), flat = groups.flatMap(\.self)
    count = groups.count
    unsafe places = .allocate(capacity: max(flat.count, 1))
    unsafe starts = .allocate(capacity: count + 1)
    for (index, place) in flat.enumerated() { unsafe (places + index).initialize(to: place) }
    var start = 0
    for (index, group) in groups.enumerated() {
      unsafe (starts + index).initialize(to: start)
      start += group.count
    }
    unsafe (starts + count).initialize(to: start)
  }

  deinit {
    unsafe places.deallocate()
    unsafe starts.deallocate()
  }

  /// The message that has set a value last before a place; else, where a song is repeated, the last of all. −1 for
  /// none. Audio thread.
  @_noLocks @_noAllocation func last(_ value: Int, before place: Int, orAtEnd isRepeating: Bool) -> Int {
    let (first, end) = unsafe (starts[value], starts[value + 1])
    var low = first, high = end
    while low < high {
      let middle = (low + high) / 2
      if unsafe places[middle] < place { low = middle + 1 } else { high = middle }
    }
    if low > first { return unsafe places[low - 1] }
    return isRepeating ? unsafe places[end - 1] : -1
  }

  /// What tells a value from others, in the order in which they have to be told: a bank before its program, a
  /// parameter's number before its value. Nil for a message that sets nothing that stays.
  private static func key(of message: EventSource.Message) -> Int? {
    let status = Int(message.bytes & 0xF0), number = Int(message.bytes >> 8 & 127)
    let rank: Int
    switch (status, number) {
    // Modes are no values.
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
