// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

extension TapSink {
  /// Starts a recording; one that still runs is discarded. Control threads only.
  ///
  /// - Parameters:
  ///   - start: the absolute frame of the stream that comes first; nil for the first frame to arrive. Frames that
  ///     have already
  ///     passed count as lost, so that the recording still begins at `start`.
  ///   - end: the frame before which the recording ends.
  package func record(from start: Int64? = nil, until end: Int64 = .max) {
    startFrame.store(start.map(TapSink.possible) ?? .min, ordering: .relaxed)
    stopFrame.store(TapSink.possible(end), ordering: .relaxed)
    request.add(1, ordering: .releasing)
  }

  /// Ends the recording before the absolute frame `end`; nil means as soon as possible. Control threads only.
  ///
  /// Recorded frames stay in the ring until they are drained. The audio thread must run once more for the recording
  /// to finish.
  package func stop(at end: Int64? = nil) {
    stopFrame.store(end.map(TapSink.possible) ?? .min, ordering: .releasing)
  }

  /// Clamps a frame to ±2^60 (760,000 years at 48 kHz), so that the distance of two frames does not overflow.
  package static func possible(_ frame: Int64) -> Int64 { min(max(frame, -1 << 60), 1 << 60) }

  /// Whether a recording was requested that the audio thread has not finished. Any thread.
  package var isRecording: Bool {
    let asked = request.load(ordering: .acquiring)
    return asked > 0 && ended.load(ordering: .acquiring) != asked
  }

  /// Whether the last recording is over and fully drained. Draining thread only.
  package var isDrained: Bool {
    let isOver = !isRecording || hasReachedStop
    return isOver && ring.readable == 0 && losses.peek() == nil
  }

  /// Whether all frames before the recording's end have been drained, even if the audio thread has not run since the
  /// end was set. Draining thread only.
  private var hasReachedStop: Bool {
    guard begun.load(ordering: .acquiring) == request.load(ordering: .acquiring) else { return false }
    let stop = stopFrame.load(ordering: .acquiring)
    let side = unsafe drained.pointee
    return stop > .min && side.recording > 0 && side.frame >= stop
  }

  /// Whether the recording was asked to end as soon as possible, not at a given frame. Any thread.
  package var isStoppingAnywhere: Bool { stopFrame.load(ordering: .acquiring) == .min }

  /// The absolute frame at which the recording began; nil until its first block has arrived. Any thread.
  package var beginning: Int64? {
    guard request.load(ordering: .acquiring) == begun.load(ordering: .acquiring) else { return nil }
    return begun.load(ordering: .acquiring) > 0 ? firstFrame.load(ordering: .relaxed) : nil
  }

  /// The number of frames that this recording has lost. Any thread.
  package var lostFrames: Int {
    request.load(ordering: .acquiring) == begun.load(ordering: .acquiring) ? lost.load(ordering: .relaxed) : 0
  }

  /// Whether the ring has space for `frames` more frames, or the tap does not record. Any thread.
  package func hasRoom(for frames: Int) -> Bool {
    !isRecording || ring.writable >= min(frames, ring.capacity)
  }

  /// The number of frames that wait to be drained. Any thread.
  package var waitingFrames: Int { ring.readable }

  /// Passes the frames since the last drain to a closure, in order and without gaps. Only one thread may drain a tap.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of frames; a lost run may exceed it.
  ///   - body: receives each run. If it throws, the next drain passes the same run again.
  /// - Returns: the number of frames that were passed.
  @discardableResult
  package func drain<Failure: Error>(
    limit: Int = .max, _ body: (TapRun) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    guard switchRecording() else { return 0 }
    var total = 0
    while total < limit {
      let frame = unsafe drained.pointee.frame
      let left = framesLeft(from: frame)
      guard left > 0 else {
        discard()
        break
      }
      // The write position must be read first: all losses before it are then in the ring of losses.
      let end = ring.writePosition
      guard isCurrent else { break }
      let loss = ownLoss
      let position = ring.readPosition
      let count: Int
      if let loss, loss.position <= position {
        count = min(loss.count, left)
        try body(makeRun(at: frame, count: count, isLost: true, overrun: min(loss.overrun, count)))
        _ = losses.pop()
      } else {
        let run = min(min(end, loss?.position ?? end) - position, ring.readableRun, limit - total, left)
        guard run > 0 else { break }
        count = run
        try body(makeRun(at: frame, count: count, isLost: false))
        ring.skip(count)
      }
      unsafe drained.pointee.frame += Int64(count)
      total += count
    }
    return total
  }

  /// The number of the recording's frames from `frame` on: its end may have been set after later frames arrived.
  private func framesLeft(from frame: Int64) -> Int {
    let stop = stopFrame.load(ordering: .acquiring)
    return stop == .min ? .max : Int(clamping: max(stop, frame) - frame)
  }

  /// Drops frames that arrived after the recording's end.
  private func discard() {
    let end = ring.writePosition
    guard isCurrent else { return }
    ring.skip(end - ring.readPosition)
    while ownLoss != nil { _ = losses.pop() }
  }

  /// Whether the frames that were in the ring before this call belong to the recording being drained: the audio
  /// thread publishes a new recording's start before it writes its first frame.
  private var isCurrent: Bool { unsafe begun.load(ordering: .acquiring) == drained.pointee.recording }

  /// The oldest loss, if it belongs to the recording being drained.
  private var ownLoss: Loss? {
    losses.peek().flatMap { unsafe $0.recording == drained.pointee.recording ? $0 : nil }
  }

  private func makeRun(at frame: Int64, count: Int, isLost: Bool, overrun: Int = 0) -> TapRun {
    TapRun(
      frame: frame, count: count, isLost: isLost, overrunCount: overrun, channelCount: channelCount,
      sink: self)
  }

  /// Switches to the current recording and drops the rest of an earlier one. Returns false until the recording has
  /// begun.
  private func switchRecording() -> Bool {
    let recording = begun.load(ordering: .acquiring)
    guard recording > 0 && recording == request.load(ordering: .acquiring) else { return false }
    if unsafe drained.pointee.recording != recording {
      let frame = firstFrame.load(ordering: .acquiring), position = firstPosition.load(ordering: .acquiring)
      // A further recording may have begun between the two loads, so that they do not belong together.
      guard request.load(ordering: .acquiring) == recording else { return false }
      ring.skip(position - ring.readPosition)
      while let loss = losses.peek(), loss.recording < recording { _ = losses.pop() }
      unsafe drained.pointee = DrainSide(recording: recording, frame: frame)
    }
    return true
  }
}
