// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

/// A player that has one stream for good: a file, a track, or a schedule that follows the transport. Any thread but the
/// audio thread.
package final class StreamPlayer: Sendable {
  /// The audio thread's half, and the stream that it reads.
  package let source: PlayerSource, stream: StreamSource

  /// A player that stands still at the stream's beginning.
  package init(_ stream: StreamSource) {
    self.stream = stream
    source = PlayerSource(channelCount: stream.channelCount, sampleRate: stream.sampleRate, stream: stream)
  }

  /// Plays on from where it stands, or from the beginning once it has ended.
  ///
  /// A call that meets the very end counts as one after it. So does a start at a frame to come, where the
  /// stream ends before that frame.
  /// - Parameter frame: the absolute frame to start at; nil or a passed one is at once.
  package func play(at frame: Int64? = nil) {
    // In this order: a place that was asked for after the end, and has been gone to, is no end any more.
    let goal = stream.handover.goal
    if goal.isStay || goal.isHere, stream.hasEnded { stream.seek(to: 0) }
    source.orders.give { order in
      order.play(at: frame)
      stream.control.withLock { [start = order.start] in ($0.plays, $0.aim) = (true, start) }
    }
  }

  /// Fades out and stays where it is.
  package func pause() {
    source.orders.give { order in
      order.pause()
      stream.control.withLock { $0.plays = false }
    }
  }

  /// Sets whether it plays only while the transport rolls; otherwise orders to play and pause alone decide.
  ///
  /// - Parameter loop: the range of the transport that plays again and again; its filler reads the sound in that order.
  package func follow(_ isOn: Bool, loop: TimelineLoop? = nil) {
    stream.control.withLock { ($0.isFollowing, $0.loop) = (isOn, loop) }
    source.orders.give { ($0.followsTransport, $0.loop) = (isOn, loop) }
  }

  /// Brings one that stands still to a frame of a song, also one that has ended; true once it is there. Again and again.
  ///
  /// Where it plays faster or slower, that is where its speed would have brought it from the beginning.
  package func isReady(at frame: Int) -> Bool {
    if stream.isSought { return false }
    let loop = stream.loop, hasEnded = stream.hasEnded
    if let position = stream.songPosition, loop.place(of: position) == loop.place(of: Int64(frame)), !hasEnded
    {
      return true
    }
    if hasEnded, source.isAskedToPlay { play() }
    stream.handover.seek(to: .song(StreamGoal.possible(Int64(frame))))
    return false
  }

  /// Has a follower that found itself elsewhere than the transport join it at an absolute frame; nothing where it
  /// did not. Again and again.
  package func join(at frame: Int64) {
    guard let deviation = source.statuses.latest().deviation else { return }
    guard deviation.number != source.orders.latest.joined else { return }
    stream.handover.seek(to: .song(StreamGoal.possible(frame &+ deviation.lead)))
    source.orders.give { order in
      order.start = StreamGoal.reachable(frame)
      order.joined = deviation.number
      stream.aim = frame
    }
  }

  /// Whether it is meant to play. False once the stream has ended.
  package var isPlaying: Bool {
    let order = source.orders.latest
    guard case .ended(let fulfilled) = source.statuses.latest().state else { return order.plays }
    return order.plays && fulfilled != order.number
  }

  /// The engine's frame less the song's, while that rolls and it follows the song.
  package var offset: Int64? { source.statuses.latest().songOffset }
}
