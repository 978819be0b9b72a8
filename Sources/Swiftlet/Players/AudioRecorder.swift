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
/// node of your engine. Every function may be called from any thread or task.
public final class AudioRecorder: Sendable {
  /// The engine that the recorder records on.
  package var engine: AudioEngine { node.engine }
  /// The node that is recorded. Default: an input node of its own.
  public let node: AudioNode
  /// The meter of the sound, which runs whether it is recorded or not.
  public let meter: Meter

  let recorder: Recorder
  let listeners = Listeners<AudioRecorder.Event>()
  let state = Mutex(State())
  /// Held while a take begins and while its end is reported. No two takes begin at once, and no end is reported
  /// before the beginning.
  let beginning = Mutex(())
  private let ownsEngine: Bool

  struct State {
    /// The path of the current take, or of the last one.
    var path: String?
    /// The first frame of the take, the frame after its last, and the first frame of the current pause.
    var start: Int64 = 0, end: Int64?, pause: Int64?
    /// The total length of earlier pauses in frames.
    var paused: Int64 = 0
    var isRecording = false
  }

  /// Prepares to record as a JACK client of its own, which is closed with the recorder.
  ///
  /// - Parameters:
  ///   - file: a path or a `file:` URL; its extension selects the container. `{take}`, `{date}` and `{time}` in its
  ///     name are filled in for each take.
  ///   - options: the format and other options of the takes.
  ///   - channels: the number of channels, 1 to 64; default: 1.
  ///   - name: the client's name, with a number appended if it is taken; default: `recorder`.
  ///   - server: the server's name; default: `JACK_DEFAULT_SERVER`, otherwise JACK's default server.
  /// - Throws: ``EngineError/file(_:)`` for a format that is not possible or a URL that is not a file of this machine,
  ///   ``EngineError/jack(_:)``, ``EngineError/graph(_:)`` for another number of channels.
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
  ///   - file: a path or a `file:` URL; its extension selects the container. `{take}`, `{date}` and `{time}` in its
  ///     name are filled in for each take.
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
    // Does not wait: the last reference may be released on the thread that finishes files. The recorder's own threads
    // finish the take.
    recorder.stop()
    listeners.finish()
    if ownsEngine { engine.close() } else { meter.remove() }
  }

  /// Passes a take's report to the recorder while that exists.
  private final class Ended: Sendable {
    struct Held { weak var value: AudioRecorder? }
    let recorder = Mutex(Held())

    func take(_ report: TakeReport) { recorder.withLock { $0.value }?.take(report) }
  }

  /// Handles the end of a take, whatever its cause.
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
