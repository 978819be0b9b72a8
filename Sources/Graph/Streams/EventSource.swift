// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletSignal
internal import Synchronization

/// Plays MIDI messages that are known beforehand, each on its frame: from the first block on, or at the transport's
/// position.
///
/// It has no input and one event bus to go out. What finds no room in a block comes at the start of the next. The keys
/// that it holds down are released when it pauses, goes elsewhere or stops with the transport that it follows, and where it begins in the
/// midst of a song it first sends the programs, controllers and bends that hold there.
@safe package final class EventSource: Processor, @unchecked Sendable {
  /// A message of up to four bytes, the first of them lowest.
  package struct Message: BitwiseCopyable, Sendable {
    /// When it comes, counted from the beginning.
    package var frame: Int
    /// Its bytes, and how many of them count.
    package var bytes: UInt32, size: UInt32

    /// A message on a frame.
    package init(frame: Int, bytes: UInt32, size: UInt32) {
      self.frame = frame
      self.bytes = bytes
      self.size = min(size, 4)
    }
  }

  /// The latest orders of the control threads.
  struct Order: BitwiseCopyable, Sendable {
    /// Whether it is to play, and the absolute frame to begin at where it stands; nil is at once.
    var plays = true, start: Int64?
    /// A place to go to, in frames of the song, and how often one was given by then.
    var place = 0.0, number = 0
    var followsTransport = false
    /// How many frames of the song go by in each frame.
    var rate = 1.0
    /// A bit for each channel whose notes are not sent.
    var mutes: UInt16 = 0
  }

  /// The status that the audio thread publishes.
  struct Status: BitwiseCopyable, Sendable {
    /// The next frame of the song, counted through all turns, and the last order of a place that was followed.
    var place = 0.0, reached = 0
    /// Whether its last message has been sent.
    var isOver = false
  }

  /// What only the audio thread touches.
  private struct State: BitwiseCopyable {
    var order = Order(), status = Status()
    /// The message that comes next, and the turn that it is of.
    var next = 0, turn = 0
    var notes = OpenNotes()
    /// The channels whose keys are to be released, and those that are muted.
    var owed: UInt16 = 0, mutes: UInt16 = 0
    /// The next of the standing values to be sent.
    var standing: Int
    /// Whether it stood still in the last block.
    var isResting = true
    /// The transport's position in the next block if it rolls on; nil while it stands. And the rate that it was followed at.
    var expected: Int64?, rate = 1.0
  }

  private let messages: UnsafeMutablePointer<Message>
  private let count: Int
  let length: Int64
  /// How many times it plays; nil is for ever.
  let times: Int?
  private let values: StandingValues
  private let state: UnsafeMutablePointer<State>
  let orders = LatestOrder(Order()), statuses = LatestValue(Status())

  /// The slowest and the fastest rate.
  package static let rates = 0.25...4.0

  /// A source of `messages`, which are in order. Control thread.
  ///
  /// - Parameters:
  ///   - length: after how many frames it begins anew; 1 or more.
  ///   - times: how many times it plays; nil is for ever.
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

  /// Pauses or goes on as it is ordered to; returns the frame from which on it plays in this block, nil for none.
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

  /// Goes to the transport's position; returns the frame from which on it plays in this block, nil for none.
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

  /// Sends what falls into a block from a frame on.
  @_noLocks @_noAllocation private func play(_ block: Block, from first: Int64, _ output: EventBuffer) {
    let end = block.frame + Int64(block.frameCount)
    // Each turn appends a message or begins anew, and a buffer that is full ends it.
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

  /// The absolute frame of a frame of a turn, where the place that it is at is heard at `first`.
  @_noLocks @_noAllocation private func frame(of frame: Int64, inTurn turn: Int, from first: Int64) -> Int64 {
    let place = Double(turn) * Double(length) + Double(frame)
    let wait = unsafe (place - state.pointee.status.place) / state.pointee.order.rate
    return first &+ Int64(min(max(rt_floor_double(wait), -0x1p60), 0x1p60))
  }

  /// Appends a message, unless it begins a note of a muted channel; false where there is no room: then it is late, not lost.
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

  /// Releases the keys that are to be; false until all are.
  @_noLocks @_noAllocation private func release(into output: EventBuffer, at frame: Int64) -> Bool {
    let channels = unsafe state.pointee.owed
    guard channels != 0 else { return true }
    guard unsafe state.pointee.notes.release(into: output, at: frame, of: channels) else { return false }
    unsafe state.pointee.owed = 0
    return true
  }

  /// Goes to a frame of the song, counted through all turns.
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

  /// Sends the values that hold at this place; false until all are sent.
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
