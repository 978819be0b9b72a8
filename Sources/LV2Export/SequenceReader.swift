// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Reads an LV2 sequence, event by event. What a host wrote is not believed: nothing beyond its size is read.
@safe struct SequenceReader: BitwiseCopyable {
  private let memory: UnsafeRawPointer
  /// Where the current event stands, and where the sequence ends, in bytes.
  private var place = 16
  private let end: Int

  /// A port's memory: empty unless it holds a sequence.
  @_noLocks @_noAllocation @unsafe init(_ port: UnsafeRawPointer, sequence: UInt32) {
    unsafe memory = port
    let type = unsafe port.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    end = type == sequence ? 8 + Int(unsafe port.loadUnaligned(as: UInt32.self)) : 0
  }

  /// Whether there is an event.
  var hasEvent: Bool {
    @_noLocks @_noAllocation get { place + 16 <= end ? place + 16 + size <= end : false }
  }

  /// When the current event happens, in frames from the start of the run. There is one: see ``hasEvent``.
  var frame: Int { @_noLocks @_noAllocation get { Int(unsafe word(0)) | Int(unsafe word(4)) << 32 } }
  /// How many bytes it has.
  var size: Int { @_noLocks @_noAllocation get { Int(unsafe word(8)) } }
  /// The number of its type.
  var type: UInt32 { @_noLocks @_noAllocation get { unsafe word(12) } }
  /// Its bytes.
  var bytes: UnsafeRawPointer { @_noLocks @_noAllocation get { unsafe memory + place + 16 } }

  /// Steps on to the next event.
  @_noLocks @_noAllocation mutating func advance() { place += 16 + (size + 7) & ~7 }

  @_noLocks @_noAllocation @unsafe private func word(_ offset: Int) -> UInt32 {
    unsafe memory.loadUnaligned(fromByteOffset: place + offset, as: UInt32.self)
  }
}
