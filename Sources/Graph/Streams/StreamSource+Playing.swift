// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline
internal import Synchronization

/// How a source starts, plays and stops. Audio thread.
extension StreamSource {
  var state: StreamState {
    @_noLocks @_noAllocation get { unsafe audio.pointee.status.state }
    @_noLocks @_noAllocation set { unsafe audio.pointee.status.state = newValue }
  }

  /// Tells the other threads what is so now.
  @_noLocks @_noAllocation func publish() { unsafe statuses.publish(audio.pointee.status) }

  /// Starts or leaves as the control thread wishes; tells the frame of the block to play from, nil for none.
  @_noLocks @_noAllocation func turn(_ block: Block) -> Int? {
    // In this order: an order is seen no later than the goal that was set behind it.
    // Plain conditions: the right side of `&&` is a closure, which retains what it captures.
    let isFree = handover.goal.isStay
    unsafe orders.published.read(into: &audio.pointee.order)
    let order = unsafe audio.pointee.order
    let isHeld = order.followsTransport ? mustWait(block) : false
    var wanted = isHeld ? false : isFree ? order.plays : false
    if case .ended(let fulfilled) = state, fulfilled == order.number { wanted = false }
    let delay = max(order.start ?? block.frame, block.frame) - block.frame
    let isDue = wanted ? delay < Int64(block.frameCount) : false
    switch state {
    case .playing(let last):
      // An order that is not due yet is not this one's: it stands when the stream has ended.
      if isDue { state = .playing(order: order.number) }
      if !wanted {
        state = .fadingOut(order: last, left: fadeFrames)
        unsafe audio.pointee.fade.glide(to: 0, over: fadeFrames)
      }
      return 0
    case .fadingOut:
      if isDue {
        state = .playing(order: order.number)
        unsafe audio.pointee.fade.glide(to: 1, over: fadeFrames)
      }
      return 0
    case .ended:
      if wanted, unsafe fillings.version() == audio.pointee.filling.number {
        // Asked for while the last frames were played: the filler goes back to the beginning first.
        handover.seekUnlessSought(to: .frame(0))
        return nil
      }
    case .standing: break
    }
    return isDue ? begin(order, block, after: delay) : nil
  }

  /// Takes the ring and plays from it; nil where it is not to be had, or holds another frame of the song.
  @_noLocks @_noAllocation
  private func begin(_ order: StreamOrder, _ block: Block, after delay: Int64) -> Int? {
    guard handover.takeForAudio() else { return nil }
    // A stream that had ended was filled anew since.
    state = .standing
    adopt()
    if order.followsTransport, isAstray(block, after: delay) {
      handover.giveBack()
      return nil
    }
    unsafe audio.pointee.status.ringShift = block.frame &+ delay &- Int64(ring.readPosition)
    state = .playing(order: order.number)
    unsafe audio.pointee.owed = 0
    unsafe audio.pointee.fade = Ramp(1)
    if unsafe audio.pointee.status.position > 0 { fadeIn() }
    return Int(delay)
  }

  /// Whether a follower is silent: while the transport stands still, and until one that went astray joins it.
  @_noLocks @_noAllocation private func mustWait(_ block: Block) -> Bool {
    let expected = unsafe audio.pointee.nextFrame, transport = block.transport
    unsafe audio.pointee.nextFrame = block.frame &+ Int64(block.frameCount)
    unsafe audio.pointee.status.songOffset = transport.isRolling ? block.frame &- transport.position : nil
    guard transport.isRolling else { return true }
    if let deviation = unsafe audio.pointee.status.deviation {
      guard unsafe deviation.number == audio.pointee.order.joined else { return true }
      unsafe audio.pointee.status.deviation = nil
    }
    // A source that slept, or missed a cycle, while it plays at the transport's pace may find the transport elsewhere.
    guard case .playing = state, expected != block.frame, let shift = songShift else { return false }
    let owed = unsafe audio.pointee.owed
    let loop = unsafe audio.pointee.order.loop
    var missed = transport.position &- loop.place(of: Int64(ring.readPosition &+ owed) &+ shift)
    // The transport may have come to the end of its loop since.
    if missed < 0, let loop { missed = missed &+ loop.length }
    if missed > 0, missed < Int64(available &- owed) {
      unsafe audio.pointee.owed = owed &+ Int(missed)
      return false
    }
    return isAstray(block, after: Int64(-owed))
  }

  /// Whether the next frame of the file is not the transport's, so many frames after the block's start; told then.
  @_noLocks @_noAllocation private func isAstray(_ block: Block, after frames: Int64) -> Bool {
    let position = block.transport.position, loop = unsafe audio.pointee.order.loop
    if let songShift,
      loop.place(of: position &+ frames) == loop.place(of: Int64(ring.readPosition) &+ songShift)
    {
      return false
    }
    unsafe audio.pointee.deviations += 1
    unsafe audio.pointee.status.deviation = (audio.pointee.deviations, position &- block.frame)
    return true
  }

