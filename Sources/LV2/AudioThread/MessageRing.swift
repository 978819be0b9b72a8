// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Synchronization

/// A lock-free ring of messages of any length, from one writer thread to one reader thread.
///
/// Noncopyable: a class would be retained and released on each use.
// @unchecked: the bytes between `taken` and `put` belong to the reader, all others to the writer; the counters
// transfer them.
struct MessageRing: ~Copyable, @unchecked Sendable {
  private struct Head: BitwiseCopyable {
    var size: UInt32
    var tag: UInt32
  }
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  private let put = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  /// A buffer in which the reader gets a message contiguously. Used by the reader only.
  private let contiguous: UnsafeMutableRawPointer

  /// Creates a ring of `capacity` bytes, a power of two. Control thread.
  init(capacity: Int) {
    precondition(capacity.nonzeroBitCount == 1, "capacity must be a power of two")
    self.capacity = capacity
    memory = .allocate(byteCount: capacity, alignment: 16)
    contiguous = .allocate(byteCount: capacity, alignment: 16)
    // Initialized so that the audio thread causes no page faults.
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    contiguous.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
  }

  deinit {
    memory.deallocate()
    contiguous.deallocate()
  }

  /// Writes a whole message; returns false if there is no space, or if `bytes` is nil and `size` is not 0. Writer
  /// thread.
  @_noLocks @_noAllocation func write(tag: UInt32, _ bytes: UnsafeRawPointer?, size: UInt32) -> Bool {
    let start = put.load(ordering: .relaxed)
    let length = 8 + (Int(size) + 7) & ~7
    guard bytes != nil || size == 0 else { return false }
    guard length <= capacity - (start - taken.load(ordering: .acquiring)) else { return false }
    // Lengths are multiples of eight, so a header never wraps.
    (memory + (start & (capacity - 1))).storeBytes(of: Head(size: size, tag: tag), as: Head.self)
    if let bytes { copy(in: bytes, to: start + 8, count: Int(size)) }
    put.store(start + length, ordering: .releasing)
    return true
  }

  /// The end of the newest message: a limit for a reader that ignores messages that arrive while it reads.
  var end: Int { @_noLocks @_noAllocation get { put.load(ordering: .acquiring) } }

  /// Returns the oldest message before `end`, which is valid until the next `read`; nil if there is none. Reader
  /// thread.
  ///
  /// A message with a size that exceeds the available bytes was corrupted by a plugin that writes from two threads at
  /// once. It is dropped together with all messages after it.
  @_noLocks @_noAllocation func read(before end: Int) -> (tag: UInt32, bytes: UnsafeRawPointer, size: UInt32)?
  {
    let start = taken.load(ordering: .relaxed)
    guard start < end else { return nil }
    let head = (memory + (start & (capacity - 1))).load(as: Head.self)
    guard Int(head.size) <= min(end - start, capacity) - 8 else {
      taken.store(end, ordering: .releasing)
      return nil
    }
    copy(out: contiguous, from: start + 8, count: Int(head.size))
    taken.store(start + 8 + (Int(head.size) + 7) & ~7, ordering: .releasing)
    return (head.tag, UnsafeRawPointer(contiguous), head.size)
  }

  @_noLocks @_noAllocation private func copy(in source: UnsafeRawPointer, to position: Int, count: Int) {
    let start = position & (capacity - 1)
    let first = min(count, capacity - start)
    rt_copy_bytes(memory + start, source, first)
    rt_copy_bytes(memory, source + first, count - first)
  }

  @_noLocks @_noAllocation private func copy(
    out target: UnsafeMutableRawPointer, from position: Int, count: Int
  ) {
    let start = position & (capacity - 1)
    let first = min(count, capacity - start)
    rt_copy_bytes(target, memory + start, first)
    rt_copy_bytes(target + first, memory, count - first)
  }
}
