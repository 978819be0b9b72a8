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
/// Frame 0 of every take that is started together is one instant, whatever effects lie before the taps.
/// Nothing that is there is overwritten unless asked for. Any thread.
public final class Recorder: Sendable {
  /// A bus that can be recorded.
  struct Track {
    let tap: String
    let meter: Meter
    let file: String
    let format: String?
    let rate: Int?
    let quality: CodingQuality?
    let overwrites: Bool
    /// Whether `start()` leaves it until it is named.
    let isArmed: Bool
    var isRecording = false
  }

  private let engine: AudioEngine
  private let writer: TakeRecorder
  private let namer: @Sendable () -> TakeNamer
  private let program: String
  private let tracks = Mutex<[Track]>([])

  /// A recorder that writes to `folder`, which is made when needed.
  ///
  /// - Parameter name: what `{name}` stands for in file names, and what files say made them.
  public init(_ engine: AudioEngine, folder: String = ".", name: String = "swiftlet") {
    self.engine = engine
    program = name
    namer = { TakeNamer(folder: folder == "." ? "" : folder, session: name, date: Date()) }
    writer = TakeRecorder(sampleRate: Int(engine.sampleRate.rounded())) { [hub = engine.hub] report in
      hub.send(.takeEnded(report))
    }
  }

  /// Makes a bus ready to be recorded, and watches its level.
  ///
  /// - Parameters:
  ///   - tap: what `{tap}` stands for; unique in the recorder.
  ///   - file: the file's name; its extension says the container. Tokens:
  ///     `{tap} {take} {name} {date} {time}`.
  ///   - format: one of ``RecordingFormat/names``, such as `24-bit` or `aac`; nil is the best that the container
  ///     takes.
  ///   - rate: frames a second in the file, 8000 to 192000; nil for those of the engine.
  ///   - quality: how much a lossy codec may leave out; nil for what few ears can tell from the original.
  ///   - isArmed: whether it waits to be started by name.
  /// - Returns: the bus's meter.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/file(_:)`` for a format that cannot be.
  @discardableResult
  public func add(
    _ tap: String, on node: AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after, file: String,
    format: String? = nil, rate: Int? = nil, quality: CodingQuality? = nil, overwrites: Bool = false,
    isArmed: Bool = false
  ) throws(EngineError) -> Meter {
    do throws(FileError) {
      _ = try RecordingFormat(path: file, named: format, rate: rate, quality: quality)
    } catch {
      throw .file(error)
    }
    // Four seconds and more outlast a disk that stalls.
    let (id, sink) = try engine.addTap(on: node, bus: bus, side: side, capacity: Int(engine.sampleRate * 4.5))
    let meter = Meter(id, sink, engine)
    tracks.withLock {
      $0.append(
        Track(
          tap: tap, meter: meter, file: file, format: format, rate: rate, quality: quality,
          overwrites: overwrites, isArmed: isArmed))
    }
    return meter
  }

  /// Starts takes: of the named taps, or of all that are not armed. Those that are recorded already go on.
  ///
  /// - Returns: the paths of the takes, by tap.
  /// - Throws: ``EngineError/file(_:)``; then no take is started.
  @discardableResult
  public func start(_ taps: Set<String>? = nil) throws(EngineError) -> [String: String] {
    try engine.settle()
    return try tracks.withLock { tracks throws(EngineError) in
      let chosen = tracks.indices.filter { index in
        let track = tracks[index]
        return !track.isRecording && (taps?.contains(track.tap) ?? !track.isArmed)
      }
      guard !chosen.isEmpty else { return [:] }
      do throws(FileError) {
        let names = try namer().names(
          for: chosen.map {
            .init(tap: tracks[$0].tap, pattern: tracks[$0].file, overwrites: tracks[$0].overwrites)
          })
        var requests: [TakeRecorder.Request] = []
        for (index, path) in zip(chosen, names.paths) {
          let track = tracks[index]
          requests.append(
            TakeRecorder.Request(
              tap: track.tap, sink: track.meter.sink, path: path,
              format: try RecordingFormat(
                path: path, named: track.format, rate: track.rate, quality: track.quality),
              startFrame: Int64(engine.latency(of: track.meter.id)),
              origin: TakeOrigin(program, date: Date()),
              overwrites: track.overwrites))
        }
        try writer.start(requests) { [engine] in engine.nextInstant }
        for index in chosen { tracks[index].isRecording = true }
        return Dictionary(zip(chosen.map { tracks[$0].tap }, names.paths)) { first, _ in first }
      } catch {
        throw .file(error)
      }
    }
  }

  /// Ends takes: of the named taps, or of all. All that end together end at one instant of their sources.
  ///
  /// Returns at once; each take is told as ``EngineEvent/takeEnded(_:)`` when its file is finished.
  public func stop(_ taps: Set<String>? = nil) {
    let instant = engine.nextInstant
    tracks.withLock { tracks in
      for index in tracks.indices
      where tracks[index].isRecording && (taps?.contains(tracks[index].tap) ?? true) {
        let track = tracks[index]
        writer.stop(taps: [track.tap], at: instant + Int64(engine.latency(of: track.meter.id)))
        tracks[index].isRecording = false
      }
    }
  }

  /// Ends all takes and waits until their files are whole.
  ///
  /// The engine must render on meanwhile for takes to end at one instant; where it
  /// does not, they end where sound did.
  /// - Returns: what became of each take since the last call.
  public func finish() -> [TakeReport] {
    stop()
    return writer.finish(within: engine.isRunning && engine.studio != nil ? 2 : 0)
  }

  /// The taps that can be recorded, with their meters and whether they are recorded now.
  public var taps: [(name: String, meter: Meter, isRecording: Bool)] {
    tracks.withLock { tracks in
      tracks.map { (name: $0.tap, meter: $0.meter, isRecording: $0.isRecording) }
    }
  }

  /// How the running takes stand.
  public var status: [TakeStatus] { writer.status }

  /// How many seconds the disk will last at the rate of the running takes; nil while nothing is recorded.
  public var remainingSeconds: Double? { writer.remainingSeconds }
}

extension AudioEngine {
  /// The next instant of the source at which something can begin everywhere: now, with nothing running; else
  /// a moment ahead of the audio thread.
  var nextInstant: Int64 {
    let position = renderer.position.load(ordering: .acquiring)
    guard let studio, core.withLock({ $0.isActive }) else { return position }
    return position + Int64(3 * studio.blockLength) + Int64(sampleRate * 0.005)
  }

  /// Sees that all taps are in a plan, so that their latencies are known.
  func settle() throws(EngineError) {
    try core.withLock { core throws(EngineError) in
      if !core.isRunning { try core.apply() }
    }
  }

  func latency(of tap: TapID) -> Int { core.withLock { $0.host.latency(of: tap) } }
}
