// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Synchronization

/// A ring of frames between two threads: one writes, one reads, and neither ever waits.
///
/// Sound crosses in whole blocks or not at all, so a reader never meets half of one. Positions count frames
/// since the ring was made and only grow.
// @unchecked: `memory` between the two positions belongs to the reader and the rest to the
// writer; a position is stored with release after the memory behind it is done with, and loaded
// with acquire before it is touched.
@safe public struct FrameRing: ~Copyable, @unchecked Sendable {
  /// How many channels a frame has.
  public let channelCount: Int
  /// How many frames fit, a power of two.
  public let capacity: Int
  private let memory: UnsafeMutablePointer<Float>
  private let written: Atomic<Int>
  private let taken: Atomic<Int>
  /// How far the reader may be reading just now, and how many frames that was at once.
  private let claimed = Atomic(0), claimLength = Atomic(0)

  /// Makes an empty ring, rounded up to a power of two frames. Control thread; touches all its memory.
  ///
  /// - Parameters:
  ///   - channelCount: 1 or more.
  ///   - capacity: the least number of frames that must fit, 1 to 2^30.
  public init(channelCount: Int, capacity: Int) {
    let wanted = min(max(capacity, 1), 1 << 30)
    self.channelCount = max(channelCount, 1)
    self.capacity = 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
    let count = self.capacity * self.channelCount
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    written = Atomic(0)
    taken = Atomic(0)
  }

  deinit { unsafe memory.deallocate() }

  /// Where the next frame is written: how many have been, ever. Any thread.
  public var writePosition: Int { @_noLocks @_noAllocation get { written.load(ordering: .acquiring) } }

  /// Where the next frame is read: how many have been, ever. Any thread.
  public var readPosition: Int { @_noLocks @_noAllocation get { taken.load(ordering: .acquiring) } }

  /// How many frames wait to be read.
  public var readable: Int { @_noLocks @_noAllocation get { writePosition - readPosition } }

  /// For how many frames there is room.
  public var writable: Int { @_noLocks @_noAllocation get { capacity - readable } }

  @_noLocks @_noAllocation
  private func slot(_ channel: Int, at position: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + (channel * capacity + position & (capacity - 1))
  }

  /// Copies `count` frames of a bus in, from `start` on. Writing thread.
  ///
  /// A bus with fewer channels than the ring leaves the rest silent; more are left out.
  /// - Returns: whether there was room; if not, nothing was copied.
  @_noLocks @_noAllocation public func write(_ bus: InputBus, from start: Int, count: Int) -> Bool {
    let position = written.load(ordering: .relaxed)
    guard capacity - (position - taken.load(ordering: .acquiring)) >= count else { return false }
    precondition(
      0 <= start && 0 <= count && start <= bus.frameCount - count, "frames outside the block")
    let first = min(count, capacity - position & (capacity - 1))
    for channel in 0..<channelCount {
      let (head, tail) = unsafe (slot(channel, at: position), slot(channel, at: position + first))
      if channel < bus.channelCount {
        let source = unsafe bus[channel].unsafeBase + start
        unsafe rt_copy_floats(head, source, first)
        unsafe rt_copy_floats(tail, source + first, count - first)
      } else {
        unsafe rt_clear_floats(head, first)
        unsafe rt_clear_floats(tail, count - first)
      }
    }
    written.store(position + count, ordering: .releasing)
    return true
  }

  /// Moves `count` frames out to a bus, to `start` on. Reading thread.
  ///
  /// A bus with more channels than the ring gets silence in the rest.
  /// - Returns: whether so many were there; if not, nothing was moved.
  @_noLocks @_noAllocation public func read(into bus: OutputBus, at start: Int, count: Int) -> Bool {
    let position = taken.load(ordering: .relaxed)
    guard written.load(ordering: .acquiring) - position >= count else { return false }
    precondition(
      0 <= start && 0 <= count && start <= bus.frameCount - count, "frames outside the block")
    let first = min(count, capacity - position & (capacity - 1))
    for channel in 0..<bus.channelCount {
      let target = unsafe bus[channel].unsafeBase + start
      if channel < channelCount {
        unsafe rt_copy_floats(target, slot(channel, at: position), first)
        unsafe rt_copy_floats(target + first, slot(channel, at: position + first), count - first)
      } else {
        unsafe rt_clear_floats(target, count)
      }
    }
    taken.store(position + count, ordering: .releasing)
    return true
  }

  /// How many frames can be read in one run, before the memory wraps.
  public var readableRun: Int {
    @_noLocks @_noAllocation get { min(readable, capacity - readPosition & (capacity - 1)) }
  }

  /// The run of frames to read on one channel, `readableRun` of them, until they are skipped. Reading thread.
  @_noLocks @_noAllocation public func samples(of channel: Int) -> Samples {
    assert(0 <= channel && channel < channelCount, "no such channel")
    return unsafe Samples(slot(channel, at: readPosition), count: readableRun)
  }

  /// Gives up to `count` frames back to the writer, and tells how many. Reading thread.
  @_noLocks @_noAllocation @discardableResult public func skip(_ count: Int) -> Int {
    let skipped = min(max(count, 0), readable)
    taken.store(taken.load(ordering: .relaxed) + skipped, ordering: .releasing)
    return skipped
  }

  /// Says that no more than so many frames are read until the next claim: for a ring whose writer takes frames back.
  /// Reading thread, before it looks what is there.
  @_noLocks @_noAllocation public func claim(_ count: Int) {
    claimLength.store(count, ordering: .relaxed)
    claimed.store(taken.load(ordering: .relaxed) + count, ordering: .relaxed)
    // Whoever takes frames back sees the claim, or is seen by what is loaded next.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// How far the reader will have read two claims like the last from now. Writing thread.
  public var nextClaims: Int {
    let count = claimLength.load(ordering: .relaxed)
    return max(claimed.load(ordering: .relaxed), readPosition + count) + count
  }

  /// Takes the frames from a position on back, to be written anew: what was there is what their room still holds.
  /// Writing thread; the reader has to claim what it reads.
  ///
  /// - Returns: false where the reader may be reading there, or nothing is; then all is as before.
  public func takeBack(to position: Int) -> Bool {
    let end = written.load(ordering: .relaxed)
    guard position < end, claimed.load(ordering: .relaxed) <= position, readPosition <= position else {
      return false
    }
    written.store(position, ordering: .releasing)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if claimed.load(ordering: .relaxed) <= position { return true }
    written.store(end, ordering: .releasing)
    return false
  }

  /// How many frames can be written in one run, before the memory wraps.
  public var writableRun: Int {
    @_noLocks @_noAllocation get { min(writable, capacity - writePosition & (capacity - 1)) }
  }

  /// The run of frames to write on one channel, `writableRun` of them, until a commit. Writing thread.
  @_noLocks @_noAllocation public func room(of channel: Int) -> MutableSamples {
    assert(0 <= channel && channel < channelCount, "no such channel")
    return unsafe MutableSamples(slot(channel, at: writePosition), count: writableRun)
  }

  /// Hands the first `count` frames of the run over to the reader. Writing thread.
  @_noLocks @_noAllocation public func commit(_ count: Int) {
    assert(0 <= count && count <= writable, "more than was room for")
    written.store(written.load(ordering: .relaxed) + count, ordering: .releasing)
  }
}
