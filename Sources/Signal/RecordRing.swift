// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Synchronization

/// A queue of small records from one thread to another, neither of which waits.
///
/// Positions only grow and are masked to an index into the memory. The writer publishes a record by storing its
/// position; the reader frees a record by storing its own.
///
/// Generic code cannot be annotated: these functions are inlined, and the compiler checks them where an annotated
/// function calls them.
@safe public struct RecordRing<Record: BitwiseCopyable>: ~Copyable {
  @usableFromInline let memory: UnsafeMutablePointer<Record>
  @usableFromInline let mask: Int
  @usableFromInline let written = Atomic<Int>(0)
  @usableFromInline let read = Atomic<Int>(0)

  /// Creates a ring for at least `capacity` records, from 1 to 2²⁴. Control thread.
  public init(capacity: Int, filler: Record) {
    var size = 1
    while size < min(max(capacity, 1), 1 << 24) { size <<= 1 }
    unsafe memory = .allocate(capacity: size)
    unsafe memory.initialize(repeating: filler, count: size)
    mask = size - 1
  }

  deinit { unsafe memory.deallocate() }

  /// Appends a record. Writing thread only.
  ///
  /// - Returns: whether there was room.
  @inlinable @inline(__always) public borrowing func push(_ record: Record) -> Bool {
    let index = written.load(ordering: .relaxed)
    guard index &- read.load(ordering: .acquiring) <= mask else { return false }
    unsafe memory[index & mask] = record
    written.store(index &+ 1, ordering: .releasing)
    return true
  }

  /// Returns the oldest record without removing it; nil if the queue is empty. Reading thread only.
  @inlinable @inline(__always) public borrowing func peek() -> Record? {
    let index = read.load(ordering: .relaxed)
    guard index != written.load(ordering: .acquiring) else { return nil }
    return unsafe memory[index & mask]
  }

  /// Removes and returns the oldest record; nil if the queue is empty. Reading thread only.
  @inlinable @inline(__always) public borrowing func pop() -> Record? {
    guard let record = peek() else { return nil }
    read.store(read.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    return record
  }

  /// Returns the number of records in the queue. Either thread; the other thread may change it at any time.
  @inlinable public borrowing func count() -> Int {
    written.load(ordering: .acquiring) &- read.load(ordering: .acquiring)
  }
}
