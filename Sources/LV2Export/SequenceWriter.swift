// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// Writes an LV2 sequence to a host's memory.
@safe struct SequenceWriter: BitwiseCopyable {
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  private var used = 16

  /// Begins an empty sequence in a port's memory, whose capacity the host has stored there, as LV2 specifies.
  ///
  /// Nil if the capacity does not suffice for an empty sequence.
  @_noLocks @_noAllocation @unsafe init?(_ port: UnsafeMutableRawPointer, sequence: UInt32) {
    unsafe memory = port
    capacity = unsafe 8 + Int(port.loadUnaligned(as: UInt32.self))
    guard capacity >= 16 else { return nil }
    unsafe store(8, at: 0)
    unsafe store(sequence, at: 4)
    unsafe store(0, at: 8)
    unsafe store(0, at: 12)
  }

  /// Appends an event, unless there is no space.
  @_noLocks @_noAllocation @unsafe
  mutating func append(frame: Int64, type: UInt32, _ bytes: UnsafeRawPointer, size: Int) {
    let length = 16 + (size + 7) & ~7
    guard used + length <= capacity else { return }
    unsafe (memory + used).storeBytes(of: frame, as: Int64.self)
    unsafe store(UInt32(truncatingIfNeeded: size), at: used + 8)
    unsafe store(type, at: used + 12)
    unsafe rt_copy_bytes(memory + used + 16, bytes, size)
    used += length
    unsafe store(UInt32(truncatingIfNeeded: used - 8), at: 0)
  }

  @_noLocks @_noAllocation @unsafe private func store(_ word: UInt32, at offset: Int) {
    unsafe (memory + offset).storeBytes(of: word, as: UInt32.self)
  }
}
