// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal
internal import SwiftletStretch
internal import Synchronization

/// A source and the reader that feeds it.
///
/// A file that plays as it is, is read far ahead. One that is stretched is read ahead no further than
/// ``StreamSource/lead``, and what is asked for at a frame is heard exactly so much later: soon, and at the
/// same frame in every render.
final class FilledStream: Sendable {
  /// What changes while filling.
  struct State: ~Copyable {
    let reader: StretchingReader
    var failure: FileError?
    var isFailureTold = false
    /// What was asked for and is not due yet.
    var turns: [StreamSource.Turn] = []
    /// The frame of the file that is read next, with its fraction, as far as the speed tells.
    var place: Double
    /// How many frames of the file the last ones went by in each; nil until the source is told.
    var advance: Double?
    /// The last sample of each channel.
    var last: [Float]
    /// The lanes of its speed and pitch, what they make of it, and what stays.
    var lanes: StreamSource.Lanes?, course: SpeedCourse?, base = Stretch()
    /// The timeline's frame less the ring's.
    var shift: Int64 = 0
    /// How often the source had run dry when that was asked last.
    var underruns = 0
    /// The first frame that has changed since it was read, and is still to be read again.
    var changed: Int?

    /// Takes down what has changed since it was last asked.
    mutating func noteChanges() {
      if let frame = reader.reader.sequence?.takeStaleFrame() { changed = min(frame, changed ?? frame) }
    }

    /// Notes what was asked for. Of what is turned again and again on one frame, as while it stands still, the
    /// last counts.
    mutating func note(_ turn: StreamSource.Turn) {
      var index = turns.count
      while index > 0, turns[index - 1].frame == turn.frame {
        index -= 1
        guard turns[index].knob == turn.knob else { continue }
        turns[index].value = turn.value
        return
      }
      turns.append(turn)
    }

    /// Does all that was asked for, due or not.
    mutating func obey() {
      for turn in turns { move(turn) }
      turns = []
    }

    /// Does what was asked for.
    mutating func move(_ turn: StreamSource.Turn) {
      guard let lanes else { return reader.stretch.move(turn) }
      base.move(turn)
      course = SpeedCourse(lanes, base, sampleRate: Double(reader.reader.sampleRate))
      reader.retrace(course)
    }
  }
  /// What it feeds; nil when that has gone, which the audio graph owns, and with it the reason to read.
  // Set once, before any other thread knows of it: a weak reference is then safe to read from all.
  nonisolated(unsafe) private(set) weak var source: StreamSource?
  let state: Mutex<State>
  /// Whether it never reads far ahead: where nobody listens.
  let isOffline: Bool

  init(_ source: StreamSource, _ reader: sending StretchingReader, isOffline: Bool) {
    self.source = source
    let silence = [Float](repeating: 0, count: source.channelCount)
    state = Mutex(State(reader: reader, place: Double(source.position), last: silence))
    self.isOffline = isOffline
  }

  var isAbandoned: Bool { source == nil }
  var failure: FileError? { state.withLock { $0.failure } }

  /// How often the source has run dry since the last call.
  func takeUnderruns() -> Int {
    guard let count = source?.underruns.count else { return 0 }
    return state.withLock { state in
      defer { state.underruns = count }
      return count - state.underruns
    }
  }

  /// What ended it before its time, told once.
  func takeFailure() -> FileError? {
    state.withLock { state in
      guard let failure = state.failure, !state.isFailureTold else { return nil }
      state.isFailureTold = true
      return failure
    }
  }

  /// The absolute frame before which a sound of so many frames will have been played whose speed follows lanes; nil
  /// while it stands still.
  func end(of length: Int) -> Int64? {
    guard let source, let shift = source.shiftOfRing else { return nil }
    return state.withLock { state in
      guard let course = state.course else { return nil }
      let next = course.place(at: Double(state.shift + Int64(source.ring.writePosition)))
      let end = course.frame(of: next + max(Double(length) - state.place, 0)) - Double(state.shift)
      return Int64(min(end, 0x1p60).rounded()) &+ shift
    }
  }

