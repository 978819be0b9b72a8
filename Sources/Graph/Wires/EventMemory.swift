// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// Memory for the events of a bus or a wire, owned.
@safe struct EventMemory: ~Copyable {
  /// How many bytes a bus has room for: about a thousand MIDI messages a cycle.
  static let byteCount = 1 << 15
  private let bytes: UnsafeMutableRawPointer
  /// The memory as a buffer.
  let buffer: EventBuffer

  /// Room for as many events as so many plain buses have.
  init(buses: Int = 1) {
    let count = Self.byteCount * buses
    unsafe bytes = .allocate(byteCount: count, alignment: 8)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    unsafe buffer = EventBuffer(over: bytes, byteCount: count)
  }

  deinit { unsafe bytes.deallocate() }
}
