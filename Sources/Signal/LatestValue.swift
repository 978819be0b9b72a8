// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import Synchronization

/// The latest value of one thread, which any other thread reads whole and without a lock: a sequence lock.
///
/// The writer never waits. A reader that meets the writer tries again, or keeps what it read before.
///
/// Marks cannot stand on generic code: these functions are inlined, and checked where a marked function calls them.
// @unchecked: `words` are written and read as atomics only.
@safe public struct LatestValue<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  /// Any value, to read over.
  @usableFromInline let first: Value
  /// Twice the number of values published; odd while one is being written.
  @usableFromInline let sequence = Atomic<Int>(0)

  /// Holds a first value, which counts as version 0. Control thread.
  public init(_ value: Value) {
    precondition(MemoryLayout<Value>.alignment == 8, "a value is read by words of 8 bytes")
    first = value
    var value = value
    unsafe words = .allocate(capacity: MemoryLayout<Value>.stride / 8)
    unsafe publishWords(words, &value, MemoryLayout<Value>.size)
  }

  deinit { unsafe words.deallocate() }

  /// How many values have been published.
  @inlinable @inline(__always) public borrowing func version() -> Int {
    sequence.load(ordering: .acquiring) >> 1
  }

  /// Replaces the value. One thread at a time.
  @inlinable @inline(__always) public borrowing func publish(_ value: Value) {
    var value = value
    let before = sequence.load(ordering: .relaxed)
    sequence.store(before &+ 1, ordering: .relaxed)
    // Each word is released: a reader that sees one of them sees the odd count too.
    unsafe publishWords(words, &value, MemoryLayout<Value>.size)
    sequence.store(before &+ 2, ordering: .releasing)
  }

  /// Reads the value, unless it is being replaced just now: then `value` stays as it is. Never waits.
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

  /// Reads the value, again and again while it is being replaced. Not the audio thread.
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
