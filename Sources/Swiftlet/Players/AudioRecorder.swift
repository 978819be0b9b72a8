// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletFiles
internal import Synchronization

/// Records a sound to a file, in a few lines.
///
/// ```swift
/// let recorder = try AudioRecorder("voice.caf", options: .init(format: "ima4", rate: 22_050))
/// try recorder.record(for: .seconds(10))
/// …
/// let report = recorder.stop()
/// ```
///
/// It makes itself a client of the JACK server with an input that is cabled to the first physical capture ports,
/// or listens to a node of an engine that there is. Every function may be called from any thread or task.
public final class AudioRecorder: Sendable {
  /// The engine that it records on.
  package var engine: AudioEngine { node.engine }
  /// What it records: a capture node of its own, unless it was told otherwise.
  public let node: AudioNode
  /// How loud that is, whether it is recorded or not.
  public let meter: Meter

  let recorder: Recorder
  let listeners = Listeners<AudioRecorder.Event>()
  let state = Mutex(State())
  /// Held while a take begins, and while one is told to have ended: so no two begin at once, and none ends before
  /// it is known to have begun.
  let beginning = Mutex(())
  private let ownsEngine: Bool

  struct State {
    /// The take that runs, or was ended last.
    var path: String?
    /// The instants that it begins at and ends before, and since when it pauses.
    var start: Int64 = 0, end: Int64?, pause: Int64?
    /// For how many frames it has paused before.
    var paused: Int64 = 0
    var isRecording = false
  }

  /// Makes ready to record as a JACK client of its own, which leaves with it.
  ///
  /// - Parameters:
  ///   - file: a path or a `file:` URL; its extension says the container. `{take}`, `{date}` and `{time}` in its name are
  ///     filled in for each take.
  ///   - options: how takes are stored.
  ///   - channels: how many are recorded, 1 or more.
  ///   - name: the client's name, with a number behind it where that is taken.
  ///   - server: the server's name; nil is that of `JACK_DEFAULT_SERVER`, else the default one.
  /// - Throws: ``EngineError/file(_:)`` for a format that cannot be or a URL that is not a file of this machine,
  ///   ``EngineError/jack(_:)``.
  public convenience init(
    _ file: some FileLocation, options: Recorder.Options = Recorder.Options(), channels: Int = 1,
    name: String = "recorder", server: String? = nil
  ) throws(EngineError) {
    let path = try file.enginePath
    let engine = try AudioEngine(client: name, server: server)
    try self.init(
      path, of: try engine.attach(.capture(channels: channels)), options: options, ownsEngine: true)
  }

  /// Makes ready to record what leaves a node of an engine that there is.
  ///
  /// - Parameters:
  ///   - file: the file, as for a client of its own.
  ///   - node: what is recorded.
  ///   - options: how takes are stored.
  /// - Throws: ``EngineError/file(_:)`` for a format that cannot be or a URL that is not a file of this machine,
  ///   ``EngineError/graph(_:)``.
  public convenience init(
    _ file: some FileLocation, of node: AudioNode, options: Recorder.Options = Recorder.Options()
  ) throws(EngineError) {
    try self.init(try file.enginePath, of: node, options: options, ownsEngine: false)
  }

  private init(
    _ path: String, of node: AudioNode, options: Recorder.Options, ownsEngine: Bool
  ) throws(EngineError) {
    self.node = node
    self.ownsEngine = ownsEngine
    let url = URL(fileURLWithPath: path), ended = Ended()
    recorder = Recorder(
      node.engine, folder: path.contains("/") ? url.deletingLastPathComponent().path : ".",
      name: "swiftlet"
    ) { ended.take($0) }
    meter = try recorder.add("take", on: node, file: url.lastPathComponent, options: options)
    ended.recorder.withLock { $0.value = self }
  }

  deinit {
    // Without waiting: the last reference may go on the very thread that finishes files. Its own threads do the
    // rest.
    recorder.stop()
    listeners.finish()
    if ownsEngine { engine.close() } else { meter.remove() }
  }

  /// Where the take's report comes in, for as long as there is somebody to take it.
  private final class Ended: Sendable {
    struct Held { weak var value: AudioRecorder? }
    let recorder = Mutex(Held())

    func take(_ report: TakeReport) { recorder.withLock { $0.value }?.take(report) }
  }

  /// The take has ended, for whatever reason.
  private func take(_ report: TakeReport) {
    beginning.withLock { _ in
      state.withLock { state in
        if state.path == report.path { state.isRecording = false }
      }
      listeners.send(.ended(report))
    }
  }
}

extension AudioRecorder {
  /// What an ``AudioRecorder`` tells.
  public enum Event: Sendable {
    /// A take begins at a moment, in this file.
    case began(path: String, at: AudioTime)
    /// It pauses, and goes on.
    case paused(at: AudioTime), resumed(at: AudioTime)
    /// It has ended, and its file is whole, or as whole as the report says.
    case ended(TakeReport)
  }
}
