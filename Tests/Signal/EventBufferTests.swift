// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

struct EventBufferTests {
  /// Calls `body` with a buffer of `byteCount` bytes.
  private func withBuffer(_ byteCount: Int, _ body: (EventBuffer) -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    defer { memory.deallocate() }
    body(EventBuffer(over: memory, byteCount: byteCount))
  }

  private func append(_ bytes: [UInt8], at frame: Int64, to buffer: EventBuffer) -> Bool {
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else { return false }
      return buffer.append(
        EventHeader(frame: frame, type: EventHeader.midi, size: UInt32(bytes.count)), bytes: base)
    }
  }

  private func all(_ buffer: EventBuffer) -> [(frame: Int64, bytes: [UInt8])] {
    var events: [(frame: Int64, bytes: [UInt8])] = [], next = buffer.first
    while let event = next {
      events.append((event.header.frame, (0..<Int(event.header.size)).map { event[$0] }))
      next = buffer.next(after: event)
    }
    return events
  }

  @Test func `events of any length are returned in order with their bytes`() {
    withBuffer(1024) { buffer in
      #expect(buffer.isEmpty && buffer.first == nil)
      for size in 1...17 {
        #expect(append((0..<size).map { UInt8(size * 8 + $0) }, at: Int64(size) << 33, to: buffer))
      }
      let events = all(buffer)
      #expect(events.map(\.frame) == (1...17).map { Int64($0) << 33 })
      for (index, event) in events.enumerated() {
        #expect(event.bytes == (0...index).map { UInt8((index + 1) * 8 + $0) })
      }
      #expect(!buffer.isEmpty && buffer.takeDropped() == 0)
      buffer.clear()
      #expect(buffer.isEmpty && buffer.first == nil)
    }
  }

  @Test func `event data is padded to multiples of 8 bytes`() {
    // A header of 16 bytes, then two events of 16 + 8 bytes.
    withBuffer(16 + 2 * 24) { buffer in
      #expect(append([1, 2, 3], at: 1, to: buffer))
      #expect(append([1, 2, 3, 4, 5, 6, 7, 8], at: 2, to: buffer))
      #expect(!append([1], at: 3, to: buffer))
    }
    withBuffer(16 + 2 * 24 - 1) { buffer in
      #expect(append([1, 2, 3], at: 1, to: buffer))
      #expect(!append([1, 2, 3, 4, 5, 6, 7, 8], at: 2, to: buffer))
    }
  }

  @Test func `an event that does not fit is counted once and leaves the buffer intact`() {
    withBuffer(64) { buffer in
      #expect(append([0x90, 60, 100], at: 5, to: buffer))
      for _ in 0..<3 { #expect(!append([UInt8](repeating: 1, count: 40), at: 6, to: buffer)) }
      #expect(buffer.takeDropped() == 3)
      #expect(buffer.takeDropped() == 0)
      #expect(all(buffer).map(\.bytes) == [[0x90, 60, 100]])
      #expect(append([0x80, 60, 0], at: 7, to: buffer))
    }
  }

  @Test func `a byte past an event's end reads as 0`() {
    withBuffer(64) { buffer in
      #expect(append([0xF8], at: 0, to: buffer))
      #expect(buffer.first?[0] == 0xF8 && buffer.first?[1] == 0 && buffer.first?[-1] == 0)
    }
  }
}
