// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

extension StreamSource {
  /// Plays on from where it stands, or from the beginning once it has ended. Control thread.
  ///
  /// A call that meets the very end counts as one after it. So does a start at a frame to come, where the
  /// stream ends before that frame.
  /// - Parameter frame: the absolute frame of the stream to start at; nil or a passed one is at once.
  package func play(at frame: Int64? = nil) {
    // In this order: a place that was asked for after the end, and has been gone to, is no end any more.
    let goal = handover.goal
    if goal.isStay || goal.isHere, hasEnded { seek(to: 0) }
    orders.give { order in
      order.start = frame.map(StreamOrder.possible)
      order.plays = true
      order.number += 1
    }
  }

  /// Fades out and stays where it is. Control thread.
  package func pause() {
    orders.give { order in
      order.plays = false
      order.number += 1
    }
  }

  /// Goes to a frame of the file, in the engine's rate; while playing, over a short fade. Control thread.
  ///
  /// The filler does it: what is heard next is what it has put into the ring by then.
  ///
  /// - Parameter frame: one before the beginning is the beginning, one past the end the end.
  package func seek(to frame: Int) { handover.seek(to: .frame(StreamGoal.possible(Int64(frame)))) }

  /// Has it play only while the transport rolls, or whenever it is told to. Control thread.
  ///
  /// - Parameter loop: the range of the transport that plays again and again; its filler reads the sound in that order.
  package func follow(_ isOn: Bool, loop: TimelineLoop? = nil) {
    orders.give { ($0.followsTransport, $0.loop) = (isOn, loop) }
  }

  /// The range of the song that plays again and again. Control thread.
  package var loop: TimelineLoop? { orders.latest.loop }

  /// Says when it is to begin, where another plays it: an absolute frame, as far as that is known. Control thread,
  /// while nobody reads it.
  package func aim(at frame: Int64) { orders.give { $0.start = StreamOrder.possible(frame) } }

  /// When it was said to begin; nil is at once.
  package var aim: Int64? { orders.latest.start }

  /// Brings a source that stands still to a frame of a song, also one that has ended; true once it is there. Control
  /// thread, again and again.
  ///
  /// Where it plays faster or slower, that is where its speed would have brought it from the beginning.
  package func isReady(at frame: Int) -> Bool {
    if isSought { return false }
    let loop = orders.latest.loop
    if let songPosition, loop.place(of: songPosition) == loop.place(of: Int64(frame)), !hasEnded {
      return true
    }
    if hasEnded, orders.latest.plays { play() }
    handover.seek(to: .song(StreamGoal.possible(Int64(frame))))
    return false
  }

  /// Has a follower that found itself elsewhere than the transport join it at an absolute frame; nothing where it
  /// did not. Control thread, again and again.
  package func join(at frame: Int64) {
    guard let deviation = statuses.latest().deviation else { return }
    guard deviation.number != orders.latest.joined else { return }
    handover.seek(to: .song(StreamGoal.possible(frame &+ deviation.lead)))
    orders.give { order in
      order.start = StreamOrder.possible(frame)
      order.joined = deviation.number
    }
  }

  /// The lanes that it follows; nil where nothing moves. Control thread.
  package var lanes: Lanes? {
    get { control.withLock(\.lanes) }
    set {
      let knobs: [(Knob, Bool)] = [
        (.speed, newValue?.speed != nil), (.varispeed, newValue?.varispeed != nil),
        (.pitch, newValue?.pitch != nil),
      ]
      control.withLock { $0.lanes = newValue }
      orders.give { $0.lanes = knobs.reduce(0) { $0 | ($1.1 ? 1 << $1.0.rawValue : 0) } }
    }
  }

  /// Tells it where the engine is: the next frame, and that of the timeline. Control thread, again and again.
  package func keepTime(_ frame: Int64, timeline: Int64) {
    control.withLock { ($0.engineFrame, $0.engineShift) = (frame, timeline &- frame) }
  }
}

/// The status of a source, for any thread but the audio thread.
extension StreamSource {
  /// Whether it is meant to play. False once the stream has ended.
  package var isPlaying: Bool {
    let order = orders.latest
    guard case .ended(let fulfilled) = statuses.latest().state else { return order.plays }
    return order.plays && fulfilled != order.number
  }

  /// Whether it has played to the end of the stream.
  package var hasEnded: Bool {
    // In this order: a status is never of a later filling than the one that is read next.
    let status = statuses.latest()
    guard case .ended = status.state else { return false }
    return status.filling == fillings.latest().number
  }

  /// How far into the file it has played, in frames at the engine's rate; while the speed moves, to some
  /// hundredths of a second, and exactly again behind that. A loop goes on counting.
  package var position: Int {
    let status = statuses.latest(), filling = fillings.latest()
    return status.filling == filling.number ? status.position : filling.frame
  }

  /// How often the ring ran dry, and how many frames of silence that made.
  package var underruns: (count: Int, frames: Int) {
    let status = statuses.latest()
    return (status.underruns, status.missedFrames)
  }

  /// The engine's frame less the song's, while that rolls and it follows the song.
  package var offset: Int64? { statuses.latest().songOffset }

  /// The next frame of the song, where it plays for one.
  package var songPosition: Int64? { songShiftOfRing.map { Int64(ring.readPosition) + $0 } }

  /// The song's frame less the ring's, where it plays for a song.
  package var songShiftOfRing: Int64? {
    let status = statuses.latest(), filling = fillings.latest()
    return status.songlessFilling == filling.number ? nil : filling.songShift
  }

  /// The absolute frame less the ring's, while it is played; nil while it stands still.
  package var shiftOfRing: Int64? { statuses.latest().ringShift }

  /// How often it has begun elsewhere in its file, and where it did last.
  package var lastBeginning: (count: Int, frame: Int) {
    let filling = fillings.latest()
    return (filling.number, filling.frame)
  }

  /// How many frames of the file go by in each frame, about now: as it was where the speed was last told.
  package var heardPace: Double { statuses.latest().pace }

  /// How many frames of the file go by in each frame, as was asked for last.
  package var askedPace: Double { Double(bitPattern: asked.load(ordering: .relaxed)) }

  /// Whether the audio thread reads it.
  package var isRead: Bool { handover.isRead }

  /// Whether it goes where a song goes.
  package var isFollowing: Bool { orders.latest.followsTransport }
}
