// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletSignal
internal import SwiftletStretch
internal import Synchronization

/// A source and the reader that fills it.
///
/// Unstretched sound is read far ahead. Stretched sound is read ahead by at most ``StreamSource/changeDelay``, and a
/// parameter change takes effect exactly that many frames after its own frame: soon, and at the same frame in every
/// render.
final class PrefetchedStream: Sendable {
  /// The mutable state of filling.
  struct State: ~Copyable {
    let reader: StretchingReader
    var failure: FileError?
    var isFailureReported = false
    /// The parameter changes that are not due yet.
    var pendingChanges: [StreamSource.ParameterChange] = []
    /// The frame of the file that is read next, with its fraction, as far as the rate determines it.
    var position: Double
    /// The file frames per output frame that were last reported to the source; nil if they must be reported again.
    var advance: Double?
    /// The last sample of each channel, for a fade-out on failure.
    var last: [Float]
    /// The lanes of speed and pitch, the course computed from them, and the values of parameters without a lane.
    var lanes: StreamSource.Lanes?, course: SpeedCourse?, base = Stretch()
    /// The timeline's frame minus the ring's frame.
    var shift: Int64 = 0
    /// The source's underrun count at the last query.
    var underruns = 0
    /// The first frame that changed after it was read and must be read again.
    var changed: Int?

    /// Collects the changes of the sequence since the last call.
    mutating func noteChanges() {
      if let frame = reader.reader.sequence?.takeStaleFrame() { changed = min(frame, changed ?? frame) }
    }

    /// Queues a parameter change. Of several changes of one parameter at one frame, as while the source stands still,
    /// the last one counts.
    mutating func note(_ change: StreamSource.ParameterChange) {
      var index = pendingChanges.count
      while index > 0, pendingChanges[index - 1].frame == change.frame {
        index -= 1
        guard pendingChanges[index].parameter == change.parameter else { continue }
        pendingChanges[index].value = change.value
        return
      }
      pendingChanges.append(change)
    }

    /// Applies all queued changes, due or not.
    mutating func applyChanges() {
      for change in pendingChanges { move(change) }
      pendingChanges = []
    }

    /// Applies one change.
    mutating func move(_ change: StreamSource.ParameterChange) {
      guard let lanes else { return reader.stretch.move(change) }
      base.move(change)
      course = SpeedCourse(lanes, base, sampleRate: Double(reader.reader.sampleRate))
      reader.replaceCourse(course)
    }
  }
  /// The source that is filled; nil once the audio graph, which owns it, has released it. The stream is then abandoned.
  // Set once, before any other thread has access, so all threads may read the weak reference.
  nonisolated(unsafe) private(set) weak var source: StreamSource?
  let state: Mutex<State>
  /// Whether the source is never filled far ahead, as in offline rendering.
  let isOffline: Bool

  init(_ source: StreamSource, _ reader: sending StretchingReader, isOffline: Bool) {
    self.source = source
    let silence = [Float](repeating: 0, count: source.channelCount)
    state = Mutex(State(reader: reader, position: Double(source.position), last: silence))
    self.isOffline = isOffline
  }

  var isAbandoned: Bool { source == nil }
  var failure: FileError? { state.withLock { $0.failure } }

  /// Returns the number of underruns since the last call.
  func takeUnderruns() -> Int {
    guard let count = source?.underruns.count else { return 0 }
    return state.withLock { state in
      defer { state.underruns = count }
      return count - state.underruns
    }
  }

  /// Returns the error that ended the stream early, once.
  func takeFailure() -> FileError? {
    state.withLock { state in
      guard let failure = state.failure, !state.isFailureReported else { return nil }
      state.isFailureReported = true
      return failure
    }
  }

