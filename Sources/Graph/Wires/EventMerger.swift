// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// Merges the events of several wires by frame; of events on the same frame, those of the lowest bus come first.
///
/// Each wire's events are sorted already. A heap holds the next event of each wire, so that merging many busy wires
/// costs little more than copying.
@safe final class EventMerger: Processor, @unchecked Sendable {
  /// The next event of a bus.
  private struct Head: BitwiseCopyable {
    var bus: Int
    var event: Event

    @_noLocks @_noAllocation init(bus: Int, event: Event) {
      self.bus = bus
      self.event = event
    }

    @_noLocks @_noAllocation func precedes(_ other: Head) -> Bool {
      let (frame, theirs) = (event.header.frame, other.event.header.frame)
      return frame == theirs ? bus < other.bus : frame < theirs
    }
  }
  private let heads: UnsafeMutablePointer<Head>
  private let capacity: Int

  /// Creates a merger of `inputCount` buses.
  init(inputCount: Int) {
    capacity = inputCount
    unsafe heads = .allocate(capacity: max(inputCount, 1))
    super.init()
  }

  deinit { unsafe heads.deallocate() }

  @_noLocks @_noAllocation override func process(_ block: Block) {
    guard let output = block.output().events else { return }
    let end = block.frame + Int64(block.frameCount)
    var count = 0
    for bus in 0..<min(block.inputCount, capacity) {
      guard let events = block.input(bus: bus).events else { continue }
      var next = events.first
      while let event = next, event.header.frame < block.frame { next = events.next(after: event) }
      guard let event = next, event.header.frame < end else { continue }
      unsafe heads[count] = Head(bus: bus, event: event)
      count += 1
      siftUp(count - 1)
    }
    while count > 0 {
      let head = unsafe heads[0]
      unsafe output.append(head.event.header, bytes: head.event.bytes)
      let next = block.input(bus: head.bus).events?.next(after: head.event)
      if let next, next.header.frame < end {
        unsafe heads[0].event = next
      } else {
        count -= 1
        unsafe heads[0] = unsafe heads[count]
      }
      sink(count)
    }
  }

  /// Moves the last head up the heap.
  @_noLocks @_noAllocation private func siftUp(_ last: Int) {
    var child = last
    while child > 0, unsafe heads[child].precedes(heads[(child - 1) / 2]) {
      swap(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Moves the first of `count` heads down the heap.
  @_noLocks @_noAllocation private func sink(_ count: Int) {
    var parent = 0
    while true {
      let left = 2 * parent + 1, right = left + 1
      var least = parent
      if left < count, unsafe heads[left].precedes(heads[least]) { least = left }
      if right < count, unsafe heads[right].precedes(heads[least]) { least = right }
      guard least != parent else { return }
      swap(parent, least)
      parent = least
    }
  }

  @_noLocks @_noAllocation private func swap(_ one: Int, _ other: Int) {
    let kept = unsafe heads[one]
    unsafe heads[one] = unsafe heads[other]
    unsafe heads[other] = kept
  }
}
