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
  private struct State: ~Copyable {
    let reader: StretchingReader
    var failure: FileError?
    /// What was asked for and is not due yet.
    var turns: [StreamSource.Turn] = []
  }
  // The audio graph owns the source; when it has gone, so has the reason to read.
  private let held: Held
  private let state: Mutex<State>
  /// Whether it never reads far ahead: where nobody listens.
  private let isOffline: Bool

  // @unchecked: a weak reference is safe to read from any thread, and never set again.
  private struct Held: @unchecked Sendable { weak var source: StreamSource? }

  init(_ source: StreamSource, _ reader: sending StretchingReader, isOffline: Bool) {
    held = Held(source: source)
    state = Mutex(State(reader: reader))
    self.isOffline = isOffline
  }

  var source: StreamSource? { held.source }
  var isAbandoned: Bool { held.source == nil }
  var failure: FileError? { state.withLock { $0.failure } }

  /// Whether there is something to do before so many frames can be played.
  func needs(_ frames: Int) -> Bool {
    guard let source = held.source else { return false }
    return source.isSought || !source.isMarked && source.ring.readable < min(frames, source.ring.capacity)
  }

  func fill(atLeast frames: Int?) {
    guard let source = held.source else { return }
    state.withLock { state in
      do throws(FileError) {
        if let target = source.beginSeek() {
          defer { source.endSeek(from: target) }
          // Nothing that was there is heard any more: all that was asked for is due.
          while let turn = source.turns.pop() { state.turns.append(turn) }
          for turn in state.turns { state.reader.stretch.move(turn) }
          state.turns = []
          try state.reader.seek(to: target)
          try pour(&state, into: source, atLeast: frames ?? Int(source.sampleRate) / 4)
        }
        try pour(&state, into: source, atLeast: frames)
      } catch {
        // What is in the ring still plays; then the stream is over.
        state.failure = error
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
      var run = min(source.ring.writableRun, 16384, played + goal - source.ring.writePosition)
      while let turn = state.turns.first {
        let wait = turn.frame + source.lead - source.ring.writePosition
        if wait > 0 {
          run = min(run, wait)
          break
        }
        state.reader.stretch.move(turn)
        state.turns.removeFirst()
      }
      let pointers = (0..<source.channelCount).map { source.ring.room(of: $0).unsafeBase }
      let got = try pointers.withUnsafeBufferPointer { table throws(FileError) in
        try table.baseAddress.map { base throws(FileError) in
          try state.reader.read(into: Channels(base, count: source.channelCount), count: run)
        } ?? 0
      }
      source.ring.commit(got)
      if state.reader.isAtEnd { source.markEnd() }
    }
  }

  /// Takes what was asked for. Where the file was read far ahead as it is, it begins anew where it plays.
  ///
  /// - Returns: whether to go on.
  private func take(_ state: inout State, from source: StreamSource) -> Bool {
    while let turn = source.turns.pop() { state.turns.append(turn) }
    guard !isOffline, !state.reader.isStretching, !state.turns.isEmpty else { return true }
    for turn in state.turns { state.reader.stretch.move(turn) }
    state.turns = []
    guard state.reader.isStretching else { return true }
    source.beginAnew()
    return false
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
