// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// How a player with a single stream starts and ends it, and follows the transport. Audio thread only.
extension PlayerSource {
  /// Takes the stream to play it from `frames` frames after the block's start; returns false if the stream is not
  /// available or holds another timeline frame.
  @_noLocks @_noAllocation func takeStream(_ block: Block, after frames: Int) -> Bool {
    if case .ended = state, unsafe !view(voices[0].clip.source).isRefilled { return false }
    guard hold(0) else { return false }
    // A stream that had ended has been refilled since.
    state = .stopped
    if unsafe audio.pointee.order.followsTransport, deviates(block, after: Int64(frames)) {
      giveBack(0)
      return false
    }
    unsafe voices[0].lateFrames = 0
    return true
  }

  /// Handles the end of the stream.
  @_noLocks @_noAllocation func endStream() {
    var fulfilled: Int?
    switch state {
    // A thread that sees the end may immediately send a new request; only the request that was followed is complete.
    case .running(let order): fulfilled = order
    // A seek from there would restart playback. A stream that was only to be read again at its current position has
    // ended.
    case .pausing(let order): if unsafe view(voices[0].clip.source).goal.isHere { fulfilled = order }
    case .stopped, .ended: break
    }
    state = .ended(fulfilled: fulfilled)
    publish()
    giveBack(0, hasEnded: true)
  }

  /// Returns whether a player that follows the transport must be silent: while the transport is stopped, and after a
  /// deviation until the player rejoins the transport.
  @_noLocks @_noAllocation func mustWait(_ block: Block) -> Bool {
    let expected = unsafe audio.pointee.nextFrame, transport = block.transport
    unsafe audio.pointee.nextFrame = block.frame &+ Int64(block.frameCount)
    unsafe audio.pointee.status.timelineOffset = transport.isRolling ? block.frame &- transport.position : nil
    guard transport.isRolling else { return true }
    if let deviation = unsafe audio.pointee.status.deviation {
      guard unsafe deviation.number == audio.pointee.order.joined else { return true }
      unsafe audio.pointee.status.deviation = nil
    }
    // A player that slept or missed a cycle while it followed the transport may find the transport at another position.
    guard case .running = state, expected != block.frame else { return false }
    let seen = view(of: 0), late = unsafe voices[0].lateFrames, loop = unsafe audio.pointee.order.loop
    guard let timelineFrame = seen.timelineFrame else { return false }
    var missed = transport.position &- loop.timelineFrame(of: timelineFrame &+ Int64(late))
    // The transport may have wrapped around at its loop's end since.
    if missed < 0, let loop { missed = missed &+ loop.length }
    if missed > 0, missed < Int64(seen.available &- late) {
      unsafe voices[0].lateFrames = late &+ Int(missed)
      return false
    }
    return deviates(block, after: Int64(-late))
  }

  /// Returns whether the stream's next frame differs from the transport's, `frames` frames after the block's start,
  /// and records the deviation if so.
  @_noLocks @_noAllocation private func deviates(_ block: Block, after frames: Int64) -> Bool {
    let position = block.transport.position, loop = unsafe audio.pointee.order.loop
    if let timelineFrame = view(of: 0).timelineFrame,
      loop.timelineFrame(of: position &+ frames) == loop.timelineFrame(of: timelineFrame)
    {
      return false
    }
    unsafe audio.pointee.deviations += 1
    unsafe audio.pointee.status.deviation = (audio.pointee.deviations, position &- block.frame)
    return true
  }
}
