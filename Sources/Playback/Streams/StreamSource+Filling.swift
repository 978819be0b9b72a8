// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

/// The prefetch thread's side: one thread at a time fills a source.
extension StreamSource {
  /// The automation of a source's speed, varispeed and pitch; nil for a parameter that is not automated. The prefetch
  /// thread applies the lanes as it reads the file, so each value is heard on its frame, and the sound at any
  /// timeline frame can be read without playing what precedes it.
  package struct Lanes: Equatable, Sendable {
    package var speed: Automation?, varispeed: Automation?, pitch: Automation?
    /// The timeline's loop range.
    package var loop: TimelineLoop?

    package init(
      speed: Automation? = nil, varispeed: Automation? = nil, pitch: Automation? = nil,
      loop: TimelineLoop? = nil
    ) {
      (self.speed, self.varispeed, self.pitch, self.loop) = (speed, varispeed, pitch, loop)
    }
  }

  /// A seek in progress: the prefetch thread holds the ring's reading side.
  package struct Seek {
    /// The target frame in the file.
    package let frame: Int
    fileprivate let goal: StreamGoal
  }

  /// Whether a seek is pending.
  package var isSeekPending: Bool { !handover.goal.isStay }

  /// Makes the prefetch thread read again from the current position, unless another seek is pending or the source has
  /// ended by then. Any thread.
  package func restart() { handover.seekIfIdle(to: .here) }

  /// Begins the pending seek and clears the ring; returns nil if no seek is pending or the source still plays.
  ///
  /// - Parameter placing: returns the position in the file for a timeline frame. The default multiplies the timeline
  ///   frame by the requested playback rate.
  package func beginSeek(placing: ((Int64) -> Double)? = nil) -> Seek? {
    guard let goal = handover.takeForPrefetch() else { return nil }
    if goal.isHere, hasEnded {
      // The source has ended: there is nothing to read again.
      handover.giveBack(at: goal)
      return nil
    }
    var frame = position, timelineFrame: Int64?
    switch goal {
    case .frame(let asked): frame = asked
    case .timeline(let asked): timelineFrame = Int64(asked)
    // If the ring belonged to the timeline, reading continues at the timeline's next frame.
    case .here, .stay: timelineFrame = timelinePosition
    }
    if let timelineFrame, !goal.isHere || placing != nil {
      let target = placing?(timelineFrame) ?? Double(timelineFrame) * requestedPlaybackRate
      frame = Int(min(max(target, 0), 0x1p60).rounded())
    }
    ring.skip(ring.readable)
    begin(at: frame, timelineShift: timelineFrame.map { $0 - Int64(ring.readPosition) })
    handover.mark(end: nil)
    return Seek(frame: frame, goal: goal)
  }

  /// Ends a seek: returns the ring, which holds the first frames from the target, to the audio thread. A goal that
  /// was set in the meantime stays pending.
  package func endSeek(from seek: Seek) { handover.giveBack(at: seek.goal) }

  /// Sets the file frame of the ring's first frame. Must be called before the audio thread reads.
  package func begin(at frame: Int) { begin(at: frame, timelineShift: fillings.latest().timelineShift) }

  private func begin(at frame: Int, timelineShift: Int64?) {
    while marks.pop() != nil {}
    let number = fillings.version() + 1, here = ring.readPosition
    fillings.publish(
      StreamFilling(number: number, frame: frame, ringFrame: here, timelineShift: timelineShift))
  }

  /// Records the file position of the next frame to be written, and the playback rate from there on.
  ///
  /// - Returns: false if the queue of marks is full.
  package func setMark(_ position: Double, advance: Double) -> Bool {
    marks.push(Mark(frame: ring.writePosition, position: position, advance: advance))
  }

  /// Marks the stream's end behind the frames in the ring.
  package func markEnd() { handover.mark(end: ring.writePosition) }

  /// Whether the prefetch thread has marked the stream's end.
  package var isMarked: Bool { handover.end != nil }

  /// The timeline frame minus the ring frame at which the next written frame will be heard, as far as known. A
  /// stopped source that does not follow the transport is assumed to begin at ``aim``, or now.
  package var timelineShift: Int64 {
    let control = control.withLock { $0 }
    if control.isFollowing, let shift = timelineShiftOfRing { return shift }
    if let shiftOfRing { return shiftOfRing &+ control.engineShift }
    let start = max(control.engineFrame, control.aim ?? .min)
    return start &- Int64(ring.readPosition) &+ control.engineShift
  }

  /// Sets the requested playback rate, in file frames per output frame, after the lanes of speed were removed.
  package func settle(at advance: Double) { asked.store(advance.bitPattern, ordering: .relaxed) }
}