  /// Returns the absolute frame by which a sound of `length` frames will have been played, if its speed follows lanes;
  /// nil while it stands still.
  func end(of length: Int) -> Int64? {
    guard let source, let shift = source.shiftOfRing else { return nil }
    return state.withLock { state in
      guard let course = state.course else { return nil }
      let next = course.soundFrame(at: Double(state.shift + Int64(source.ring.writePosition)))
      let end = course.frame(of: next + max(Double(length) - state.position, 0)) - Double(state.shift)
      return Int64(min(end, 0x1p60).rounded()) &+ shift
    }
  }

  /// Whether work is needed before `frames` frames can be played.
  func needs(_ frames: Int) -> Bool {
    guard let source else { return false }
    if source.isSeekPending || source.parameterChanges.peek() != nil { return true }
    let lanes = source.lanes
    let loop = source.loop
    let isOther = state.withLock { state in
      state.changed != nil || state.reader.reader.sequence?.staleFrame != nil || state.lanes != lanes
        || state.reader.reader.loop != loop
    }
    if isOther { return true }
    return !source.isMarked && source.ring.readable < min(frames, source.ring.capacity)
  }

  func fill(atLeast frames: Int?) {
    guard let source else { return }
    state.withLock { state in
      do throws(FileError) {
        state.noteChanges()
        if let changed = state.changed {
          if try readAgain(from: changed, &state, into: source) {
            state.changed = nil
          } else {
            source.restart()
            // The audio thread stops reading first. Until then no frames are added, because they might belong to
            // another position.
            if source.isRead { return }
          }
        }
        if state.reader.reader.loop != source.loop {
          state.reader.reader.loop = source.loop
          source.restart()
        }
        adoptLanes(&state, from: source)
        // Runs first, even if everything was read, so that a new speed is heard in any case.
        _ = take(&state, from: source)
        let course = state.course
        if let seek = source.beginSeek(
          placing: course.map { course in { course.soundFrame(at: Double($0)) } })
        {
          defer { source.endSeek(from: seek) }
          // The frames in the ring are dropped, so all queued changes are due now.
          while let change = source.parameterChanges.pop() { state.note(change) }
          state.applyChanges()
          (state.position, state.advance) = (Double(seek.frame), nil)
          for channel in state.last.indices { state.last[channel] = 0 }
          state.shift = source.timelineShift
          // Everything is read again, so pending changes are settled.
          state.noteChanges()
          state.changed = nil
          try state.reader.seek(to: seek.frame, at: Double(state.shift + Int64(source.ring.readPosition)))
          try refill(&state, into: source, atLeast: frames ?? Int(source.sampleRate) / 4)
        }
        try refill(&state, into: source, atLeast: frames)
      } catch {
        // The frames in the ring still play, then the stream ends.
        state.failure = error
        // The sound fades out over 5 ms from its last samples, since a step would click.
        let (last, fade) = (state.last, Int(source.sampleRate) / 200)
        write(fade, into: source) { channel, frame, _ in
          last[channel] * Float(fade - frame - 1) / Float(fade)
        }
        source.markEnd()
      }
    }
  }

  /// Reads until `frames` frames are ready. If nil, refills the ring once a quarter of it is empty, or at once if it is
  /// kept short.
  private func refill(
    _ state: inout State, into source: StreamSource, atLeast frames: Int?
  ) throws(FileError) {
    let isShort = isOffline || state.reader.isStretching
    let most =
      isShort ? min(max(source.changeDelay, frames ?? 0), source.ring.capacity) : source.ring.capacity
    guard source.ring.readable < min(frames ?? (isShort ? most : most * 3 / 4), most) else { return }
    let goal = isShort || frames == nil ? most : max(min(frames ?? 0, most), most / 2)
    while !source.isMarked {
      // The position is read before the queue, so changes requested before that position are in the queue by now.
      let played = source.ring.readPosition
      guard take(&state, from: source), source.ring.writePosition - played < goal else { return }
      let most = state.course == nil ? 16384 : 1024
      var run = min(source.ring.writableRun, most, played + goal - source.ring.writePosition)
      while let change = state.pendingChanges.first {
        let wait = change.frame + source.changeDelay - source.ring.writePosition
        if wait > 0 {
          run = min(run, wait)
          break
        }
        state.move(change)
        state.pendingChanges.removeFirst()
      }
      keepTime(&state, source)
      let written = source.ring.writePosition
      reportPosition(&state, source, run)
      let pointers = (0..<source.channelCount).map { source.ring.writableSamples(of: $0).unsafeBase }
      let got = try pointers.withUnsafeBufferPointer { table throws(FileError) in
        try table.baseAddress.map { base throws(FileError) in
          try state.reader.read(into: Channels(base, count: source.channelCount), count: run)
        } ?? 0
      }
      for channel in state.last.indices where got > 0 { state.last[channel] = pointers[channel][got - 1] }
      source.ring.commit(got)
      state.position += advance(of: state, from: written, over: got) * Double(got)
      if state.reader.isAtEnd { source.markEnd() }
    }
  }

