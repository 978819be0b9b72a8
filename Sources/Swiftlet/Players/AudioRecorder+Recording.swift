// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletFiles
internal import SwiftletGraph
public import SwiftletTimeline
internal import Synchronization

extension AudioRecorder {
  /// Begins a take, or resumes one that is paused.
  ///
  /// - Parameters:
  ///   - time: the time of frame 0 of the take; default, and for a time that has passed: as soon as possible.
  ///   - duration: the length of the take, pauses included; default: until ``stop()``.
  /// - Throws: ``EngineError/file(_:)`` if the file cannot be created, ``EngineError/jack(_:)``,
  ///   ``EngineError/recording(_:)`` if the last take does not end.
  public func record(at time: AudioTime? = nil, for duration: Duration? = nil) throws(EngineError) {
    try beginning.withLock { _ throws(EngineError) in
      if isRecording { return resume() }
      if engine.jackClient != nil { try engine.start() }
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

  /// Pauses the take. The sound before and after the pause follow each other without a gap.
  public func pause() {
    let instant = state.withLock { state -> Int64? in
      guard state.isRecording, state.pause == nil else { return nil }
      let instant = recorder.pause(["take"])
      state.pause = instant
      return instant
    }
    if let instant { listeners.send(.paused(at: moment(instant))) }
  }

  /// Resumes a take that is paused.
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

  /// Ends the take and waits until its file is finished, which takes longer for compressed formats.
  ///
  /// - Returns: the report of the take; nil if nothing was recorded since the last stop.
  @discardableResult
  public func stop() -> TakeReport? {
    // The report has been delivered when `finish()` returns.
    recorder.finish().last
  }

  /// Removes the file of the take that ended last.
  ///
  /// - Throws: ``EngineError/recording(_:)`` while a take runs, ``EngineError/file(_:)`` if there is no file.
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

  /// Whether a take runs, paused or not.
  public var isRecording: Bool { state.withLock { $0.isRecording } }

  /// Whether the take is paused.
  public var isPaused: Bool { state.withLock { $0.isRecording && $0.pause != nil } }

  /// The length of the take so far, without its pauses; 0 if no take runs.
  public var currentTime: MediaTime {
    let now = engine.now.frame
    let frames = state.withLock { state -> Int64 in
      guard state.isRecording else { return 0 }
      let end = min(now, state.end ?? .max, state.pause ?? .max)
      return max(end - state.start - state.paused, 0)
    }
    return MediaTime(frames: frames, at: engine.sampleRate)
  }

  /// A new stream of the recorder's events from now on. It ends with the recorder.
  public var events: AsyncStream<AudioRecorder.Event> { listeners.stream() }

  private func moment(_ frame: Int64) -> AudioTime { AudioTime(frame: frame, sampleRate: engine.sampleRate) }
}