  /// Whether there is something to do before so many frames can be played.
  func needs(_ frames: Int) -> Bool {
    guard let source else { return false }
    if source.isSought || source.turns.peek() != nil { return true }
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
            source.beginAnew()
            // Who plays leaves before that; until then nothing is added that may belong elsewhere.
            if source.isRead { return }
          }
        }
        if state.reader.reader.loop != source.loop {
          state.reader.reader.loop = source.loop
          source.beginAnew()
        }
        adoptLanes(&state, from: source)
        // First of all, also where everything was read: another speed is to be heard all the same.
        _ = take(&state, from: source)
        let course = state.course
        if let seek = source.beginSeek(placing: course.map { course in { course.place(at: Double($0)) } }) {
          defer { source.endSeek(from: seek) }
          // Nothing that was there is heard any more: all that was asked for is due.
          while let turn = source.turns.pop() { state.note(turn) }
          state.obey()
          (state.place, state.advance) = (Double(seek.frame), nil)
          for channel in state.last.indices { state.last[channel] = 0 }
          state.shift = source.timelineShift
          // All is read anew.
          state.noteChanges()
          state.changed = nil
          try state.reader.seek(to: seek.frame, at: Double(state.shift + Int64(source.ring.readPosition)))
          try pour(&state, into: source, atLeast: frames ?? Int(source.sampleRate) / 4)
        }
        try pour(&state, into: source, atLeast: frames)
      } catch {
        // What is in the ring still plays; then the stream is over.
        state.failure = error
        // From its last samples the sound falls to silence: a step would click.
        let (last, fade) = (state.last, Int(source.sampleRate) / 200)
        write(fade, into: source) { channel, frame, _ in
          last[channel] * Float(fade - frame - 1) / Float(fade)
        }
        source.markEnd()
      }
    }
  }

  /// Reads until so many frames are ready; nil tops the ring up once a quarter of it is empty, or at once
  /// where it is kept short.
  private func pour(
    _ state: inout State, into source: StreamSource, atLeast frames: Int?
  ) throws(FileError) {
    let isShort = isOffline || state.reader.isStretching
    let most = isShort ? min(max(source.lead, frames ?? 0), source.ring.capacity) : source.ring.capacity
    guard source.ring.readable < min(frames ?? (isShort ? most : most * 3 / 4), most) else { return }
    let goal = isShort || frames == nil ? most : max(min(frames ?? 0, most), most / 2)
    while !source.isMarked {
      // In this order: what was asked for before this frame is among the turns by now.
      let played = source.ring.readPosition
      guard take(&state, from: source), source.ring.writePosition - played < goal else { return }
      let most = state.course == nil ? 16384 : 1024
      var run = min(source.ring.writableRun, most, played + goal - source.ring.writePosition)
      while let turn = state.turns.first {
        let wait = turn.frame + source.lead - source.ring.writePosition
        if wait > 0 {
          run = min(run, wait)
          break
        }
        state.move(turn)
        state.turns.removeFirst()
      }
      keepTime(&state, source)
      let written = source.ring.writePosition
      tell(&state, source, run)
      let pointers = (0..<source.channelCount).map { source.ring.room(of: $0).unsafeBase }
      let got = try pointers.withUnsafeBufferPointer { table throws(FileError) in
        try table.baseAddress.map { base throws(FileError) in
          try state.reader.read(into: Channels(base, count: source.channelCount), count: run)
        } ?? 0
      }
      for channel in state.last.indices where got > 0 { state.last[channel] = pointers[channel][got - 1] }
      source.ring.commit(got)
      state.place += advance(of: state, from: written, over: got) * Double(got)
      if state.reader.isAtEnd { source.markEnd() }
    }
  }

  /// Takes what was asked for. Where the file was read far ahead as it is, it begins anew where it plays.
  ///
  /// - Returns: whether to go on.
  private func take(_ state: inout State, from source: StreamSource) -> Bool {
    while let turn = source.turns.pop() { state.note(turn) }
    guard !isOffline, !state.reader.isStretching, !state.turns.isEmpty else { return true }
    state.obey()
    guard state.reader.isStretching else { return true }
    source.beginAnew()
    return false
  }

  /// Takes over the lanes of speed and pitch. What was read without them is read again; where no song says which
  /// frame of the file is due, and it is read a little ahead only, it is played to its end first.
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
      state.reader.retrace(state.course)
    } else {
      state.reader.follow(state.course, from: Double(state.shift + Int64(source.ring.writePosition)))
      source.beginAnew()
    }
  }

  /// Follows the lanes where the source turns out to be heard at another time than was thought.
  private func keepTime(_ state: inout State, _ source: StreamSource) {
    guard state.course != nil else { return }
    let shift = source.timelineShift
    if shift != state.shift { state.reader.shift(by: Double(shift - state.shift)) }
    state.shift = shift
  }

  /// How many frames of the file go by in each of the next.
  private func advance(of state: borrowing State, from written: Int, over count: Int) -> Double {
    guard let course = state.course, count > 0 else { return state.reader.stretch.advance }
    let first = Double(state.shift + Int64(written))
    return (course.place(at: first + Double(count)) - course.place(at: first)) / Double(count)
  }

  /// Tells the source where in the file the next frame lies, where it does not know by itself.
  private func tell(_ state: inout State, _ source: StreamSource, _ run: Int) {
    let advance = advance(of: state, from: source.ring.writePosition, over: run)
    guard state.advance != advance else { return }
    state.advance = source.setMark(state.place, advance: advance) ? advance : nil
  }
}

extension Stretch {
  /// Takes one of its numbers over.
  mutating func move(_ turn: StreamSource.Turn) {
    let value = Double(turn.value)
    switch turn.knob {
    case .speed: self = Stretch(speed: value, varispeed: varispeed, pitch: pitch)
    case .varispeed: self = Stretch(speed: speed, varispeed: value, pitch: pitch)
    case .pitch: self = Stretch(speed: speed, varispeed: varispeed, pitch: value)
    // The audio thread's own.
    case .gain: break
    }
  }
}
