// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import Synchronization

/// A sequence lock: one thread publishes values, and any other thread reads the latest one as a whole and without a
/// lock.
///
/// The writer never waits. If a read overlaps a write, the reader tries again or keeps the value that it read before.
///
/// Generic code cannot be annotated: these functions are inlined, and the compiler checks them where an annotated
/// function calls them.
// @unchecked: `words` are accessed only as atomics.
@safe public struct LatestValue<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  /// Any value, as initial content of a variable to read into.
  @usableFromInline let first: Value
  /// Twice the number of published values; odd while one is being written.
  @usableFromInline let sequence = Atomic<Int>(0)

  /// Creates a sequence lock with a first value, which counts as version 0. Control thread.
  public init(_ value: Value) {
    precondition(MemoryLayout<Value>.alignment == 8, "the alignment must be 8 bytes")
    first = value
    var value = value
    unsafe words = .allocate(capacity: MemoryLayout<Value>.stride / 8)
    unsafe publishWords(words, &value, MemoryLayout<Value>.size)
  }

  deinit { unsafe words.deallocate() }

  /// Returns the number of published values.
  @inlinable @inline(__always) public borrowing func version() -> Int {
    sequence.load(ordering: .acquiring) >> 1
  }

  /// Replaces the value. One thread at a time.
  @inlinable @inline(__always) public borrowing func publish(_ value: Value) {
    var value = value
    let before = sequence.load(ordering: .relaxed)
    sequence.store(before &+ 1, ordering: .relaxed)
    // Each word is stored with release order: a reader that sees one of them also sees the odd count.
    unsafe publishWords(words, &value, MemoryLayout<Value>.size)
    sequence.store(before &+ 2, ordering: .releasing)
  }

  /// Reads the value. If it is being replaced at this moment, `value` does not change. Never waits.
  ///
  /// - Returns: whether `value` is the latest.
  @inlinable @inline(__always) @discardableResult
  public borrowing func read(into value: inout Value) -> Bool {
    let before = sequence.load(ordering: .acquiring)
    guard before & 1 == 0 else { return false }
    var fresh = value
    unsafe readWords(&fresh, words, MemoryLayout<Value>.size)
    guard sequence.load(ordering: .relaxed) == before else { return false }
    value = fresh
    return true
  }

  /// Returns the value; repeats the read while the value is being replaced. Not on the audio thread.
  public borrowing func latest() -> Value {
    var value = first
    while !read(into: &value) {}
    return value
  }
}

@usableFromInline @_noLocks @_noAllocation
func publishWords(_ words: UnsafeMutablePointer<UInt64>, _ value: UnsafeRawPointer, _ size: Int) {
  unsafe rt_publish_words(words, value, size)
}

@usableFromInline @_noLocks @_noAllocation
func readWords(_ value: UnsafeMutableRawPointer, _ words: UnsafePointer<UInt64>, _ size: Int) {
  unsafe rt_read_words(value, words, size)
}
