// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// Memory for the events of a bus or a wire, owned.
@safe struct EventMemory: ~Copyable {
  /// How many bytes a bus has room for: about a thousand MIDI messages a cycle.
  static let byteCount = 1 << 15
  private let bytes: UnsafeMutableRawPointer
  /// The memory as a buffer.
  let buffer: EventBuffer

  init() {
    unsafe bytes = .allocate(byteCount: Self.byteCount, alignment: 8)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Self.byteCount)
    unsafe buffer = EventBuffer(over: bytes, byteCount: Self.byteCount)
  }

  deinit { unsafe bytes.deallocate() }
}

/// Joins the events of several wires in the order of their frames.
@safe final class EventMerger: Processor, @unchecked Sendable {
  @_noLocks @_noAllocation override func process(_ block: Block) {
    guard let output = block.output().events else { return }
    let end = block.frame + Int64(block.frameCount)
    var after = block.frame
    // For each frame that has events, in order: those of bus 0 first. Buses are few, events too.
    while after < end {
      var soonest = end
      for bus in 0..<block.inputCount {
        guard let events = block.input(bus: bus).events else { continue }
        var next = events.first
        while let event = next {
          let frame = max(event.header.frame, block.frame)
          if frame >= after {
            soonest = min(soonest, frame)
            break
          }
          next = events.next(after: event)
        }
      }
      guard soonest < end else { return }
      for bus in 0..<block.inputCount {
        guard let events = block.input(bus: bus).events else { continue }
        var next = events.first
        while let event = next {
          if max(event.header.frame, block.frame) == soonest {
            unsafe output.append(event.header, bytes: event.bytes)
          }
          next = events.next(after: event)
        }
      }
      after = soonest + 1
    }
  }
}

/// Holds events back, so that they meet sound that took a longer way.
@safe final class EventDelay: Processor, @unchecked Sendable {
  private let waiting = EventMemory(), spare = EventMemory()
  private let delay: Int64

  /// Events come out `delay` frames late.
  init(delay: Int) {
    self.delay = Int64(delay)
    super.init()
  }

  @_noLocks @_noAllocation override func process(_ block: Block) {
    guard let input = block.input().events, let output = block.output().events else { return }
    let end = block.frame + Int64(block.frameCount)
    var next = input.first
    while let event = next {
      if block.frame..<end ~= event.header.frame {
        var header = event.header
        header.frame += delay
        unsafe waiting.buffer.append(header, bytes: event.bytes)
      }
      next = input.next(after: event)
    }
    spare.buffer.clear()
    next = waiting.buffer.first
    while let event = next {
      unsafe (event.header.frame < end ? output : spare.buffer).append(event.header, bytes: event.bytes)
      next = waiting.buffer.next(after: event)
    }
    waiting.buffer.clear()
    next = spare.buffer.first
    while let event = next {
      unsafe waiting.buffer.append(event.header, bytes: event.bytes)
      next = spare.buffer.next(after: event)
    }
  }
}
