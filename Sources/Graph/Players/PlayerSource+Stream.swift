// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// How a player that has one stream for good begins and ends it, and how it follows the transport. Audio thread.
extension PlayerSource {
  /// Takes the stream to play it, so many frames behind the block's start; false where it is not to be had, or holds
  /// another frame of the song.
  @_noLocks @_noAllocation func takeStream(_ block: Block, after frames: Int) -> Bool {
    if case .ended = state, unsafe !view(voices[0].clip.source).isRefilled { return false }
    guard hold(0) else { return false }
    // A stream that had ended was filled anew since.
    state = .standing
    if unsafe audio.pointee.order.followsTransport, isAstray(block, after: Int64(frames)) {
      giveBack(0)
      return false
    }
    unsafe voices[0].owed = 0
    return true
  }

  /// The stream has come to its end.
  @_noLocks @_noAllocation func endStream() {
    var fulfilled: Int?
    switch state {
    // A thread that sees the end may give a new order at once; only the order that was followed is done.
    case .running(let order): fulfilled = order
    // An order to play from there begins anew. A stream that was only to be read anew has come to its end.
    case .pausing(let order): if unsafe view(voices[0].clip.source).goal.isHere { fulfilled = order }
    case .standing, .ended: break
    }
    state = .ended(fulfilled: fulfilled)
    publish()
    giveBack(0, hasEnded: true)
  }

  /// Whether a follower is silent: while the transport stands still, and until one that went astray joins it.
  @_noLocks @_noAllocation func mustWait(_ block: Block) -> Bool {
    let expected = unsafe audio.pointee.nextFrame, transport = block.transport
    unsafe audio.pointee.nextFrame = block.frame &+ Int64(block.frameCount)
    unsafe audio.pointee.status.songOffset = transport.isRolling ? block.frame &- transport.position : nil
    guard transport.isRolling else { return true }
    if let deviation = unsafe audio.pointee.status.deviation {
      guard unsafe deviation.number == audio.pointee.order.joined else { return true }
      unsafe audio.pointee.status.deviation = nil
    }
    // A player that slept, or missed a cycle, while it plays at the transport's pace may find the transport elsewhere.
    guard case .running = state, expected != block.frame else { return false }
    let seen = view(of: 0), owed = unsafe voices[0].owed, loop = unsafe audio.pointee.order.loop
    guard let song = seen.song else { return false }
    var missed = transport.position &- loop.place(of: song &+ Int64(owed))
    // The transport may have come to the end of its loop since.
    if missed < 0, let loop { missed = missed &+ loop.length }
    if missed > 0, missed < Int64(seen.available &- owed) {
      unsafe voices[0].owed = owed &+ Int(missed)
      return false
    }
    return isAstray(block, after: Int64(-owed))
  }

  /// Whether the stream's next frame is not the transport's, so many frames after the block's start; told then.
  @_noLocks @_noAllocation private func isAstray(_ block: Block, after frames: Int64) -> Bool {
    let position = block.transport.position, loop = unsafe audio.pointee.order.loop
    if let song = view(of: 0).song, loop.place(of: position &+ frames) == loop.place(of: song) {
      return false
    }
    unsafe audio.pointee.deviations += 1
    unsafe audio.pointee.status.deviation = (audio.pointee.deviations, position &- block.frame)
    return true
  }
}
