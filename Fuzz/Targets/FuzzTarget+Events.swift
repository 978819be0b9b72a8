// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

extension FuzzTarget {
  /// MIDI messages of any length from JACK, hosts and plugins, passed through event buffers.
  static let events = FuzzTarget(
    name: "events",
    format: FuzzFormat(words: [
      [3, 0x90], [3, 0x80], [3, 0xB0, 64], [3, 0xB0, 123], [3, 0xBF, 121], [2, 0xC0], [1, 0xF8], [0],
      [7, 0xF0],
    ]),
    seeds: {
      [
        [3, 0x90, 60, 100, 3, 0xB0, 64, 127, 2, 0xC5, 9, 3, 0x80, 60, 0],
        [3, 0x9F, 127, 1, 1, 0xF8, 3, 0xBF, 123, 0, 6, 0xF0, 0x7E, 0x7F, 9, 1, 0xF7, 3, 0x90, 1, 1],
      ]
    },
    feed: { bytes in
      // Memory for 64 events of three bytes.
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 + 24 * 64, alignment: 8)
      defer { memory.deallocate() }
      let buffer = EventBuffer(over: memory, byteCount: 16 + 24 * 64)
      var notes = HeldNotes(), frame: Int64 = 0, sizes: [Int] = []
      for message in messages(bytes) {
        // Memory of exactly that length, so that AddressSanitizer detects reads past its end.
        let own = UnsafeMutableRawBufferPointer.allocate(byteCount: message.count, alignment: 1)
        defer { own.deallocate() }
        own.copyBytes(from: message)
        guard let base = UnsafeRawPointer(own.baseAddress) else { continue }
        let header = EventHeader(frame: frame, type: EventHeader.midi, size: UInt32(message.count))
        if buffer.append(header, bytes: base) { sizes.append(message.count) }
        notes.follow(header, base)
        frame += 1
      }
      precondition(stored(buffer) == sizes, "the buffer holds what it accepted")
      var rounds = 0
      repeat {
        buffer.clear()
        rounds += 1
      } while !notes.release(into: buffer, at: frame) && rounds < 100
      precondition(notes.isEmpty, "everything that is held down can be let go")
      return !sizes.isEmpty
    },
    plantedFault: { bytes in
      // A lookup in the table of all keys, with a key of more than seven bits.
      for message in messages(bytes) where message.count == 3 && message[0] & 0xF0 == 0x90 {
        precondition(Int(message[0] & 15) * 128 + Int(message[1]) < 16 * 128)
      }
    })

  /// The messages in an input. Each is a byte for the length, 0 to 7, then that number of bytes.
  private static func messages(_ bytes: [UInt8]) -> [[UInt8]] {
    var messages: [[UInt8]] = [], place = 0
    while place < bytes.count {
      let end = min(place + 1 + Int(bytes[place] & 7), bytes.count)
      messages.append(Array(bytes[place + 1..<end]))
      place = end
    }
    return messages
  }

  /// The lengths of the events in a buffer.
  private static func stored(_ buffer: EventBuffer) -> [Int] {
    var sizes: [Int] = [], next = buffer.first
    while let event = next {
      sizes.append(Int(event.header.size))
      next = buffer.next(after: event)
    }
    return sizes
  }
}
