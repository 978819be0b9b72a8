// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// A source and the reader that feeds it.
final class FilledStream: Sendable {
  /// What changes while filling.
  private struct State: ~Copyable {
    let reader: ConvertingReader
    var failure: FileError?
  }
  // The audio graph owns the source; when it has gone, so has the reason to read.
  private let held: Held
  private let state: Mutex<State>

  // @unchecked: a weak reference is safe to read from any thread, and never set again.
  private struct Held: @unchecked Sendable { weak var source: StreamSource? }

  init(_ source: StreamSource, _ reader: sending ConvertingReader) {
    held = Held(source: source)
    state = Mutex(State(reader: reader))
  }

  var source: StreamSource? { held.source }
  var isAbandoned: Bool { held.source == nil }
  var failure: FileError? { state.withLock { $0.failure } }

  func fill(atLeast frames: Int?) {
    guard let source = held.source else { return }
    state.withLock { state in
      do throws(FileError) {
        if let target = source.beginSeek() {
          defer { source.endSeek(from: target) }
          try state.reader.seek(to: target)
          try FilledStream.pour(state.reader, into: source, atLeast: frames ?? Int(source.sampleRate) / 4)
        }
        try FilledStream.pour(state.reader, into: source, atLeast: frames)
      } catch {
        // What is in the ring still plays; then the stream is over.
        state.failure = error
        source.markEnd()
      }
    }
  }

  /// Reads until so many frames are ready; nil tops the ring up once a quarter of it is empty.
  private static func pour(
    _ reader: ConvertingReader, into source: StreamSource, atLeast frames: Int?
  ) throws(FileError) {
    let capacity = source.ring.capacity
    let ready = source.ring.readable
    guard ready < min(frames ?? capacity * 3 / 4, capacity), !source.isMarked else { return }
    while source.ring.writable > 0 {
      let run = min(source.ring.writableRun, 16384)
      let pointers = (0..<source.channelCount).map { source.ring.room(of: $0).unsafeBase }
      let got = try pointers.withUnsafeBufferPointer { table throws(FileError) in
        try table.baseAddress.map { base throws(FileError) in try reader.read(into: base, count: run) } ?? 0
      }
      source.ring.commit(got)
      if got < run || reader.position == reader.length {
        source.markEnd()
        return
      }
      if let frames, source.ring.readable >= frames, source.ring.readable >= capacity / 2 { return }
    }
  }
}
