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
/// The recorder makes a JACK client for itself, whose input is connected to the first hardware inputs, or records a
/// node of an engine of yours. Every function may be called from any thread or task.
public final class AudioRecorder: Sendable {
  /// The engine that it records on.
  package var engine: AudioEngine { node.engine }
  /// The node that is recorded. Default: an input node of its own.
  public let node: AudioNode
  /// The meter of the sound, whether it is recorded or not.
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

  /// Prepares to record as a JACK client of its own, which is closed with the recorder.
  ///
  /// - Parameters:
  ///   - file: a path or a `file:` URL; its extension selects the container. `{take}`, `{date}` and `{time}` in its name are
  ///     filled in for each take.
  ///   - options: the format and other options of the takes.
  ///   - channels: the number of channels, 1 or more; default: 1.
  ///   - name: the client's name, with a number behind it if it is taken; default: `recorder`.
  ///   - server: the server's name; default: `JACK_DEFAULT_SERVER`, otherwise JACK's default server.
  /// - Throws: ``EngineError/file(_:)`` for a format that is not possible or a URL that is not a file of this machine,
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

  /// Prepares to record the output of a node.
  ///
  /// - Parameters:
  ///   - file: a path or a `file:` URL; its extension selects the container. `{take}`, `{date}` and `{time}` in its name are
  ///     filled in for each take.
  ///   - node: the node.
  ///   - options: the format and other options of the takes.
  /// - Throws: ``EngineError/file(_:)`` for a format that is not possible or a URL that is not a file of this machine,
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
  /// An event of an ``AudioRecorder``.
  @nonexhaustive public enum Event: Sendable {
    /// A take has begun at this moment, in this file.
    case began(path: String, at: AudioTime)
    /// `paused`: the take is paused from this moment on. `resumed`: it goes on from this moment.
    case paused(at: AudioTime), resumed(at: AudioTime)
    /// The take has ended, and its file is finished; see the report.
    case ended(TakeReport)
  }
}
