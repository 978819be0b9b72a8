// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletSignal
internal import Synchronization

/// Plays the MIDI messages of a file, each on its frame: from the first block on, or at the transport's position.
///
/// It has no input and one output event bus. A message that does not fit into a block's buffer is sent at the start
/// of the next block. Held notes are released when the source pauses, seeks, or stops with the transport that it
/// follows. When it starts within the sequence, it first sends the programs, controllers and pitch bends that apply there
/// (MIDI chase).
@safe package final class EventSource: Processor, @unchecked Sendable {
  /// A message of up to four bytes; the first byte is the lowest.
  package struct Message: BitwiseCopyable, Sendable {
    /// The message's time in frames from the beginning.
    package var frame: Int
    /// The bytes, and the number of bytes that are valid.
    package var bytes: UInt32, size: UInt32

    /// Creates a message at a frame.
    package init(frame: Int, bytes: UInt32, size: UInt32) {
      self.frame = frame
      self.bytes = bytes
      self.size = min(size, 4)
    }
  }

  /// The latest requests of the control threads.
  struct Order: BitwiseCopyable, Sendable {
    /// Whether the source is to play, and the absolute frame at which a stopped source begins; nil means immediately.
    var plays = true, start: Int64?
    /// The seek target in frames of the sequence, and the number of seeks so far.
    var place = 0.0, number = 0
    var followsTransport = false
    /// The playback rate, in frames of the sequence per output frame.
    var rate = 1.0
    /// The channels whose notes are not sent, one bit each.
    var mutes: UInt16 = 0
  }

  /// The status that the audio thread publishes.
  struct Status: BitwiseCopyable, Sendable {
    /// The next frame of the sequence, counted through all repetitions, and the number of the last seek that was performed.
    var place = 0.0, reached = 0
    /// Whether the last message has been sent.
    var isOver = false
  }

  /// State that only the audio thread uses.
  private struct State: BitwiseCopyable {
    var order = Order(), status = Status()
    /// The index of the next message, and its repetition.
    var next = 0, turn = 0
    var notes = OpenNotes()
    /// The channels whose notes must be released, and those that are muted, one bit each.
    var owed: UInt16 = 0, mutes: UInt16 = 0
    /// The index of the next chased value to be sent.
    var standing: Int
    /// Whether the source was stopped in the last block.
    var isResting = true
    /// The transport's position in the next block if it keeps rolling, nil while it is stopped; and the playback rate
    /// that was last used to follow it.
    var expected: Int64?, rate = 1.0
  }

  private let messages: UnsafeMutablePointer<Message>
  private let count: Int
  let length: Int64
  /// The number of repetitions; nil repeats endlessly.
  let times: Int?
  private let values: StandingValues
  private let state: UnsafeMutablePointer<State>
  let orders = LatestOrder(Order()), statuses = LatestValue(Status())

  /// The lowest and highest playback rate.
  package static let rates = 0.25...4.0

  /// Creates a source of `messages`, which must be sorted by frame. Control threads only.
  ///
  /// - Parameters:
  ///   - length: the length of one repetition in frames, at least 1.
  ///   - times: the number of repetitions; nil repeats endlessly.
  package init(_ messages: [Message], length: Int, times: Int?) {
    count = messages.count
    unsafe self.messages = .allocate(capacity: max(count, 1))
    for (place, message) in messages.enumerated() {
      unsafe (self.messages + place).initialize(to: message)
    }
    self.length = Int64(max(length, 1))
    self.times = times.map { max($0, 1) }
    values = StandingValues(messages)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(standing: values.count))
    super.init()
  }

  deinit {
    unsafe messages.deallocate()
    unsafe state.deallocate()
  }

  @_noLocks @_noAllocation package override func process(_ block: Block) {
    guard let output = block.output().events, count > 0 else { return }
    unsafe orders.published.read(into: &state.pointee.order)
    let order = unsafe state.pointee.order, newlyMuted = unsafe order.mutes & ~state.pointee.mutes
    unsafe state.pointee.owed |= newlyMuted
    unsafe state.pointee.mutes = order.mutes
    if unsafe order.number != state.pointee.status.reached {
      unsafe state.pointee.status.reached = order.number
      if !order.followsTransport { seek(to: order.place) }
    }
    let first = order.followsTransport ? follow(block) : begin(block)
    let isReleased = release(into: output, at: block.frame)
    if let first, isReleased {
      if tell(at: first, output) { play(block, from: first, output) }
      unsafe state.pointee.status.place += Double(block.frame + Int64(block.frameCount) - first) * order.rate
    }
    unsafe state.pointee.status.isOver = unsafe state.pointee.next == count ? isLastTurn : false
    unsafe statuses.publish(state.pointee.status)
  }

  /// Pauses or resumes as requested; returns the frame at which playback begins in this block, or nil if the source
  /// does not play in it.
  @_noLocks @_noAllocation private func begin(_ block: Block) -> Int64? {
    let order = unsafe state.pointee.order, isResting = unsafe state.pointee.isResting
    guard order.plays else {
      if !isResting { unsafe state.pointee.owed = .max }
      unsafe state.pointee.isResting = true
      return nil
    }
    let start = isResting ? max(order.start ?? block.frame, block.frame) : block.frame
    guard start < block.frame + Int64(block.frameCount) else { return nil }
    unsafe state.pointee.isResting = false
    return start
  }

  /// Follows the transport's position; returns the frame at which playback begins in this block, or nil if the
  /// transport does not roll or the source is paused.
  @_noLocks @_noAllocation private func follow(_ block: Block) -> Int64? {
    let order = unsafe state.pointee.order, now = block.transport
    let isRolling = order.plays ? now.isRolling : false, expected = unsafe state.pointee.expected
    unsafe state.pointee.isResting = !isRolling
    let place = min(Double(now.position) * order.rate, 0x1p60)
    var goesOn = false
    if let expected, isRolling {
      goesOn = unsafe expected == now.position ? state.pointee.rate == order.rate : false
    }
    unsafe state.pointee.expected = isRolling ? now.position &+ Int64(block.frameCount) : nil
    unsafe state.pointee.rate = order.rate
    if !goesOn {
      unsafe state.pointee.owed = .max
      if isRolling { seek(to: place) }
    }
    guard isRolling else { return nil }
    unsafe state.pointee.status.place = place
    return block.frame
  }

  /// Sends the messages of a block from frame `first` on.
  @_noLocks @_noAllocation private func play(_ block: Block, from first: Int64, _ output: EventBuffer) {
    let end = block.frame + Int64(block.frameCount)
    // Each iteration appends a message or starts a repetition; a full buffer ends the loop.
    while true {
      if unsafe state.pointee.next == count {
        if isLastTurn { return }
        let turn = unsafe state.pointee.turn + 1
        guard frame(of: 0, inTurn: turn, from: first) < end else { return }
        unsafe state.pointee.turn = turn
        unsafe state.pointee.next = 0
      }
      let message = unsafe messages[state.pointee.next]
      let frame = unsafe frame(of: Int64(message.frame), inTurn: state.pointee.turn, from: first)
      guard frame < end else { return }
      guard send(message, at: max(frame, first), output) else { return }
      unsafe state.pointee.next += 1
    }
  }

  private var isLastTurn: Bool {
    @_noLocks @_noAllocation get {
      guard let times else { return false }
      return unsafe state.pointee.turn + 1 >= times
    }
  }

  /// The absolute frame of a frame of a repetition, if the current position is heard at `first`.
  @_noLocks @_noAllocation private func frame(of frame: Int64, inTurn turn: Int, from first: Int64) -> Int64 {
    let place = Double(turn) * Double(length) + Double(frame)
    let wait = unsafe (place - state.pointee.status.place) / state.pointee.order.rate
    return first &+ Int64(min(max(rt_floor_double(wait), -0x1p60), 0x1p60))
  }

  /// Appends a message, unless it starts a note on a muted channel; returns false if the buffer is full: the message
  /// is then sent late, not lost.
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

  /// Releases the notes that must be released; returns false until all are released.
  @_noLocks @_noAllocation private func release(into output: EventBuffer, at frame: Int64) -> Bool {
    let channels = unsafe state.pointee.owed
    guard channels != 0 else { return true }
    guard unsafe state.pointee.notes.release(into: output, at: frame, of: channels) else { return false }
    unsafe state.pointee.owed = 0
    return true
  }

  /// Seeks to a frame of the sequence, counted through all repetitions.
  @_noLocks @_noAllocation private func seek(to place: Double) {
    let turn = place > 0 ? Int(place / Double(length)) : 0, inTurn = place - Double(turn) * Double(length)
    var isOver = false
    if let times { isOver = turn >= times }
    var low = 0, high = isOver ? 0 : count
    while low < high {
      let middle = (low + high) / 2
      if unsafe Double(messages[middle].frame) < inTurn { low = middle + 1 } else { high = middle }
    }
    unsafe state.pointee.owed = .max
    unsafe state.pointee.next = isOver ? count : low
    unsafe state.pointee.turn = isOver ? (times ?? 1) - 1 : turn
    unsafe state.pointee.status.place = place
    unsafe state.pointee.standing = isOver ? values.count : 0
  }

  /// Sends the controller values that apply at the current position; returns false until all are sent.
  @_noLocks @_noAllocation private func tell(at frame: Int64, _ output: EventBuffer) -> Bool {
    while unsafe state.pointee.standing < values.count {
      let place = unsafe values.last(
        state.pointee.standing, before: state.pointee.next, orAtEnd: state.pointee.turn > 0)
      if place >= 0, unsafe !send(messages[place], at: frame, output) { return false }
      unsafe state.pointee.standing += 1
    }
    return true
  }
}
