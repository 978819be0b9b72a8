// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletGraph
package import SwiftletSignal
internal import Synchronization

/// Plays the MIDI messages of a file, each on its frame: from the first block on, or at the transport's position.
///
/// It has no input and one output event bus. A message that does not fit into a block's buffer is sent at the start
/// of the next block. Held notes are released when the source pauses, seeks, or stops with the transport that it
/// follows. When it starts within the sequence, it first sends the programs, controllers and pitch bends that apply
/// there (MIDI chase).
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
    /// Whether to play, the number of orders to play, and that number at the last pause.
    var plays = false, number = 0, paused = 0
    /// The absolute frame at which playback begins at the current position; nil for immediately.
    var start: Int64?
    /// The seek target in frames of the sequence, and the number of seeks so far.
    var position = 0.0, seeks = 0
    /// The number of passes, nil for an endless loop, and the number of times that it was set.
    var times: Int?, loops = 0
    var followsTransport = false
    /// The playback rate, in frames of the sequence per output frame.
    var rate = 1.0
    /// The channels whose notes are not sent, one bit each.
    var mutes: UInt16 = 0
  }

  /// The status that the audio thread publishes.
  struct Status: BitwiseCopyable, Sendable {
    /// The next frame of the sequence, counted through all repetitions, and the number of the last seek that was
    /// performed.
    var position = 0.0, reached = 0
    /// The number of passes, and the number of the last order that set it.
    var times: Int?, looped = 0
    /// The number of the order to play that the end of the sequence has fulfilled; 0 for none.
    var fulfilled = 0
    /// Whether the sequence has ended, with no seek since.
    var hasEnded = false
    /// Whether the followed transport rolled in the last block.
    var isRolling = false
  }

  /// State that only the audio thread uses.
  struct State: BitwiseCopyable {
    var order = Order(), status = Status()
    /// The index of the next message, and its repetition.
    var next = 0, pass = 0
    var notes = HeldNotes()
    /// The channels whose notes must be released, and those that are muted, one bit each.
    var toRelease: UInt16 = 0, mutes: UInt16 = 0
    /// The index of the next chased value to be sent.
    var chase: Int
    /// Whether nothing plays.
    var isResting = true
    /// The number of the order to play in effect.
    var running = 0
    /// The transport's position in the next block if it keeps rolling, nil while it is stopped; and the playback rate
    /// that was last used to follow it.
    var expected: Int64?, rate = 1.0
  }

  let messages: UnsafeMutablePointer<Message>
  let count: Int
  let length: Int64
  let values: MIDIChase
  let state: UnsafeMutablePointer<State>
  let orders: LatestRequest<Order>, statuses: LatestValue<Status>

  /// The lowest and highest playback rate.
  package static let rates = 0.25...4.0

  /// Creates a source of `messages`, which must be in order. Control threads only.
  ///
  /// - Parameters:
  ///   - length: the length of a pass in frames; at least 1.
  ///   - times: the number of passes; nil for an endless loop.
  ///   - plays: whether the source plays from the first block on; default: true.
  package init(_ messages: [Message], length: Int, times: Int?, plays: Bool = true) {
    count = messages.count
    unsafe self.messages = .allocate(capacity: max(count, 1))
    for (index, message) in messages.enumerated() {
      unsafe (self.messages + index).initialize(to: message)
    }
    self.length = Int64(max(length, 1))
    var order = Order(), status = Status()
    order.times = times.map { max($0, 1) }
    status.times = order.times
    if plays { (order.plays, order.number) = (true, 1) }
    orders = LatestRequest(order)
    statuses = LatestValue(status)
    values = MIDIChase(messages)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(order: order, status: status, chase: values.count))
    super.init()
  }

  deinit {
    unsafe messages.deallocate()
    unsafe state.deallocate()
  }

  @_noLocks @_noAllocation package override func process(_ block: Block) {
    guard let output = block.output().events else { return }
    unsafe orders.published.read(into: &state.pointee.order)
    let order = unsafe state.pointee.order, newlyMuted = unsafe order.mutes & ~state.pointee.mutes
    unsafe state.pointee.toRelease |= newlyMuted
    unsafe state.pointee.mutes = order.mutes
    guard sendEnd(at: block.frame, output) else { return unsafe statuses.publish(state.pointee.status) }
    if unsafe order.loops != state.pointee.status.looped { adoptLoop() }
    if unsafe order.seeks != state.pointee.status.reached {
      unsafe state.pointee.status.reached = order.seeks
      if !order.followsTransport { go(to: order.position) }
    }
    let end = block.frame + Int64(block.frameCount)
    if order.followsTransport {
      let first = follow(block), isReleased = release(into: output, at: block.frame)
      if let first, isReleased {
        send(from: first, before: end, output)
        unsafe state.pointee.status.position += Double(end - first) * order.rate
      }
    } else {
      unsafe state.pointee.status.isRolling = false
      pauseIfRequested(at: block.frame)
      var frame = block.frame, isReleased = release(into: output, at: frame)
      // A sequence that ends may restart in the same block.
      while isReleased, let first = begin(at: frame, before: end) {
        frame = play(from: first, before: end, output)
        if frame < end { isReleased = release(into: output, at: frame) }
      }
    }
    unsafe statuses.publish(state.pointee.status)
  }

  /// Pauses if a pause was ordered since playback began, unless an order to play is due by this frame.
  @_noLocks @_noAllocation private func pauseIfRequested(at frame: Int64) {
    if unsafe state.pointee.isResting { return }
    let order = unsafe state.pointee.order
    if order.plays {
      if order.start ?? frame <= frame {
        unsafe state.pointee.running = order.number
        return
      }
      if unsafe order.paused < state.pointee.running { return }
    }
    unsafe state.pointee.toRelease = .max
    unsafe state.pointee.isResting = true
  }

  /// Begins playback as ordered. Returns the frame of this block from which it plays; nil for none.
  @_noLocks @_noAllocation private func begin(at frame: Int64, before end: Int64) -> Int64? {
    let order = unsafe state.pointee.order
    guard frame < end else { return nil }
    guard unsafe state.pointee.isResting else { return frame }
    guard order.plays, hasEnded ? isSpent : true, unsafe order.number != state.pointee.status.fulfilled
    else { return nil }
    let start = max(order.start ?? frame, frame)
    guard start < end else { return nil }
    if hasEnded { go(to: 0) }
    unsafe state.pointee.isResting = false
    unsafe state.pointee.running = order.number
    return start
  }

  /// Plays until a frame or the end of the sequence, and returns the frame reached.
  @_noLocks @_noAllocation
  private func play(from first: Int64, before end: Int64, _ output: EventBuffer) -> Int64 {
    send(from: first, before: end, output)
    let order = unsafe state.pointee.order, position = unsafe state.pointee.status.position
    if let times = unsafe state.pointee.status.times {
      let whole = Double(times) * Double(length), left = max((whole - position) / order.rate, 0)
      if left <= Double(end - first) {
        let last = first + Int64(-rt_floor_double(-left))
        // An order to play from a later frame is not fulfilled yet.
        unsafe state.pointee.status.fulfilled =
          order.start ?? last <= last ? order.number : state.pointee.running
        unsafe state.pointee.status.position = whole
        unsafe state.pointee.isResting = true
        unsafe state.pointee.status.hasEnded = true
        if isSpent { unsafe state.pointee.toRelease = .max }
        return last
      }
    }
    unsafe state.pointee.status.position = position + Double(end - first) * order.rate
    return end
  }

  /// Sends the messages at the last frame of a sequence that has ended, and those that did not fit into the buffer
  /// before. Returns false until all are sent.
  @_noLocks @_noAllocation private func sendEnd(at frame: Int64, _ output: EventBuffer) -> Bool {
    guard hasEnded, !isSpent else { return true }
    send(from: frame, before: frame + 1, output)
    guard isSpent else { return false }
    unsafe state.pointee.toRelease = .max
    return true
  }

  private var hasEnded: Bool { @_noLocks @_noAllocation get { unsafe state.pointee.status.hasEnded } }

  /// Whether all messages of the sequence have been sent.
  private var isSpent: Bool {
    @_noLocks @_noAllocation get {
      count == 0 ? true : unsafe state.pointee.next == count ? isLastPass : false
    }
  }

  /// Adopts the number of passes that was set. The current pass becomes the first.
  @_noLocks @_noAllocation private func adoptLoop() {
    let order = unsafe state.pointee.order, position = unsafe state.pointee.status.position
    let pass = unsafe pass(of: position, state.pointee.status.times)
    unsafe state.pointee.status.looped = order.loops
    unsafe state.pointee.status.times = order.times
    // A follower of the transport then finds its pass from the position.
    unsafe state.pointee.expected = nil
    // More passes must not make the messages of the next one due.
    if hasEnded { return go(to: 0) }
    if order.followsTransport { return }
    unsafe state.pointee.pass -= pass
    unsafe state.pointee.status.position = position - Double(pass) * Double(length)
  }

  /// Returns the pass that contains a position, counted from 0; the end of the last pass belongs to it.
  @_noLocks @_noAllocation func pass(of position: Double, _ times: Int?) -> Int {
    let pass = position > 0 ? Int(position / Double(length)) : 0
    guard let times else { return pass }
    return min(pass, times - 1)
  }

  /// Follows the transport's position; returns the frame at which playback begins in this block, or nil if the
  /// transport does not roll or the source is paused.
  @_noLocks @_noAllocation private func follow(_ block: Block) -> Int64? {
    let order = unsafe state.pointee.order, now = block.transport
    let isRolling = order.plays ? now.isRolling : false, expected = unsafe state.pointee.expected
    unsafe state.pointee.isResting = !isRolling
    unsafe state.pointee.running = order.number
    unsafe state.pointee.status.isRolling = now.isRolling
    let position = min(Double(now.position) * order.rate, 0x1p60)
    var goesOn = false
    if let expected, isRolling {
      goesOn = unsafe expected == now.position ? state.pointee.rate == order.rate : false
    }
    unsafe state.pointee.expected = isRolling ? now.position &+ Int64(block.frameCount) : nil
    unsafe state.pointee.rate = order.rate
    if !goesOn {
      unsafe state.pointee.toRelease = .max
      if isRolling { go(to: position) }
    }
    guard isRolling else { return nil }
    unsafe state.pointee.status.position = position
    return block.frame
  }
}
