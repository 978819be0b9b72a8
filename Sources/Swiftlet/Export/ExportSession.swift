// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletThreads
public import SwiftletTimeline
internal import Synchronization

/// Renders an offline engine into files, faster than real time: any number of files, of any of its nodes, in one
/// pass.
///
/// ```swift
/// let export = try ExportSession(engine)
/// try export.add(ExportFile("mix.wav", as: .wav24, of: output))
/// try export.add(ExportFile("mix.m4a", of: output))
/// try export.add(ExportFile("voice.wav", of: voice))
/// for file in try await export.run() { print(file.path, file.peak) }
/// ```
///
/// Latency is compensated: sound that enters at the first frame is at the first frame of every file, so all files are
/// sample-aligned. A file has a temporary name until it is complete. If the export fails or is cancelled, it leaves
/// no file, and files that it was to replace are unchanged. Any thread.
public final class ExportSession: Sendable {
  /// The options of an export.
  public struct Options: Sendable {
    /// The range that is written, counted from the engine's current position; nil, the default, is all until the
    /// longest player or input ends. The sound before the range is rendered, too, so that the range sounds as it does
    /// in the whole. The range must begin before that end, and may reach beyond it, for echoes and silence.
    public var range: Range<MediaTime>?
    /// The time that is rendered after the range, for echoes and reverb; default: 0.
    public var tail = MediaTime.zero
    /// The loudness of the files; nil, the default, leaves the sound as it is. With a target, the sound is rendered
    /// to a temporary file of floats, measured, and brought to the loudness; see ``ExportFile/mix`` for stems.
    /// Silence, and sound of less than 400 ms, have no loudness and are not changed.
    public var loudness: LoudnessTarget?
    /// The tags of the files. Those that a container cannot store are listed in ``ExportFile/Report/lostTags``.
    public var tags = FileTags()
    /// A recorder whose takes run from the first frame of the range; default: none. The program that made the
    /// recorder finishes the takes. Takes stay, also if the export is cancelled.
    public var recorder: Recorder?

    /// Creates options for an export of all that the engine plays, without takes.
    public init() {}
  }

  /// The offline engine that is rendered.
  package let engine: AudioEngine
  let orders = Mutex(ExportRequest())
  private let isCancelled = Atomic(false)

  /// Creates an export of an engine made with
  /// ``AudioEngine/offline(sampleRate:longestBlock:fadesIn:inputs:outputs:effects:)``. While it runs, nothing else
  /// may render the engine.
  ///
  /// - Parameters:
  ///   - engine: the offline engine, with all that it plays attached and scheduled.
  ///   - start: the start of the files, counted from the engine's current position; default: 0.
  ///   - end: the end of the files; default: when the longest player or input ends, or, for a `start` after zero,
  ///     when the longest player that has been scheduled by now ends.
  /// - Throws: ``ExportError/engine(_:)`` for an engine in JACK, ``ExportError/badRange(_:)`` for an end that is not
  ///   after the start or a start before zero, ``ExportError/endless`` for a start without an end if players never
  ///   end.
  public init(
    _ engine: AudioEngine, from start: MediaTime = .zero, until end: MediaTime? = nil
  ) throws(ExportError) {
    guard engine.jackClient == nil else { throw .engine(.offlineOnly("an export")) }
    self.engine = engine
    guard start != .zero || end != nil else { return }
    guard let end = end ?? duration else { throw .endless }
    guard start >= .zero, start < end else { throw .badRange(min(start, end)..<max(start, end)) }
    options.range = start..<end
  }

  /// The options. Changes while the export runs have no effect.
  public var options: Options {
    get { orders.withLock { $0.options } }
    set { orders.withLock { $0.options = newValue } }
  }