  /// Takes over requested parameter changes. If the sound was read far ahead unstretched, it is read again from the
  /// playback position.
  ///
  /// - Returns: whether filling may continue.
  private func take(_ state: inout State, from source: StreamSource) -> Bool {
    while let change = source.parameterChanges.pop() { state.note(change) }
    guard !isOffline, !state.reader.isStretching, !state.pendingChanges.isEmpty else { return true }
    state.applyChanges()
    guard state.reader.isStretching else { return true }
    source.restart()
    return false
  }

  /// Adopts new lanes of speed and pitch. Sound that was read without them is read again. Exception: a source that
  /// plays stretched sound without following the transport plays out its ring first, which holds little.
  private func adoptLanes(_ state: inout State, from source: StreamSource) {
    let lanes = source.lanes
    guard lanes != state.lanes else { return }
    if state.lanes == nil { state.base = state.reader.stretch }
    let isSmooth = state.reader.isStretching && !source.isFollowing && source.isAwaited
    state.lanes = lanes
    state.course = lanes.map { SpeedCourse($0, state.base, sampleRate: source.sampleRate) }
    if lanes == nil { source.settle(at: state.reader.stretch.advance) }
    state.shift = source.timelineShift
    if isSmooth {
      state.reader.replaceCourse(state.course)
    } else {
      state.reader.follow(state.course, from: Double(state.shift + Int64(source.ring.writePosition)))
      source.restart()
    }
  }

  /// Corrects the lanes' time if the source is heard at another time than expected.
  private func keepTime(_ state: inout State, _ source: StreamSource) {
    guard state.course != nil else { return }
    let shift = source.timelineShift
    if shift != state.shift { state.reader.shift(by: Double(shift - state.shift)) }
    state.shift = shift
  }

  /// Returns the file frames per output frame of the next `count` frames.
  private func advance(of state: borrowing State, from written: Int, over count: Int) -> Double {
    guard let course = state.course, count > 0 else { return state.reader.stretch.advance }
    let first = Double(state.shift + Int64(written))
    return (course.soundFrame(at: first + Double(count)) - course.soundFrame(at: first)) / Double(count)
  }

  /// Reports the file position and rate of the next frame to the source, if they differ from what the source
  /// extrapolates.
  private func reportPosition(_ state: inout State, _ source: StreamSource, _ run: Int) {
    let advance = advance(of: state, from: source.ring.writePosition, over: run)
    guard state.advance != advance else { return }
    state.advance = source.setMark(state.position, advance: advance) ? advance : nil
  }
}

extension Stretch {
  /// Sets the parameter of a change.
  mutating func move(_ change: StreamSource.ParameterChange) {
    let value = Double(change.value)
    switch change.parameter {
    case .speed: self = Stretch(speed: value, varispeed: varispeed, pitch: pitch)
    case .varispeed: self = Stretch(speed: speed, varispeed: value, pitch: pitch)
    case .pitch: self = Stretch(speed: speed, varispeed: varispeed, pitch: value)
    // The audio thread applies gain.
    case .gain: break
    }
  }
}
