// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletFiles
public import SwiftletGraph
internal import Synchronization

/// Records any number of buses to files, all from the same instant of their sources.
///
/// ```swift
/// let recorder = Recorder(engine, folder: "takes")
/// try recorder.add("dry", on: microphone, file: "{tap}-{take}.wav")
/// try recorder.add("wet", on: mixer, file: "wet-{take}.flac")
/// try recorder.start()
/// …
/// let reports = recorder.finish()
/// ```
///
/// Takes that start together begin at one instant of their sources. No file is overwritten by default. Any thread.
public final class Recorder: Sendable {
  let engine: AudioEngine
  let writer: TakeRecorder
  private let namer: @Sendable () -> TakeNamer
  private let folder: String
  /// The error if the location of the folder is not in the file system; otherwise nil.
  private let refusal: FileError?
  private let program: String
  let tracks = Mutex<[Track]>([])

  /// Creates a recorder that writes to `folder`, which is made when it is needed.
  ///
  /// - Parameters:
  ///   - engine: the engine that is recorded.
  ///   - folder: a path or a `file:` URL; default: the working directory. For any other URL,
  ///     ``add(_:on:bus:side:file:options:)`` throws.
  ///   - name: the value of `{name}` in file names, and the name of the program in the files' metadata; default:
  ///     `swiftlet`.
  public convenience init(
    _ engine: AudioEngine, folder: some FileLocation = ".", name: String = "swiftlet"
  ) {
    let (path, refusal) = folder.resolved
    self.init(engine, folder: path, refusal: refusal, name: name, onReport: { _ in })
  }

  /// As the public initializer. `onReport` receives the report of each take that has ended, before all observers of
  /// the engine.
  init(
    _ engine: AudioEngine, folder: String, refusal: FileError? = nil, name: String,
    onReport: @escaping @Sendable (TakeReport) -> Void
  ) {
    self.engine = engine
    program = name
    (self.folder, self.refusal) = (folder, refusal)
    namer = { TakeNamer(folder: folder == "." ? "" : folder, session: name, date: Date()) }
    writer = TakeRecorder(sampleRate: Int(engine.sampleRate.rounded())) {
      [broadcaster = engine.broadcaster] report in
      onReport(report)
      broadcaster.send(.takeEnded(report))
    }
    engine.writers.add(writer)
  }

  /// Prepares a bus for recording, and meters it.
  ///
  /// - Parameters:
  ///   - tap: the value of `{tap}`; unique in the recorder.
  ///   - node: the node.
  ///   - bus: its output bus, or with `side: .before` its input bus; default: 0.
  ///   - side: `.after` the node, which is the default, or `.before` it.
  ///   - file: the file: a path, relative to the recorder's folder, or a `file:` URL. Its extension determines the
  ///     container. Tokens, in a URL too: `{tap} {take} {name} {date} {time}`.
  ///   - options: the storage and start of takes; default: the default options.
  /// - Returns: the bus's meter.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/duplicateTap(_:)``, ``EngineError/file(_:)`` for an
  ///   impossible format, and if the file or the recorder's folder is a URL that is not a file on this machine.
  @discardableResult
  public func add(
    _ tap: String, on node: AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after, file: some FileLocation,
    options: Options = Options()
  ) throws(EngineError) -> Meter {
    try add(tap, at: .node(node, bus: bus, side: side), file: try file.enginePath, options: options)
  }