  /// The song's frame less the ring's, while it has the ring; nil where it plays for no song.
  private var songShift: Int64? {
    @_noLocks @_noAllocation get {
      let filling = unsafe audio.pointee.filling
      return unsafe audio.pointee.status.songlessFilling == filling.number ? nil : filling.songShift
    }
  }

  @_noLocks @_noAllocation private func fadeIn() {
    unsafe audio.pointee.fade = Ramp(0)
    unsafe audio.pointee.fade.glide(to: 1, over: fadeFrames)
  }

  /// Fills the bus from `start` on with what is there, and tells how many frames that is.
  @_noLocks @_noAllocation func play(_ bus: OutputBus, from start: Int) -> Int {
    unsafe ring.claim(audio.pointee.owed + bus.frameCount - start)
    let late = unsafe ring.skip(min(audio.pointee.owed, available))
    unsafe audio.pointee.owed -= late
    var wanted = bus.frameCount - start, isFading = false
    if case .fadingOut(_, let left) = state { (wanted, isFading) = (min(wanted, left), true) }
    var count = min(wanted, available)
    if !isFading, late > 0, count > 0 { fadeIn() }
    // The filler may be taking these frames back.
    if !ring.read(into: bus, at: start, count: count) { count = 0 }
    shape(bus, from: start, count: count)
    move()
    let isAtEnd = (untilEnd ?? 1) <= 0
    switch state {
    case .playing(let order):
      if isAtEnd {
        // A thread that sees the end may give a new order at once; only the order that was followed is done.
        rest(.ended(fulfilled: order))
      } else if count < wanted {
        countUnderrun(wanted - count)
        unsafe audio.pointee.owed += wanted - count
      }
    case .fadingOut(let order, let left):
      if isAtEnd {
        // An order to play from there begins anew. A stream that was only to be read anew has come to its end.
        rest(.ended(fulfilled: handover.goal.isHere ? order : nil))
      } else if count < wanted ? true : count == left {
        rest(.standing)
      } else {
        state = .fadingOut(order: order, left: left - count)
      }
    case .standing, .ended: break
    }
    return count
  }

  /// Counts frames of silence where there should be sound.
  @_noLocks @_noAllocation func countUnderrun(_ frames: Int) {
    unsafe audio.pointee.status.underruns &+= 1
    unsafe audio.pointee.status.missedFrames &+= frames
  }

  /// How many frames the stream has left; nil while that is not known.
  var untilEnd: Int? {
    @_noLocks @_noAllocation get {
      guard let end = handover.end else { return nil }
      return end - ring.readPosition
    }
  }

  /// How many frames can be played before the ring or the stream ends.
  var available: Int {
    @_noLocks @_noAllocation get {
      // The end is read first: frames beyond it are never there before it is known.
      let left = untilEnd ?? .max
      return min(ring.readable, left)
    }
  }

  @_noLocks @_noAllocation private func rest(_ next: StreamState) {
    state = next
    giveBack()
  }

  @_noLocks @_noAllocation private func shape(_ bus: OutputBus, from start: Int, count: Int) {
    var (gain, fade) = unsafe (audio.pointee.gain, audio.pointee.fade)
    guard gain.isMoving || fade.isMoving || gain.value * fade.value != 1 else { return }
    for frame in start..<start + count {
      let factor = gain.next() * fade.next()
      for channel in 0..<bus.channelCount { bus[channel][frame] *= factor }
    }
    unsafe audio.pointee.gain = gain
    unsafe audio.pointee.fade = fade
  }
}

/// Which frame of the file lies where in the ring: the filler says so wherever the speed changes.
extension StreamSource {
  /// Where in the file a frame of the ring was taken from.
  struct Mark: BitwiseCopyable {
    /// The frame of the ring, counted since it was made.
    var frame: Int
    /// The frame of the file, with its fraction, and how many go by in each from there on.
    var place: Double, advance: Double
  }

  /// Takes over what holds for the next frame to be read. Audio thread, while it has the ring.
  @_noLocks @_noAllocation func adopt() {
    if unsafe fillings.version() != audio.pointee.filling.number {
      unsafe fillings.read(into: &audio.pointee.filling)
      let filling = unsafe audio.pointee.filling
      // Not the pace: that is told where it changes.
      unsafe audio.pointee.mark.frame = filling.ringFrame
      unsafe audio.pointee.mark.place = Double(filling.frame)
      unsafe audio.pointee.status.filling = filling.number
      unsafe audio.pointee.status.position = filling.frame
    }
    let frame = ring.readPosition
    while let next = marks.peek(), next.frame <= frame {
      unsafe audio.pointee.mark = next
      _ = marks.pop()
    }
  }

  /// Says where in the file it is, after frames were read. Audio thread, while it has the ring.
  @_noLocks @_noAllocation func move() {
    adopt()
    let last = unsafe audio.pointee.mark
    unsafe audio.pointee.status.pace = last.advance
    // A frame that is as good as reached is reached.
    unsafe audio.pointee.status.position = Int(
      last.place + Double(ring.readPosition - last.frame) * last.advance + 1e-6)
  }
}