  /// Sets a file as the input of an input node, from the first frame that is rendered: a sound file for an audio
  /// input, a Standard MIDI File for a MIDI input. A file of one channel is copied to all channels; a node of one
  /// channel gets the mean of all channels.
  ///
  /// - Parameters:
  ///   - node: the input node.
  ///   - file: a path or a `file:` URL.
  /// - Throws: ``ExportError``.
  public func feed(_ node: AudioNode, from file: some FileLocation) throws(ExportError) {
    let path = try file.exportPath
    try check(node)
    guard !orders.withLock({ orders in orders.playedFiles.contains { $0.node == node } }) else {
      throw .inputSetTwice(node.name)
    }
    if engine.graph.node(node.id)?.outputs.first == .events {
      let score = try ExportScore(path, for: node)
      orders.withLock { $0.scores.append(score) }
    } else {
      let input = try ExportInput(path, for: node)
      orders.withLock { $0.inputs.append(input) }
    }
  }

  /// Adds a file, which is created when the export runs.
  ///
  /// - Throws: ``ExportError/writtenTwice(_:)``, ``ExportError/noSound(_:)``, ``ExportError/file(_:)`` for a URL that
  ///   is not a file of this machine.
  public func add(_ file: ExportFile) throws(ExportError) {
    if let refusal = file.refusal { throw .file(refusal) }
    try check(file.node)
    if let mix = file.mix { try check(mix) }
    guard case .audio? = engine.exportedBus(file.bus, of: file.node)?.format else {
      throw .noSound(file.node.name)
    }
    let isNew = orders.withLock { orders in
      guard !orders.files.contains(where: { isSameLocation($0.path, file.path) }) else { return false }
      orders.files.append(file)
      return true
    }
    guard isNew else { throw .writtenTwice(file.path) }
  }

  /// Protects a file that the export is made from, such as the manifest, from being overwritten.
  package func protect(_ path: String) { orders.withLock { $0.protected.append(path) } }

  private func check(_ node: AudioNode) throws(ExportError) {
    guard node.engine === engine, engine.graph.node(node.id) != nil else {
      throw .engine(.notAttached(node.name))
    }
  }

  /// The time until the longest player, input or picture ends; nil if none has an end.
  public var duration: MediaTime? {
    let players = engine.nodes.compactMap(\.playerLength)
    let rate = engine.sampleRate
    let lengths = orders.withLock { orders in
      orders.playedFiles.map(\.length)
        + orders.files.filter { !$0.video.isEmpty }.map { Int($0.video.duration.frames(at: rate)) }
    }
    return (players + lengths).max().map { MediaTime(frames: Int64($0), at: engine.sampleRate) }
  }

  /// A new stream of the progress from now on, about twenty times a second. It ends with the export.
  public var progress: AsyncStream<ExportSession.Progress> {
    let (stream, continuation) = AsyncStream<ExportSession.Progress>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    orders.withLock { orders in
      if orders.hasEnded { continuation.finish() } else { orders.listeners.append(continuation) }
    }
    return stream
  }

  /// Cancels the export as soon as possible; it leaves no file. Does nothing if the export has not begun or has
  /// ended.
  public func cancel() { isCancelled.store(true, ordering: .releasing) }

  /// Exports, on a thread of its own. Cancelling the task cancels the export.
  ///
  /// - Returns: the exported files, in the order in which they were added.
  /// - Throws: ``ExportError``; then there are no files.
  @discardableResult
  public func run() async throws(ExportError) -> [ExportFile.Report] { try await runOnThread { _ in } }

