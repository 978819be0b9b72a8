// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Reads an LV2 sequence, event by event. The host's data is not trusted: nothing beyond its size is read.
@safe struct SequenceReader: BitwiseCopyable {
  private let memory: UnsafeRawPointer
  /// The position of the current event, and the end of the sequence, in bytes.
  private var position = 16
  private let end: Int

  /// Creates a reader for a port's memory; empty unless the memory contains a sequence.
  @_noLocks @_noAllocation @unsafe init(_ port: UnsafeRawPointer, sequence: UInt32) {
    unsafe memory = port
    let type = unsafe port.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    end = type == sequence ? 8 + Int(unsafe port.loadUnaligned(as: UInt32.self)) : 0
  }

  /// Whether there is a current event.
  var hasEvent: Bool {
    @_noLocks @_noAllocation get { position + 16 <= end ? position + 16 + size <= end : false }
  }

  /// The current event's frame, relative to the start of the run. Requires ``hasEvent``, as do the members below.
  var frame: Int { @_noLocks @_noAllocation get { Int(unsafe word(0)) | Int(unsafe word(4)) << 32 } }
  /// The event's size in bytes.
  var size: Int { @_noLocks @_noAllocation get { Int(unsafe word(8)) } }
  /// The URID of the event's type.
  var type: UInt32 { @_noLocks @_noAllocation get { unsafe word(12) } }
  /// The event's data.
  var bytes: UnsafeRawPointer { @_noLocks @_noAllocation get { unsafe memory + position + 16 } }

  /// Advances to the next event.
  @_noLocks @_noAllocation mutating func advance() { position += 16 + (size + 7) & ~7 }

  @_noLocks @_noAllocation @unsafe private func word(_ offset: Int) -> UInt32 {
    unsafe memory.loadUnaligned(fromByteOffset: position + offset, as: UInt32.self)
  }
}
