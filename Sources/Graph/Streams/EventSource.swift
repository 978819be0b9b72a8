// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal
internal import Synchronization

/// Plays MIDI messages that are known beforehand, each on its frame: from the first block on, or where the transport
/// is.
///
/// It has no input and one event bus to go out. What finds no room in a block comes at the start of the next. Where
/// it follows the transport, what it holds down is let go when that stops or goes elsewhere, and whoever begins in
/// the midst of a song is told first of the programs, controllers and bends that hold there.
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

  /// What only the audio thread touches.
  private struct State: BitwiseCopyable {
    var next = 0
    /// The frame on which this time began; nil before the first block.
    var start: Int64?
    /// The frame behind the last block that was played.
    var end: Int64?
    /// How many times it begins anew after this one.
    var timesLeft: Int
    var notes = OpenNotes()
    /// Whether what is held down is to be let go, and the next value that is to be told of.
    var owesRelease = false, standing = Int.max
    /// Whether it stood still in the last block since it was told to.
    var isResting = false
    /// Where the transport is next if it goes on; `Int64.min` while it stands.
    var expected = Int64.min
    /// Whether this is not the first time that it plays.
    var isRepeating = false
  }

  private let messages: UnsafeMutablePointer<Message>
  private let count: Int
  private let length: Int64
  private let times: Int
  private let values: StandingValues
  private let state: UnsafeMutablePointer<State>
  private let isFollower = Atomic(false), isHeld = Atomic(false), isOver = Atomic(false)

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
    self.times = times.map { max($0, 1) } ?? .max
    values = StandingValues(messages)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(timesLeft: self.times == .max ? .max : self.times - 1))
    super.init()
  }

  deinit {
    unsafe messages.deallocate()
    unsafe state.deallocate()
  }

  /// Has it play where the transport is while that rolls, or on its own from where it is. Control thread.
  package func follow(_ isOn: Bool) { isFollower.store(isOn, ordering: .relaxed) }

  /// Has it let go of all keys and stand still, or go on from there; one that follows goes on where the transport is.
  /// Control thread.
  package func hold(_ isOn: Bool) { isHeld.store(isOn, ordering: .relaxed) }

  /// Whether it is meant to play, and has not come to its end. Any thread.
  package var isPlaying: Bool { !isHeld.load(ordering: .relaxed) && !isOver.load(ordering: .relaxed) }

  @_noLocks @_noAllocation package override func process(_ block: Block) {
    guard let output = block.output().events, count > 0 else { return }
    let isStill = isHeld.load(ordering: .relaxed)
    if isFollower.load(ordering: .relaxed) {
      guard follow(block, output, isStill: isStill) else { return }
    } else {
      if isStill, unsafe !state.pointee.isResting { unsafe state.pointee.owesRelease = true }
      unsafe state.pointee.isResting = isStill
      guard release(into: output, at: block.frame), !isStill else { return }
    }
    play(block, output)
    isOver.store(
      unsafe state.pointee.next == count ? state.pointee.timesLeft == 0 : false, ordering: .relaxed)
  }

  /// Plays what falls into a block.
  @_noLocks @_noAllocation private func play(_ block: Block, _ output: EventBuffer) {
    let end = block.frame + Int64(block.frameCount)
    var begin = unsafe state.pointee.start ?? block.frame
    // While it or the engine slept, the song stood still; a follower has been put in its place.
    if let last = unsafe state.pointee.end, !isFollower.load(ordering: .relaxed) {
      begin &+= block.frame &- last
    }
    unsafe state.pointee.end = end
    // Each turn appends a message or begins anew, and a buffer that is full ends it.
    while true {
      if unsafe state.pointee.next == count {
        guard unsafe state.pointee.timesLeft > 0, begin + length < end else { break }
        unsafe state.pointee.timesLeft -= 1
        begin += length
        unsafe state.pointee.next = 0
      }
      let message = unsafe messages[state.pointee.next]
      let frame = begin + Int64(message.frame)
      guard frame < end else { break }
      guard send(message, at: max(frame, block.frame), output) else { break }
      unsafe state.pointee.next += 1
    }
    unsafe state.pointee.start = begin
  }

  /// Appends a message; false where there is no room: then it is late, not lost.
  @_noLocks @_noAllocation
  private func send(_ message: Message, at frame: Int64, _ output: EventBuffer) -> Bool {
    let header = EventHeader(frame: frame, type: EventHeader.midi, size: message.size)
    var bytes = message.bytes
    guard unsafe output.append(header, bytes: &bytes) else {
      _ = output.takeDropped()
      return false
    }
    unsafe state.pointee.notes.follow(header, &bytes)
    return true
  }

  /// Goes where the transport is; false where nothing is to be played in this block.
  @_noLocks @_noAllocation private func follow(_ block: Block, _ output: EventBuffer, isStill: Bool) -> Bool {
    let now = block.transport, isRolling = isStill ? false : now.isRolling
    let goesOn = isRolling ? unsafe now.position == state.pointee.expected : false
    unsafe state.pointee.expected = isRolling ? now.position &+ Int64(block.frameCount) : .min
    if !goesOn {
      unsafe state.pointee.owesRelease = true
      if isRolling { seek(to: now.position, at: block.frame) }
    }
    guard release(into: output, at: block.frame) else { return false }
    return isRolling ? tell(at: block.frame, output) : false
  }

  /// Lets go of what is held down, where that is owed; false until all is.
  @_noLocks @_noAllocation private func release(into output: EventBuffer, at frame: Int64) -> Bool {
    guard unsafe state.pointee.owesRelease else { return true }
    guard unsafe state.pointee.notes.release(into: output, at: frame) else { return false }
    unsafe state.pointee.owesRelease = false
    return true
  }

  /// Goes to a frame of the song, counted through all times.
  @_noLocks @_noAllocation private func seek(to position: Int64, at frame: Int64) {
    let turn = position > 0 ? position / length : 0, place = position - turn * length
    let isOver = turn >= Int64(times)
    var low = 0, high = isOver ? 0 : count
    while low < high {
      let middle = (low + high) / 2
      if unsafe Int64(messages[middle].frame) < place { low = middle + 1 } else { high = middle }
    }
    unsafe state.pointee.next = isOver ? count : low
    unsafe state.pointee.start = frame - place
    unsafe state.pointee.timesLeft = isOver ? 0 : times == .max ? .max : times - 1 - Int(turn)
    unsafe state.pointee.isRepeating = turn > 0
    unsafe state.pointee.standing = isOver ? .max : 0
  }

  /// Tells of the values that hold at this place; false until all are told.
  @_noLocks @_noAllocation private func tell(at frame: Int64, _ output: EventBuffer) -> Bool {
    while unsafe state.pointee.standing < values.count {
      let place = unsafe values.last(
        state.pointee.standing, before: state.pointee.next, orAtEnd: state.pointee.isRepeating)
      if place >= 0, unsafe !send(messages[place], at: frame, output) { return false }
      unsafe state.pointee.standing += 1
    }
    return true
  }
}
