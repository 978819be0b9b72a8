// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@Suite struct HeldNotesTests {
  private func follow(_ notes: inout HeldNotes, _ bytes: UInt8..., type: UInt32 = EventHeader.midi) {
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else { return }
      notes.follow(EventHeader(frame: 0, type: type, size: UInt32(bytes.count)), base)
    }
  }

  /// The messages that release all notes and pedals.
  private func releases(_ notes: HeldNotes) -> [[UInt8]] {
    var notes = notes, result: [[UInt8]] = []
    while let message = notes.release {
      result.append((0..<3).map { UInt8(truncatingIfNeeded: message >> ($0 * 8)) })
      notes.follow(release: message)
      guard result.count <= 2064 else { break }
    }
    return result
  }

  @Test func `held notes and pedals are released, notes first`() {
    var notes = HeldNotes()
    #expect(notes.isEmpty && notes.release == nil)
    follow(&notes, 0x9F, 127, 1)
    follow(&notes, 0x90, 0, 100)
    follow(&notes, 0x90, 64, 100)
    follow(&notes, 0x90, 64, 100)
    follow(&notes, 0xB5, 64, 64)
    #expect(!notes.isEmpty)
    #expect(releases(notes) == [[0x80, 0, 0], [0x80, 64, 0], [0x8F, 127, 0], [0xB5, 64, 0]])
  }

  @Test func `each kind of release message ends a held note or pedal`() {
    for release: (UInt8, UInt8, UInt8) in [
      (0x82, 60, 64), (0x92, 60, 0), (0xB2, 123, 0), (0xB2, 120, 0), (0xB2, 127, 0),
    ] {
      var notes = HeldNotes()
      follow(&notes, 0x92, 60, 1)
      follow(&notes, release.0, release.1, release.2)
      #expect(notes.isEmpty, "\(release)")
    }
    for value: UInt8 in [0, 63] {
      var notes = HeldNotes()
      follow(&notes, 0xB2, 64, 127)
      follow(&notes, 0xB2, 64, value)
      #expect(notes.isEmpty)
    }
    var notes = HeldNotes()
    follow(&notes, 0xB2, 64, 127)
    follow(&notes, 0x92, 60, 1)
    follow(&notes, 0xB2, 121, 0)
    #expect(releases(notes) == [[0x82, 60, 0]])
  }

  @Test func `messages that are not note or pedal events are ignored`() {
    var notes = HeldNotes()
    follow(&notes, 0x90, 60)
    follow(&notes, 0xF0, 0x90, 60, 100)
    follow(&notes, 0xC0, 5)
    follow(&notes, 0xB0, 7, 100)
    follow(&notes, 0x90, 60, 100, type: 77)
    follow(&notes, 0x80, 61, 0)
    #expect(notes.isEmpty)
  }

  @Test func `all keys of all channels are released in several passes if the buffer is too small`() {
    var notes = HeldNotes()
    for channel in 0..<16 as Range<UInt8> {
      for key in 0..<128 as Range<UInt8> { follow(&notes, 0x90 | channel, key, 1) }
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 + 24 * 1000, alignment: 8)
    defer { memory.deallocate() }
    let events = EventBuffer(over: memory, byteCount: 16 + 24 * 1000)
    var released = 0, rounds = 0, isDone = false
    while !isDone, rounds < 10 {
      isDone = notes.release(into: events, at: 5)
      var next = events.first
      while let event = next {
        released += 1
        next = events.next(after: event)
      }
      #expect(events.takeDropped() == 0)
      events.clear()
      rounds += 1
    }
    #expect(released == 2048 && rounds == 3 && notes.isEmpty)
  }
}