  /// Exports on a thread of its own, and reports the progress on that thread about twenty times a second.
  func runOnThread(_ onProgress: @escaping @Sendable (ExportSession.Progress) -> Void)
    async throws(ExportError)
    -> [ExportFile.Report]
  {
    let result: Result<[ExportFile.Report], ExportError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        startThread("swiftlet-export") { [self] in
          continuation.resume(
            returning: Result { () throws(ExportError) in
              var next = ContinuousClock.now
              return try run { progress in
                guard ContinuousClock.now >= next || progress.done >= progress.total else { return }
                next = ContinuousClock.now + .milliseconds(50)
                onProgress(progress)
              }
            })
        }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// Exports on the calling thread and waits for the end, for programs without tasks.
  ///
  /// - Parameter onProgress: called before each block; it may call ``cancel()``.
  /// - Returns: the exported files, in the order in which they were added.
  /// - Throws: ``ExportError``; then there are no files.
  @discardableResult
  package func run(_ onProgress: (ExportSession.Progress) -> Void) throws(ExportError) -> [ExportFile.Report]
  {
    let (orders, frames) = try claim()
    defer { end() }
    let clock = ContinuousClock()
    var next = clock.now
    return try withoutActuallyEscaping(onProgress) { onProgress throws(ExportError) in
      let isCancelled = { @Sendable [self] in self.isCancelled.load(ordering: .acquiring) }
      let job = ExportJob(engine, orders, frames: frames, unless: isCancelled) { progress in
        onProgress(progress)
        if clock.now >= next || progress.done >= progress.total {
          next = clock.now + .milliseconds(50)
          for listener in self.orders.withLock({ $0.listeners }) { listener.yield(progress) }
        }
        return !isCancelled()
      }
      return try job.run()
    }
  }

  /// Marks the export as run, which is possible once. If its check throws, the export can be corrected and run again.
  private func claim() throws(ExportError) -> (ExportRequest, frames: Range<Int>) {
    let wanted = orders.withLock { $0 }
    guard !wanted.hasRun else { throw .alreadyRun }
    let frames = try check(wanted)
    let isFirst = orders.withLock { orders in
      defer { orders.hasRun = true }
      return !orders.hasRun
    }
    guard isFirst else { throw .alreadyRun }
    return (wanted, frames)
  }

  private func end() {
    let listeners = orders.withLock { orders in
      defer { orders.listeners = [] }
      orders.hasEnded = true
      return orders.listeners
    }
    for listener in listeners { listener.finish() }
  }

  /// Checks before the run that there is something to write, that its length is known, and that no file is written
  /// that is also played.
  ///
  /// - Throws: ``ExportError``, as ``run(_:)`` does.
  package func check() throws(ExportError) { _ = try check(orders.withLock { $0 }) }

  /// - Returns: the range that is written, in frames from the engine's current position.
  private func check(_ orders: ExportRequest) throws(ExportError) -> Range<Int> {
    guard !orders.files.isEmpty || orders.options.recorder?.taps.isEmpty == false else {
      throw .nothingToWrite
    }
    for file in orders.files {
      let played = orders.playedFiles.first { isSameFile($0.path, file.path) }
      if let node = played?.node.name ?? engine.player(of: file.path) { throw .inUse(file.path, by: node) }
      guard !orders.protected.contains(where: { isSameFile($0, file.path) }) else {
        throw .protected(file.path)
      }
      let clips = orders.files.flatMap(\.video.clips)
      if clips.contains(where: { isSameFile($0.asset.path, file.path) }) {
        throw .inUse(file.path, by: "video")
      }
    }
    let rate = engine.sampleRate, tail = max(orders.options.tail, .zero)
    if let range = orders.options.range, let duration, range.lowerBound >= duration, range.lowerBound > .zero
    {
      throw .pastEnd(range, end: duration)
    }
    if let range = orders.options.range,
      range.lowerBound < .zero || range.upperBound + tail <= range.lowerBound
    {
      throw .badRange(range)
    }
    guard let end = orders.options.range?.upperBound ?? duration else { throw .endless }
    let first = Int((orders.options.range?.lowerBound ?? .zero).frames(at: rate))
    let last = Int(end.frames(at: rate)) + Int(tail.frames(at: rate))
    guard first < last else {
      // The range is shorter than a frame.
      if let range = orders.options.range { throw .badRange(range) }
      // If a sound lasts less than half a frame at the engine's rate, its file is at fault. If a MIDI file has all
      // its notes at its start, a tail is needed.
      let player = engine.nodes.first { $0.playerLength == 0 }
      guard
        let path = orders.inputs.first(where: { $0.length == 0 })?.path ?? player.flatMap(engine.file(of:))
      else { throw .empty }
      let detail = "has a length of 0 frames, so the length to render is unknown: use a longer file"
      throw .file(FileError(.empty, path, detail))
    }
    return first..<last
  }
}
