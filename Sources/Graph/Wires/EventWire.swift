// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// A wire for events: it hands them on, and lets go of what they hold down where it ends.
///
/// A key that is pressed while the wire is taken out, its source goes or the engine stops would sound for
/// ever; so would one whose release found no room. The wire remembers which keys and pedals are down
/// behind it, and releases exactly those.
@safe final class EventWire: Processor, @unchecked Sendable {
  /// What only the audio thread touches.
  private struct State: BitwiseCopyable {
    var notes = OpenNotes()
    /// The frame of the last event that was handed on: none comes before it.
    var last = Int64.min
    /// Whether something was lost that may have been a release.
    var owesRelease = false
  }

  private let state: UnsafeMutablePointer<State>
  /// 1 while the engine sleeps; 1 from the moment it falls asleep until what was held down is released.
  private let shut: Atomic<Int>, owes = Atomic(0)
  /// 1 while nothing is held down.
  private let quiet = Atomic(1)
  /// Whether plans want the wire to be there. Control thread.
  var request: Request<Bool>

  /// A wire that has carried nothing yet.
  init(isShut: Bool, generation: Int) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
    shut = Atomic(isShut ? 1 : 0)
    request = Request(true, generation: generation)
    super.init()
  }

  deinit { unsafe state.deallocate() }

  /// Whether nothing is held down. Any thread.
  var isQuiet: Bool { quiet.load(ordering: .acquiring) == 1 }

  /// Releases what is held down and carries nothing more. Control thread.
  func requestShut() {
    owes.store(1, ordering: .relaxed)
    shut.store(1, ordering: .releasing)
  }

  /// Carries events again. Control thread.
  func requestOpen() { shut.store(0, ordering: .releasing) }

  /// Hands a block's events on, if the plan still has the wire. Audio thread.
  @_noLocks @_noAllocation func run(_ block: Block, isThere: Bool) {
    guard let output = block.output().events else { return }
    let isOpen = shut.load(ordering: .acquiring) == 0 ? isThere : false
    let isAsked = owes.exchange(0, ordering: .relaxed) == 1
    // Plain conditions: the right side of `||` is a closure, which retains what it captures.
    let isLosing = isOpen ? isAsked : true
    if isLosing ? true : unsafe state.pointee.owesRelease {
      unsafe state.pointee.owesRelease = !state.pointee.notes.release(into: output, at: block.frame)
    }
    if isOpen, let input = block.input().events { carry(input, to: output, block) }
    quiet.store(unsafe state.pointee.notes.isEmpty ? 1 : 0, ordering: .releasing)
  }

  @_noLocks @_noAllocation
  private func carry(_ input: EventBuffer, to output: EventBuffer, _ block: Block) {
    let end = block.frame + Int64(block.frameCount)
    var next = input.first
    while let event = next {
      if block.frame..<end ~= event.header.frame {
        var header = event.header
        header.frame = unsafe max(header.frame, state.pointee.last)
        unsafe state.pointee.last = header.frame
        if unsafe output.append(header, bytes: event.bytes) {
          unsafe state.pointee.notes.follow(header, event.bytes)
        }
      }
      next = input.next(after: event)
    }
    // What found no room, here or before, may have been a release: then all is released in the next block.
    if output.hasDropped { unsafe state.pointee.owesRelease = true }
    for bus in 0..<block.inputCount {
      if let events = block.input(bus: bus).events, events.hasDropped {
        unsafe state.pointee.owesRelease = true
      }
    }
  }
}