  /// Prepares a point for recording, such as a mixer's strip, and meters it. See
  /// ``add(_:on:bus:side:file:options:)``.
  ///
  /// - Parameter isConfined: whether the file must stay in the recorder's folder: for names that the user did not
  ///   choose.
  @discardableResult
  package func add(
    _ tap: String, at point: TapPoint, file: String, options: Options = Options(), isConfined: Bool = false
  ) throws(EngineError) -> Meter {
    do throws(FileError) {
      if let refusal { throw refusal }
      _ = try options.format(of: file)
    } catch {
      throw .file(error)
    }
    guard !tracks.withLock({ $0.contains { $0.tap == tap } }) else { throw .duplicateTap(tap) }
    if let output = options.output { try engine.use([output]) }
    // A buffer of 4.5 s bridges a disk that stalls.
    let (id, sink) = try engine.addTap(point, capacity: Int(engine.sampleRate * 4.5))
    let meter = Meter(id, sink, engine)
    let isFree = tracks.withLock { tracks in
      guard !tracks.contains(where: { $0.tap == tap }) else { return false }
      tracks.append(
        Track(tap: tap, meter: meter, file: file, options: options, isConfined: isConfined))
      return true
    }
    guard isFree else {
      // Another thread has added the tap meanwhile.
      meter.remove()
      throw .duplicateTap(tap)
    }
    return meter
  }

  /// Makes the taps that ``start(_:)`` would record copy their sound into memory without writing it, to measure the
  /// cost of takes for the audio thread.
  package func simulateTakes() {
    for track in tracks.withLock({ $0 }) where !track.options.isArmed { track.meter.sink.record() }
  }

  /// Starts takes: of the named taps, or of all that are not armed. Takes that are running already continue. If a
  /// take was just stopped, the call waits until it has ended.
  ///
  /// - Parameter taps: the names of the taps; default: all that are not armed.
  /// - Returns: the paths of the takes, by tap.
  /// - Throws: ``EngineError/unknownTap(_:known:)``, ``EngineError/file(_:)``, ``EngineError/recording(_:)`` if an
  ///   earlier take of the tap was stopped and has not ended. If it throws, no take is started.
  @discardableResult
  public func start(_ taps: Set<String>? = nil) throws(EngineError) -> [String: String] {
    try start(taps, at: nil).paths
  }

  /// As the public function, but at a time that has not passed. Also returns the instant of frame 0 of the takes.
  func start(
    _ taps: Set<String>?, at time: AudioTime?
  ) throws(EngineError) -> (paths: [String: String], instant: Int64) {
    let known = tracks.withLock { $0.map(\.tap) }
    if let unknown = taps?.subtracting(known).min() { throw .unknownTap(unknown, known: known) }
    try engine.settle()
    awaitEnds(of: taps)
    return try tracks.withLock { tracks throws(EngineError) in
      let running = writer.status
      let chosen = tracks.indices.filter { index in
        let track = tracks[index]
        return !isRecording(track, in: running) && (taps?.contains(track.tap) ?? !track.options.isArmed)
      }
      guard !chosen.isEmpty else { return ([:], 0) }
      // A tap records one take at a time.
      if let late = running.first(where: { take in chosen.contains { tracks[$0].tap == take.tap } }) {
        throw .recording(late.path)
      }
      do throws(FileError) {
        let names = try namer().names(
          for: chosen.map {
            .init(
              tap: tracks[$0].tap, pattern: tracks[$0].file, overwrites: tracks[$0].options.overwrites,
              isConfined: tracks[$0].isConfined)
          })
        for path in names.paths {
          guard let use = engine.use(of: path) else { continue }
          throw FileError(.exists, path, "\(use): record to another file")
        }
        var requests: [TakeRecorder.Request] = []
        for (index, path) in zip(chosen, names.paths) {
          tracks[index].lateness = Int64(
            engine.lateness(of: tracks[index].meter.id, tracks[index].options.output))
          let track = tracks[index]
          requests.append(
            TakeRecorder.Request(
              tap: track.tap, sink: track.meter.sink, path: path,
              format: try track.options.format(of: path),
              startFrame: track.lateness,
              origin: TakeOrigin(program, date: Date()),
              overwrites: track.options.overwrites, root: track.isConfined ? folder : nil))
        }
        var instant: Int64 = 0
        try writer.start(requests) { [engine] in
          instant = engine.nextInstant(from: time)
          return instant
        }
        for (index, path) in zip(chosen, names.paths) {
          (tracks[index].path, tracks[index].end) = (path, nil)
        }
        return (
          Dictionary(zip(chosen.map { tracks[$0].tap }, names.paths)) { first, _ in first }, instant
        )
      } catch {
        throw .file(error)
      }
    }
  }

