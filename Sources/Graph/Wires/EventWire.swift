// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// A wire for events. It passes events on, and releases held notes at its destination.
///
/// A note that is held while the wire is removed, its source is removed or the engine stops would otherwise sound
/// forever; so would one whose note-off did not fit into a buffer. The wire tracks the held notes and pedals that it
/// has passed on, and releases exactly those.
@safe final class EventWire: Processor, @unchecked Sendable {
  /// State that only the audio thread uses.
  private struct State: BitwiseCopyable {
    var notes = HeldNotes()
    /// The frame of the last event that was passed on; later events may not precede it.
    var last = Int64.min
    /// Whether a dropped event may have been a note-off.
    var needsRelease = false
  }

  private let state: UnsafeMutablePointer<State>
  /// `shut` is 1 while the engine sleeps. `mustRelease` is 1 from the start of the suspension until the held notes are
  /// released.
  private let shut: Atomic<Int>, mustRelease = Atomic(0)
  /// 1 while no note is held.
  private let quiet = Atomic(1)
  /// Whether plans contain the wire. Control threads only.
  var request: Request<Bool>

  /// Creates a wire without held notes.
  init(isShut: Bool, generation: Int) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
    shut = Atomic(isShut ? 1 : 0)
    request = Request(true, generation: generation)
    super.init()
  }

  deinit { unsafe state.deallocate() }

  /// Whether no note is held. Any thread.
  var isQuiet: Bool { quiet.load(ordering: .acquiring) == 1 }

  /// Releases all held notes and stops passing events on. Control threads only.
  func requestShut() {
    mustRelease.store(1, ordering: .relaxed)
    shut.store(1, ordering: .releasing)
  }

  /// Passes events on again. Control threads only.
  func requestOpen() { shut.store(0, ordering: .releasing) }

  /// Passes a block's events on if the plan still contains the wire. Audio thread only.
  @_noLocks @_noAllocation func run(_ block: Block, isThere: Bool) {
    guard let output = block.output().events else { return }
    let isOpen = shut.load(ordering: .acquiring) == 0 ? isThere : false
    let isAsked = mustRelease.exchange(0, ordering: .relaxed) == 1
    // Plain conditions: the right side of `||` is a closure, which retains its captures.
    let isLosing = isOpen ? isAsked : true
    if isLosing ? true : unsafe state.pointee.needsRelease {
      unsafe state.pointee.needsRelease = !state.pointee.notes.release(into: output, at: block.frame)
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
    // An event that was dropped here or earlier may have been a note-off: release all notes in the next block.
    if output.hasDropped { unsafe state.pointee.needsRelease = true }
    for bus in 0..<block.inputCount {
      if let events = block.input(bus: bus).events, events.hasDropped {
        unsafe state.pointee.needsRelease = true
      }
    }
  }
}
