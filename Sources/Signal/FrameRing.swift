// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Synchronization

/// A ring buffer of frames between two threads: one writes, one reads, and neither waits.
///
/// Frames are transferred in whole blocks or not at all, so a reader never sees part of a block. Positions count frames
/// since the ring was created and only grow.
// @unchecked: the reader owns `memory` between the two positions, and the writer owns the rest. A thread stores its
// position with release order when it has finished with the memory, and loads the other's position with acquire order
// before it touches the memory.
@safe public struct FrameRing: ~Copyable, @unchecked Sendable {
  /// The number of channels.
  public let channelCount: Int
  /// The number of frames that fit, a power of two.
  public let capacity: Int
  private let memory: UnsafeMutablePointer<Float>
  private let written: Atomic<Int>
  private let taken: Atomic<Int>
  /// The position up to which the reader may be reading now, and the length of its last claim in frames.
  private let claimed = Atomic(0), claimLength = Atomic(0)

  /// Creates an empty ring, rounded up to a power of two frames. Control thread; touches all its memory.
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

  /// The position of the next frame to be written: the number of frames ever written. Any thread.
  public var writePosition: Int { @_noLocks @_noAllocation get { written.load(ordering: .acquiring) } }

  /// The position of the next frame to be read: the number of frames ever read. Any thread.
  public var readPosition: Int { @_noLocks @_noAllocation get { taken.load(ordering: .acquiring) } }

  /// The number of frames that can be read.
  public var readable: Int { @_noLocks @_noAllocation get { writePosition - readPosition } }

  /// The number of frames that can be written.
  public var writable: Int { @_noLocks @_noAllocation get { capacity - readable } }

  @_noLocks @_noAllocation
  private func slot(_ channel: Int, at position: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + (channel * capacity + position & (capacity - 1))
  }

  /// Copies `count` frames of a bus into the ring, from frame `start` of the bus on. Writing thread.
  ///
  /// If the bus has fewer channels than the ring, the other channels become silent; if it has more, the surplus is
  /// ignored.
  ///
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

  /// Moves `count` frames from the ring to a bus, from frame `start` of the bus on. Reading thread.
  ///
  /// If the bus has more channels than the ring, the surplus becomes silent.
  ///
  /// - Returns: whether the ring had that many frames; if not, nothing was moved.
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

  /// The number of frames that can be read contiguously, before the memory wraps.
  public var readableRun: Int {
    @_noLocks @_noAllocation get { min(readable, capacity - readPosition & (capacity - 1)) }
  }

  /// Returns the `readableRun` contiguous frames of one channel, which are valid until they are skipped. Reading
  /// thread.
  @_noLocks @_noAllocation public func samples(of channel: Int) -> Samples {
    assert(0 <= channel && channel < channelCount, "no such channel")
    return unsafe Samples(slot(channel, at: readPosition), count: readableRun)
  }

  /// Releases up to `count` frames to the writer, and returns their number. Reading thread.
  @_noLocks @_noAllocation @discardableResult public func skip(_ count: Int) -> Int {
    let skipped = min(max(count, 0), readable)
    taken.store(taken.load(ordering: .relaxed) + skipped, ordering: .releasing)
    return skipped
  }

  /// Declares that the reader reads at most `count` frames until the next claim. Required if the writer retracts
  /// frames. Reading thread, before it looks for frames.
  @_noLocks @_noAllocation public func claim(_ count: Int) {
    claimLength.store(count, ordering: .relaxed)
    claimed.store(taken.load(ordering: .relaxed) + count, ordering: .relaxed)
    // Either the thread that retracts frames sees the claim, or the next loads see the retraction.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// The position that the reader will have reached after two more claims like the last one. Writing thread.
  public var nextClaims: Int {
    let count = claimLength.load(ordering: .relaxed)
    return max(claimed.load(ordering: .relaxed), readPosition + count) + count
  }

  /// Retracts the frames from `position` on, so that they can be written again: the memory keeps their old content.
  /// Writing thread; the reader has to claim what it reads.
  ///
  /// - Returns: false if the reader may be reading these frames, or if there are none; nothing changes then.
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

  /// The number of frames that can be written contiguously, before the memory wraps.
  public var writableRun: Int {
    @_noLocks @_noAllocation get { min(writable, capacity - writePosition & (capacity - 1)) }
  }

  /// Returns the `writableRun` contiguous frames of one channel, which are valid until a commit. Writing thread.
  @_noLocks @_noAllocation public func writableSamples(of channel: Int) -> MutableSamples {
    assert(0 <= channel && channel < channelCount, "no such channel")
    return unsafe MutableSamples(slot(channel, at: writePosition), count: writableRun)
  }

  /// Makes the first `count` frames of the run available to the reader. Writing thread.
  @_noLocks @_noAllocation public func commit(_ count: Int) {
    assert(0 <= count && count <= writable, "frames exceed the free space")
    written.store(written.load(ordering: .relaxed) + count, ordering: .releasing)
  }
}
