// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

/// A player with a single stream: a file, a track, or a schedule that follows the transport. Any thread except the
/// audio thread.
package final class StreamPlayer: Sendable {
  /// The audio thread's half, and the stream that it reads.
  package let source: PlayerSource, stream: StreamSource

  /// Creates a player that is stopped at the stream's beginning.
  package init(_ stream: StreamSource) {
    self.stream = stream
    source = PlayerSource(channelCount: stream.channelCount, sampleRate: stream.sampleRate, stream: stream)
  }

  /// Resumes playback from the current position, or starts at the beginning if the stream has ended.
  ///
  /// A call at the exact end counts as a call after it. So does a start at a future frame if the stream ends before
  /// that frame.
  /// - Parameter frame: the absolute frame of the start; nil or a past frame means immediately.
  package func play(at frame: Int64? = nil) {
    // The goal must be read before `hasEnded`: a seek requested after the end, and already performed, clears the end.
    let goal = stream.handover.goal
    if goal.isStay || goal.isHere, stream.hasEnded { stream.seek(to: 0) }
    source.orders.give { order in
      order.play(at: frame)
      stream.control.withLock { [start = order.start] in ($0.plays, $0.aim) = (true, start) }
    }
  }

  /// Fades out and keeps the position.
  package func pause() {
    source.orders.give { order in
      order.pause()
      stream.control.withLock { $0.plays = false }
    }
  }

  /// Sets whether the player plays only while the transport rolls; otherwise only `play` and `pause` control it.
  ///
  /// - Parameter loop: the transport's loop range; the prefetch thread reads the sound in loop order.
  package func follow(_ isOn: Bool, loop: TimelineLoop? = nil) {
    stream.control.withLock { ($0.isFollowing, $0.loop) = (isOn, loop) }
    source.orders.give { ($0.followsTransport, $0.loop) = (isOn, loop) }
  }

  /// Moves a stopped player, even one that has ended, to a timeline frame; returns true once it is there. Called
  /// repeatedly.
  ///
  /// The file position is the one that the playback rate would have reached from the beginning.
  package func isReady(at frame: Int) -> Bool {
    if stream.isSeekPending { return false }
    let loop = stream.loop, hasEnded = stream.hasEnded
    if let position = stream.timelinePosition,
      loop.timelineFrame(of: position) == loop.timelineFrame(of: Int64(frame)), !hasEnded
    {
      return true
    }
    if hasEnded, source.isPlayRequested { play() }
    stream.handover.seek(to: .timeline(StreamGoal.possible(Int64(frame))))
    return false
  }

  /// Makes a player that deviates from the transport rejoin it at an absolute frame; has no effect if it does not
  /// deviate. Called repeatedly.
  package func join(at frame: Int64) {
    guard let deviation = source.statuses.latest().deviation else { return }
    guard deviation.number != source.orders.latest.joined else { return }
    stream.handover.seek(to: .timeline(StreamGoal.possible(frame &+ deviation.offset)))
    source.orders.give { order in
      order.start = StreamGoal.reachable(frame)
      order.joined = deviation.number
      stream.aim = frame
    }
  }

  /// Whether the player was asked to play; false once the stream has ended.
  package var isPlaying: Bool {
    let order = source.orders.latest
    guard case .ended(let fulfilled) = source.statuses.latest().state else { return order.plays }
    return order.plays && fulfilled != order.number
  }

  /// The engine's frame minus the transport's position, while the transport rolls and the player follows it.
  package var offset: Int64? { source.statuses.latest().timelineOffset }
}
