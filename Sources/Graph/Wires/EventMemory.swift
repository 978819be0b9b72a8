// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// The memory of an event buffer.
@safe struct EventMemory: ~Copyable {
  /// The size of a plain bus's buffer in bytes: about a thousand MIDI messages per cycle.
  static let byteCount = 1 << 15
  private let bytes: UnsafeMutableRawPointer
  /// The memory as a buffer.
  let buffer: EventBuffer

  /// Allocates the capacity of `buses` plain buses.
  init(buses: Int = 1) {
    let count = Self.byteCount * buses
    unsafe bytes = .allocate(byteCount: count, alignment: 8)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    unsafe buffer = EventBuffer(over: bytes, byteCount: count)
  }

  deinit { unsafe bytes.deallocate() }
}
