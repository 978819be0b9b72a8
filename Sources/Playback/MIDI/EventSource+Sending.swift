// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// How a source sends its MIDI messages, and how it seeks. Audio thread only.
extension EventSource {
  /// Sends the chased values that are still due, then the messages between two absolute frames.
  @_noLocks @_noAllocation func send(from first: Int64, before end: Int64, _ output: EventBuffer) {
    guard count > 0, sendChased(at: first, output) else { return }
    // Each iteration appends a message or starts the next pass. A full buffer ends the loop.
    while true {
      if unsafe state.pointee.next == count {
        if isLastPass { return }
        let pass = unsafe state.pointee.pass + 1
        guard frame(of: 0, inPass: pass, from: first) < end else { return }
        unsafe state.pointee.pass = pass
        unsafe state.pointee.next = 0
      }
      let message = unsafe messages[state.pointee.next]
      let frame = unsafe frame(of: Int64(message.frame), inPass: state.pointee.pass, from: first)
      guard frame < end else { return }
      guard send(message, at: max(frame, first), output) else { return }
      unsafe state.pointee.next += 1
    }
  }

  var isLastPass: Bool {
    @_noLocks @_noAllocation get {
      guard let times = unsafe state.pointee.status.times else { return false }
      return unsafe state.pointee.pass + 1 >= times
    }
  }

  /// Returns the absolute frame of a frame of a pass, if the source's current position is heard at `first`.
  @_noLocks @_noAllocation private func frame(of frame: Int64, inPass pass: Int, from first: Int64) -> Int64 {
    let position = Double(pass) * Double(length) + Double(frame)
    let wait = unsafe (position - state.pointee.status.position) / state.pointee.order.rate
    return first &+ Int64(min(max(rt_floor_double(wait), -0x1p60), 0x1p60))
  }

  /// Appends a message, unless it is a note-on of a muted channel. Returns false if the buffer is full: the message is
  /// then sent late, not lost.
  @_noLocks @_noAllocation
  private func send(_ message: Message, at frame: Int64, _ output: EventBuffer) -> Bool {
    var bytes = message.bytes
    if bytes & 0xF0 == 0x90, bytes >> 16 & 0x7F != 0,
      unsafe state.pointee.mutes >> UInt16(bytes & 15) & 1 != 0
    {
      return true
    }
    let header = EventHeader(frame: frame, type: EventHeader.midi, size: message.size)
    guard unsafe output.append(header, bytes: &bytes) else {
      _ = output.takeDropped()
      return false
    }
    unsafe state.pointee.notes.follow(header, &bytes)
    return true
  }

  /// Releases the held notes of the channels in `toRelease`; returns false until all are released.
  @_noLocks @_noAllocation func release(into output: EventBuffer, at frame: Int64) -> Bool {
    let channels = unsafe state.pointee.toRelease
    guard channels != 0 else { return true }
    guard unsafe state.pointee.notes.release(into: output, at: frame, of: channels) else { return false }
    unsafe state.pointee.toRelease = 0
    return true
  }

  /// Moves to a frame of the sequence, counted through all passes. Held notes become due for release, and controller
  /// values for sending.
  @_noLocks @_noAllocation func go(to position: Double) {
    let pass = position > 0 ? Int(position / Double(length)) : 0,
      inPass = position - Double(pass) * Double(length)
    let times = unsafe state.pointee.status.times
    var isOver = false
    if let times { isOver = pass >= times }
    var low = 0, high = isOver ? 0 : count
    while low < high {
      let middle = (low + high) / 2
      if unsafe Double(messages[middle].frame) < inPass { low = middle + 1 } else { high = middle }
    }
    unsafe state.pointee.toRelease = .max
    unsafe state.pointee.next = isOver ? count : low
    unsafe state.pointee.pass = isOver ? (times ?? 1) - 1 : pass
    unsafe state.pointee.status.position = position
    unsafe state.pointee.status.hasEnded = false
    unsafe state.pointee.chase = isOver ? values.count : 0
  }

  /// Sends the controller values that apply at the current position (MIDI chase); returns false until all are sent.
  @_noLocks @_noAllocation private func sendChased(at frame: Int64, _ output: EventBuffer) -> Bool {
    while unsafe state.pointee.chase < values.count {
      let index = unsafe values.last(
        state.pointee.chase, before: state.pointee.next, orAtEnd: state.pointee.pass > 0)
      if index >= 0, unsafe !send(messages[index], at: frame, output) { return false }
      unsafe state.pointee.chase += 1
    }
    return true
  }
}