  /// Ends takes, of the named taps or of all, at one instant of their sources. Returns at once; each take is reported
  /// as ``EngineEvent/takeEnded(_:)`` when its file is finished.
  ///
  /// - Parameters:
  ///   - taps: their names; default: all.
  ///   - time: the instant; default, and for one that has passed: as soon as possible.
  public func stop(_ taps: Set<String>? = nil, at time: AudioTime? = nil) {
    let instant = engine.nextInstant(from: time)
    tracks.withLock { tracks in
      for index in tracks.indices
      where tracks[index].path != nil && (taps?.contains(tracks[index].tap) ?? true) {
        let track = tracks[index]
        writer.stop(taps: [track.tap], at: min(instant, track.end ?? .max) + track.lateness)
        (tracks[index].path, tracks[index].end) = (nil, nil)
      }
    }
  }

  /// Ends the running takes of some taps at a future instant.
  func end(_ taps: Set<String>, before instant: Int64) {
    let instant = TapSink.possible(instant)
    tracks.withLock { tracks in
      for index in tracks.indices where tracks[index].path != nil && taps.contains(tracks[index].tap) {
        tracks[index].end = instant
        writer.stop(taps: [tracks[index].tap], at: instant + tracks[index].lateness)
      }
    }
  }

  /// Pauses the named takes, or all, until they are resumed: the sound in between is left out. All pause at one
  /// instant.
  ///
  /// - Parameter taps: the names of the taps; default: all.
  /// - Returns: that instant, as a frame of the engine.
  @discardableResult
  public func pause(_ taps: Set<String>? = nil) -> Int64 { pause(true, taps) }

  /// Resumes the named takes that are paused, or all, at one instant. Their sound continues right after the last
  /// frame before the pause.
  ///
  /// - Parameter taps: the names of the taps; default: all.
  /// - Returns: that instant, as a frame of the engine.
  @discardableResult
  public func resume(_ taps: Set<String>? = nil) -> Int64 { pause(false, taps) }

  private func pause(_ isPaused: Bool, _ taps: Set<String>?) -> Int64 {
    let instant = engine.nextInstant
    for track in tracks.withLock({ $0 }) where taps?.contains(track.tap) ?? true {
      writer.pause(isPaused, taps: [track.tap], at: instant + track.lateness)
    }
    return instant
  }

  /// Ends all takes and waits until their files are finished.
  ///
  /// Takes end at one instant if the engine continues to render meanwhile, otherwise where the sound ended.
  /// - Returns: the report of each take since the last call, in the order in which the takes began.
  public func finish() -> [TakeReport] {
    stop()
    return writer.finish(within: engine.isRunning && engine.jackClient != nil ? .seconds(2) : .zero)
  }

  /// Returns whether a tap is recorded now.
  public func isRecording(_ tap: String) -> Bool {
    tracks.withLock { tracks in
      let running = writer.status
      return tracks.contains { $0.tap == tap && isRecording($0, in: running) }
    }
  }

  /// The names of the taps that can be recorded, in the order in which they were added.
  public var taps: [String] { tracks.withLock { $0.map(\.tap) } }

  /// Returns whether a track's take is running. It may have ended by itself, for example because the disk is full.
  private func isRecording(_ track: Track, in running: [TakeStatus]) -> Bool {
    track.path.map { path in running.contains { $0.path == path } } ?? false
  }

  /// The status of the running takes.
  public var status: [TakeStatus] { writer.status }

  /// The time until the disk is full, at the data rate of the running takes; nil while nothing is recorded.
  public var remainingTime: Duration? { writer.remainingTime }
}
