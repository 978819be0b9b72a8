// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import CSwiftletRealtime

/// The header of an event: its frame, type and size.
public struct EventHeader: BitwiseCopyable, Sendable {
  /// The time of the event: the absolute frame of the stream.
  public var frame: Int64
  /// The type of the event's bytes: ``EventHeader/midi``, or an LV2 URID.
  public var type: UInt32
  /// The number of bytes that follow, before padding to a multiple of eight.
  public var size: UInt32

  /// Creates a header for `size` bytes of `type` at `frame`.
  @_noLocks @_noAllocation @inlinable public init(frame: Int64, type: UInt32, size: UInt32) {
    self.frame = frame
    self.type = type
    self.size = size
  }

  /// The type of raw MIDI 1.0 bytes, one message in each event. The LV2 host assigns this number in its URID map first.
  @inlinable public static var midi: UInt32 { @_noLocks @_noAllocation get { 1 } }
}

/// A buffer of events in the order of their frames, in memory of fixed size.
///
/// The buffer is a view of memory that its owner keeps alive. Appending never allocates; events that do not fit are
/// counted as dropped.
///
/// One thread at a time may use it, the audio thread included.
@safe public struct EventBuffer: BitwiseCopyable {
  /// The counters at the start of the memory.
  @usableFromInline struct Head: BitwiseCopyable {
    @usableFromInline var used: Int
    @usableFromInline var dropped: Int

    @_noLocks @_noAllocation @inlinable init() {
      used = 0
      dropped = 0
    }
  }
  @usableFromInline let memory: UnsafeMutableRawPointer
  @usableFromInline let capacity: Int

  /// Creates an empty buffer over `byteCount` bytes at `memory`, aligned to eight bytes, which the caller keeps alive.
  @_noLocks @_noAllocation @inlinable @unsafe package init(
    over memory: UnsafeMutableRawPointer, byteCount: Int
  ) {
    unsafe self.memory = memory
    capacity = byteCount - 16
    clear()
  }

  @inlinable var head: UnsafeMutablePointer<Head> {
    @_noLocks @_noAllocation get { unsafe memory.assumingMemoryBound(to: Head.self) }
  }

  /// Whether the buffer has no events.
  @inlinable public var isEmpty: Bool { @_noLocks @_noAllocation get { unsafe head.pointee.used == 0 } }

  /// Returns the number of events dropped since the last call, and resets it.
  @_noLocks @_noAllocation @inlinable package func takeDropped() -> Int {
    let count = unsafe head.pointee.dropped
    unsafe head.pointee.dropped = 0
    return count
  }

  /// Whether an event was dropped since the last `takeDropped`, or since the buffer was cleared.
  @inlinable package var hasDropped: Bool {
    @_noLocks @_noAllocation get { unsafe head.pointee.dropped > 0 }
  }

  /// Counts events that were dropped before they reached this buffer.
  @_noLocks @_noAllocation @inlinable package func drop(_ count: Int) { unsafe head.pointee.dropped += count }

  /// Returns whether an event with this number of bytes fits.
  @_noLocks @_noAllocation @inlinable package func hasRoom(for byteCount: Int) -> Bool {
    unsafe 16 + (byteCount + 7) & ~7 <= capacity - head.pointee.used
  }

  /// Removes all events.
  @_noLocks @_noAllocation @inlinable public func clear() {
    unsafe head.pointee = Head()
  }

  /// Appends an event. Its frame must not be earlier than that of the last event.
  ///
  /// - Returns: whether the event fitted. If not, it is counted as dropped.
  @_noLocks @_noAllocation @inlinable @unsafe @discardableResult
  public func append(_ header: EventHeader, bytes: UnsafeRawPointer) -> Bool {
    let length = 16 + (Int(header.size) + 7) & ~7
    let used = unsafe head.pointee.used
    guard length <= capacity - used else {
      unsafe head.pointee.dropped += 1
      return false
    }
    let address = unsafe memory + 16 + used
    unsafe address.storeBytes(of: header, as: EventHeader.self)
    unsafe rt_copy_bytes(address + 16, bytes, Int(header.size))
    unsafe head.pointee.used = used + length
    return true
  }

  /// The first event, or nil. `next(after:)` returns the following ones.
  @inlinable public var first: Event? {
    @_noLocks @_noAllocation get { event(at: 0) }
  }

  /// Returns the event that follows `event`, or nil.
  @_noLocks @_noAllocation @inlinable public func next(after event: Event) -> Event? {
    self.event(at: event.offset + 16 + (Int(event.header.size) + 7) & ~7)
  }

  @_noLocks @_noAllocation @inlinable func event(at offset: Int) -> Event? {
    guard unsafe offset < head.pointee.used else { return nil }
    let start = unsafe memory + 16 + offset
    return unsafe Event(
      header: start.loadUnaligned(as: EventHeader.self), bytes: UnsafeRawPointer(start + 16), offset: offset)
  }
}

/// One event of a buffer. It can be read until the buffer changes.
@safe public struct Event: BitwiseCopyable {
  /// The event's frame, type and size.
  public let header: EventHeader
  /// The event's bytes, `header.size` of them.
  @unsafe public let bytes: UnsafeRawPointer
  @usableFromInline let offset: Int

  @_noLocks @_noAllocation @inlinable init(header: EventHeader, bytes: UnsafeRawPointer, offset: Int) {
    self.header = header
    unsafe self.bytes = bytes
    self.offset = offset
  }

  /// The byte at `index`, or 0 past the end.
  @inlinable public subscript(index: Int) -> UInt8 {
    @_noLocks @_noAllocation get {
      guard 0 <= index && index < Int(header.size) else { return 0 }
      return unsafe bytes.load(fromByteOffset: index, as: UInt8.self)
    }
  }
}
