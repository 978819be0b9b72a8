// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// Delays events, so that they align with audio on a path of greater latency.
@safe final class EventDelay: Processor, @unchecked Sendable {
  private let waiting = EventMemory(), spare = EventMemory()
  /// The delayed frame of the latest event; later events may not precede it.
  private let last: UnsafeMutablePointer<Int64>
  /// 1 while no event waits.
  private let idle = Atomic(1)
  /// The delay that plans request. Control threads only.
  var request: Request<Int>

  /// Creates an empty delay.
  init(delay: Int, generation: Int) {
    unsafe last = .allocate(capacity: 1)
    unsafe last.initialize(to: .min)
    request = Request(delay, generation: generation)
    super.init()
  }

  deinit { unsafe last.deallocate() }

  /// Whether no event waits. Any thread.
  var isIdle: Bool { idle.load(ordering: .acquiring) == 1 }

  /// Takes in a block's events and outputs those that are due. Events that do not fit count as dropped by the output.
  /// Audio thread only.
  @_noLocks @_noAllocation func run(_ block: Block, delay: Int) {
    guard let input = block.input().events, let output = block.output().events else { return }
    let end = block.frame + Int64(block.frameCount)
    var next = input.first
    while let event = next {
      if block.frame..<end ~= event.header.frame {
        var header = event.header
        header.frame = unsafe max(header.frame + Int64(delay), last.pointee)
        unsafe last.pointee = header.frame
        unsafe waiting.buffer.append(header, bytes: event.bytes)
      }
      next = input.next(after: event)
    }
    output.drop(waiting.buffer.takeDropped())
    spare.buffer.clear()
    next = waiting.buffer.first
    while let event = next {
      var header = event.header
      // Events that were due in lost frames are output late, not dropped: they may be note-offs.
      header.frame = max(header.frame, block.frame)
      unsafe (header.frame < end ? output : spare.buffer).append(header, bytes: event.bytes)
      next = waiting.buffer.next(after: event)
    }
    waiting.buffer.clear()
    next = spare.buffer.first
    while let event = next {
      unsafe waiting.buffer.append(event.header, bytes: event.bytes)
      next = spare.buffer.next(after: event)
    }
    idle.store(waiting.buffer.isEmpty ? 1 : 0, ordering: .releasing)
  }
}
