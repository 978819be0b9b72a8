// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

extension TapSink {
  /// Starts a recording, and gives up one that still runs. Control thread.
  ///
  /// - Parameters:
  ///   - start: the absolute frame of the stream that comes first; nil for the first that comes. Frames that
  ///     have passed by then count as lost, so that the recording still begins at `start`.
  ///   - end: the first frame that is no longer kept.
  package func record(from start: Int64? = nil, until end: Int64 = .max) {
    startFrame.store(start.map(TapSink.possible) ?? .min, ordering: .relaxed)
    stopFrame.store(TapSink.possible(end), ordering: .relaxed)
    request.add(1, ordering: .releasing)
  }

  /// Ends the recording before the absolute frame `end`; nil is as soon as possible. Control thread.
  ///
  /// What was kept stays, to be drained. The audio thread must run once more for the recording to finish.
  package func stop(at end: Int64? = nil) {
    stopFrame.store(end.map(TapSink.possible) ?? .min, ordering: .releasing)
  }

  /// A frame so near that the distance of two of them can be counted: within 760,000 years at 48 kHz.
  package static func possible(_ frame: Int64) -> Int64 { min(max(frame, -1 << 60), 1 << 60) }

  /// Whether a recording was asked for that the audio thread has not finished. Any thread.
  package var isRecording: Bool {
    let asked = request.load(ordering: .acquiring)
    return asked > 0 && ended.load(ordering: .acquiring) != asked
  }

  /// Whether the last recording is over and all of it has been drained. Draining thread.
  package var isDrained: Bool {
    let isOver = !isRecording || hasReachedStop
    return isOver && ring.readable == 0 && losses.peek() == nil
  }

  /// Whether all frames before the recording's end have been drained, though the audio thread may not have
  /// run since the end was set. Draining thread.
  private var hasReachedStop: Bool {
    guard begun.load(ordering: .acquiring) == request.load(ordering: .acquiring) else { return false }
    let stop = stopFrame.load(ordering: .acquiring)
    let side = unsafe drained.pointee
    return stop > .min && side.recording > 0 && side.frame >= stop
  }

  /// Whether the recording was told to end as soon as possible, at no frame in particular. Any thread.
  package var isStoppingAnywhere: Bool { stopFrame.load(ordering: .acquiring) == .min }

  /// The absolute frame that the recording began at; nil until its first block has come. Any thread.
  package var beginning: Int64? {
    guard request.load(ordering: .acquiring) == begun.load(ordering: .acquiring) else { return nil }
    return begun.load(ordering: .acquiring) > 0 ? firstFrame.load(ordering: .relaxed) : nil
  }

  /// How many frames of this recording were lost. Any thread.
  package var lostFrames: Int {
    request.load(ordering: .acquiring) == begun.load(ordering: .acquiring) ? lost.load(ordering: .relaxed) : 0
  }

  /// Whether so many frames more can be kept, or none need be. Any thread.
  package func hasRoom(for frames: Int) -> Bool {
    !isRecording || ring.writable >= min(frames, ring.capacity)
  }

  /// How many frames wait to be drained. Any thread.
  package var waitingFrames: Int { ring.readable }

  /// Hands over what has come since the last drain, in order and without holes. One thread drains a tap.
  ///
  /// - Parameters:
  ///   - limit: the most frames to hand over; a lost run may be longer.
  ///   - body: is given each piece. Where it throws, its piece is handed over again next time.
  /// - Returns: how many frames were handed over.
  @discardableResult
  package func drain<Failure: Error>(
    limit: Int = .max, _ body: (TapPiece) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    guard catchUp() else { return 0 }
    var total = 0
    while total < limit {
      let frame = unsafe drained.pointee.frame
      let left = framesLeft(from: frame)
      guard left > 0 else {
        discard()
        break
      }
      // The end is read first: a loss that lies before it is then in the ring of losses for certain.
      let end = ring.writePosition
      guard isCurrent else { break }
      let loss = ownLoss
      let position = ring.readPosition
      let count: Int
      if let loss, loss.position <= position {
        count = min(loss.count, left)
        try body(piece(at: frame, count: count, isLost: true, overrun: min(loss.overrun, count)))
        _ = losses.pop()
      } else {
        let run = min(min(end, loss?.position ?? end) - position, ring.readableRun, limit - total, left)
        guard run > 0 else { break }
        count = run
        try body(piece(at: frame, count: count, isLost: false))
        ring.skip(count)
      }
      unsafe drained.pointee.frame += Int64(count)
      total += count
    }
    return total
  }

  /// How many frames of the recording follow `frame`: its end may have been set after later ones had come.
  private func framesLeft(from frame: Int64) -> Int {
    let stop = stopFrame.load(ordering: .acquiring)
    return stop == .min ? .max : Int(clamping: max(stop, frame) - frame)
  }

  /// Drops what came after the recording's end.
  private func discard() {
    let end = ring.writePosition
    guard isCurrent else { return }
    ring.skip(end - ring.readPosition)
    while ownLoss != nil { _ = losses.pop() }
  }

  /// Whether what the ring held before this was asked is of the recording that is drained: one that was asked
  /// for meanwhile says that it has begun before it writes.
  private var isCurrent: Bool { unsafe begun.load(ordering: .acquiring) == drained.pointee.recording }

  /// The oldest loss, if it is of the recording that is drained.
  private var ownLoss: Loss? {
    losses.peek().flatMap { unsafe $0.recording == drained.pointee.recording ? $0 : nil }
  }

  private func piece(at frame: Int64, count: Int, isLost: Bool, overrun: Int = 0) -> TapPiece {
    TapPiece(
      frame: frame, count: count, isLost: isLost, overrunCount: overrun, channelCount: channelCount,
      sink: self)
  }

  /// Turns to the recording that runs now, and drops what is left of one before it. False until it has begun.
  private func catchUp() -> Bool {
    let recording = begun.load(ordering: .acquiring)
    guard recording > 0 && recording == request.load(ordering: .acquiring) else { return false }
    if unsafe drained.pointee.recording != recording {
      let frame = firstFrame.load(ordering: .acquiring), position = firstPosition.load(ordering: .acquiring)
      // The next recording may have begun between the two: then they are not of one piece.
      guard request.load(ordering: .acquiring) == recording else { return false }
      ring.skip(position - ring.readPosition)
      while let loss = losses.peek(), loss.recording < recording { _ = losses.pop() }
      unsafe drained.pointee = DrainSide(recording: recording, frame: frame)
    }
    return true
  }
}
