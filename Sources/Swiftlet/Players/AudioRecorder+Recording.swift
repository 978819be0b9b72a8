// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletFiles
internal import SwiftletGraph
public import SwiftletTimeline
internal import Synchronization

extension AudioRecorder {
  /// Begins a take, or goes on with one that pauses.
  ///
  /// - Parameters:
  ///   - time: the moment that is frame 0 of the take; nil, or one that has passed, is as soon as possible.
  ///   - duration: how long it records, pauses counted in; nil is until it is stopped.
  /// - Throws: ``EngineError/file(_:)`` where the file cannot be made, ``EngineError/jack(_:)``,
  ///   ``EngineError/recording(_:)`` where the last take does not come to its end.
  public func record(at time: AudioTime? = nil, for duration: Duration? = nil) throws(EngineError) {
    try beginning.withLock { _ throws(EngineError) in
      if isRecording { return resume() }
      if engine.studio != nil { try engine.start() }
      let (paths, instant) = try recorder.start(["take"], at: time)
      guard let path = paths["take"] else { return }
      let end = duration.map { TapSink.possible(instant + max($0.frames(at: engine.sampleRate), 0)) }
      state.withLock { state in
        state = State(path: path, start: instant, end: end, isRecording: true)
      }
      if let end { recorder.end(["take"], before: end) }
      listeners.send(.began(path: path, at: moment(instant)))
    }
  }

  /// Leaves out what comes from now on, until it is resumed: what was before and what comes then follow each other
  /// without a gap.
  public func pause() {
    let instant = state.withLock { state -> Int64? in
      guard state.isRecording, state.pause == nil else { return nil }
      let instant = recorder.pause(["take"])
      state.pause = instant
      return instant
    }
    if let instant { listeners.send(.paused(at: moment(instant))) }
  }

  /// Goes on with a take that pauses.
  public func resume() {
    let instant = state.withLock { state -> Int64? in
      guard state.isRecording, let pause = state.pause else { return nil }
      let instant = recorder.resume(["take"])
      state.paused += instant - pause
      state.pause = nil
      return instant
    }
    if let instant { listeners.send(.resumed(at: moment(instant))) }
  }

  /// Ends the take and waits until its file is whole, which takes its time where it is compressed.
  ///
  /// - Returns: what became of it; nil where nothing was recorded since the last stop.
  @discardableResult
  public func stop() -> TakeReport? {
    // Its report has been taken by then.
    recorder.finish().last
  }

  /// Removes the file of the take that was ended last.
  ///
  /// - Throws: ``EngineError/recording(_:)`` while it is recorded, ``EngineError/file(_:)`` where there is none.
  public func delete() throws(EngineError) {
    let (path, isRecording) = state.withLock { ($0.path, $0.isRecording) }
    guard let path else { throw .file(FileError(.missing, node.name, "has not been recorded")) }
    guard !isRecording else { throw .recording(path) }
    guard unlink(path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw .file(FileError(errno == ENOENT ? .missing : .unwritable, path, "cannot be removed: \(reason)"))
    }
    state.withLock { $0.path = nil }
  }

  /// Whether a take runs; also while it pauses.
  public var isRecording: Bool { state.withLock { $0.isRecording } }

  /// Whether the take that runs pauses.
  public var isPaused: Bool { state.withLock { $0.isRecording && $0.pause != nil } }

  /// How long the take is so far, without its pauses; 0 where none runs.
  public var currentTime: MediaTime {
    let now = engine.now.frame
    let frames = state.withLock { state -> Int64 in
      guard state.isRecording else { return 0 }
      let end = min(now, state.end ?? .max, state.pause ?? .max)
      return max(end - state.start - state.paused, 0)
    }
    return MediaTime(frames: frames, at: engine.sampleRate)
  }

  /// What happens from now on. Each call gives a stream of its own, which ends with the recorder.
  public var events: AsyncStream<AudioRecorder.Event> { listeners.stream() }

  private func moment(_ frame: Int64) -> AudioTime { AudioTime(frame: frame, sampleRate: engine.sampleRate) }
}
