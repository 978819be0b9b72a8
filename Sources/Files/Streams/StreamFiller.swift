// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletGraph
package import SwiftletStretch
internal import SwiftletThreads
package import SwiftletTimeline
internal import Synchronization

/// Plays any number of files: one thread that reads from disk ahead of the audio thread.
///
/// A source that nobody holds any longer is forgotten, and its file closed. The filler's thread ends with it.
package final class StreamFiller: Sendable {
  private let shelf = Shelf()
  private let longestBlock: Int

  private let watch = PrefetchWatch()

  /// Makes a filler and starts its thread. Control thread.
  ///
  /// - Parameters:
  ///   - longestBlock: how many frames are played at once at most where nobody listens.
  ///   - isLive: whether somebody listens. Then its thread goes before those of other programs, as far as the user may:
  ///     a stretched file is read only a fifth of a second ahead.
  package init(longestBlock: Int = 8192, isLive: Bool = false) {
    self.longestBlock = longestBlock
    // The thread keeps the shelf, not the filler: so the filler can go, and the thread after it.
    let shelf = self.shelf
    let watch = self.watch
    startThread("swiftlet-filler", priority: isLive ? .prefetch : .usual) {
      var clock = ThreadClock()
      while !shelf.isClosed {
        watch.begin(clock)
        var pace = FillingPace()
        shelf.fillAll { pace.rest() }
        watch.note(clock.lap(withSleep: Self.pause + pace.rested), underruns: shelf.takeUnderruns())
        Waiting.sleep(.seconds(Self.pause))
      }
    }
  }

  /// How long the thread sleeps between two passes, in seconds.
  private static let pause = 0.01

  /// Why sources ran dry, where they did: what kept most of those times from being read ahead.
  package var underrunCause: UnderrunCause? {
    watch.mainCause ?? (shelf.hasRunDry ? watch.unfinishedCause : nil)
  }

  deinit { shelf.close() }

  /// A source that plays a file, with its first second ready in memory. Control thread; reads from disk.
  ///
  /// - Parameters:
  ///   - path: any file that ``AudioFile`` reads. It is brought to `sampleRate`.
  ///   - sampleRate: frames a second of the engine.
  ///   - loops: how often the file plays.
  ///   - quality: how carefully the rate is changed: `best` for work offline, where the file is not read far
  ///     ahead.
  ///   - stretch: how fast and how high it plays.
  ///   - engine: what changes its speed and pitch: one that is built, and works at the rate.
  /// - Throws: ``FileError``.
  package func makeSource(
    path: String, sampleRate: Int, loops: Loops = .once, quality: ResamplingQuality = .medium,
    stretch: Stretch = Stretch(), engine: StretchEngine = .fast
  ) throws(FileError) -> StreamSource {
    let reader = try ConvertingReader(path, sampleRate: sampleRate, loops: loops, quality: quality)
    guard reader.info.frameCount > 0 else { throw .empty(path) }
    return try makeSource(reader, isOffline: quality == .best, stretch.withinRanges, engine)
  }

  /// A source that plays a track of a composition, with its first second ready in memory. Control thread;
  /// reads from disk.
  ///
  /// - Parameters:
  ///   - track: what is played; an asset's path is a file's.
  ///   - mix: how loud it is and where it stands, over time.
  ///   - sampleRate: frames a second of the engine. What has another rate is brought there as well as can be,
  ///     also where somebody listens: a composition sounds the same live and in files.
  ///   - isOffline: whether it is not read far ahead.
  /// - Throws: ``FileError`` that names the file: each is opened once.
  package func makeSource(
    track: Track, mix: TrackMix, sampleRate: Int, isOffline: Bool = false
  ) throws(FileError) -> StreamSource {
    var files: [String: AudioFileInfo] = [:]
    let reader = try TrackReader(track, mix: mix, sampleRate: sampleRate, quality: .best, knowing: &files)
    return try makeSource(reader, isOffline: isOffline, Stretch(), .fast)
  }

  /// A source of a file or a track, which is read from its beginning.
  private func makeSource(
    _ sound: sending any SoundReader, isOffline: Bool, _ stretch: Stretch, _ engine: StretchEngine
  ) throws(FileError) -> StreamSource {
    let sampleRate = sound.sampleRate
    let reader = try StretchingReader(sound, stretch, engine: engine, isBest: isOffline)
    // Where it is never read far ahead, memory that is not gone through stays in the cache.
    let most = isOffline ? max(StreamSource.lead(at: Double(sampleRate)), longestBlock) : 2 * sampleRate
    return try makeSource(
      reader, capacity: most, isOffline: isOffline,
      atLeast: isOffline || stretch != Stretch() ? nil : sampleRate)
  }

  /// Makes a source of a reader, fills it for the first time, and keeps it filled from then on.
  ///
  /// - Parameters:
  ///   - capacity: how many frames it has room for.
  ///   - records: how many changes of speed and pitch wait at most.
  ///   - frames: how many frames are ready at first; nil, the default, is ``StreamSource/lead``.
  ///   - prepare: is given the source before anything is read into it.
  /// - Throws: ``FileError`` that names the file, if it cannot be read, or if there is no memory for so many frames.
  func makeSource(
    _ reader: sending StretchingReader, capacity: Int, isOffline: Bool, records: Int = 1024,
    atLeast frames: Int? = nil, _ prepare: (StreamSource) -> Void = { _ in }
  ) throws(FileError) -> StreamSource {
    let sound = reader.reader, bytes = capacity * sound.channelCount * MemoryLayout<Float>.size
    guard MemoryBudget.grants(bytes) else {
      throw FileError(
        .unsupported, sound.path,
        "needs \(bytes >> 20) MiB of memory to be read ahead, which is more than there is")
    }
    let source = StreamSource(
      channelCount: sound.channelCount, sampleRate: Double(sound.sampleRate), length: reader.length,
      capacity: capacity, speed: reader.stretch.speed, varispeed: reader.stretch.varispeed, records: records)
    if sound.position > 0 { source.begin(at: sound.position) }
    prepare(source)
    let stream = FilledStream(source, reader, isOffline: isOffline)
    stream.fill(atLeast: frames ?? source.lead)
    if let failure = stream.failure { throw failure }
    shelf.add(stream)
    return source
  }

  /// Has `body` called before sources are filled, each time: for who makes sources when their turn is near. It
  /// goes on until it returns false. It may make sources; it must not fill them.
  package func add(chore body: @escaping @Sendable () -> Bool) { shelf.add(body) }

  /// Sees that each source has at least so many frames ready, or all to its end. Offline rendering calls this
  /// before each block, and so never runs dry. Blocks on the disk.
  package func fill(atLeast frames: Int) { shelf.fillAll(atLeast: frames) }

  func stream(of source: StreamSource) -> FilledStream? { shelf.stream(of: source) }

  /// What ended a source before its time: a file that turned out to be cut short, a disk that went away.
  package func failure(of source: StreamSource) -> FileError? { shelf.failure(of: source) }

  /// What ended sources before their time since the last question.
  package func takeFailures() -> [ObjectIdentifier: FileError] { shelf.takeFailures() }
}

/// The streams that a filler looks after, shared with its thread.
private final class Shelf: Sendable {
  private let streams = Mutex<[FilledStream]>([])
  private let failures = Mutex<[ObjectIdentifier: FileError]>([:])
  private let chores = Mutex<[Int: @Sendable () -> Bool]>([:])
  private let choreCount = Atomic(0)
  private let closed = Atomic(false)

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Whether a source has ever run dry.
  var hasRunDry: Bool { streams.withLock { $0 }.contains { $0.source?.underruns.count ?? 0 > 0 } }

  /// How often sources ran dry since the last call.
  func takeUnderruns() -> Int { streams.withLock { $0 }.reduce(0) { $0 + $1.takeUnderruns() } }

  func close() { closed.store(true, ordering: .releasing) }

  func add(_ stream: FilledStream) { streams.withLock { $0.append(stream) } }

  func add(_ chore: @escaping @Sendable () -> Bool) {
    let number = choreCount.add(1, ordering: .relaxed).newValue
    chores.withLock { $0[number] = chore }
  }

  private func doChores() {
    // Outside the lock, since a chore may open a file; and by every thread that fills: who fills before a block
    // offline counts on it.
    let over = chores.withLock { $0 }.filter { !$0.value() }.map(\.key)
    if !over.isEmpty { chores.withLock { chores in for key in over { chores[key] = nil } } }
  }

  /// Fills what is less than three quarters full; or what has less than `frames`, on all cores, for somebody who waits.
  ///
  /// - Parameter rest: is called behind each one that is topped up.
  func fillAll(atLeast frames: Int? = nil, rest: () -> Void = {}) {
    doChores()
    let current = streams.withLock { streams in
      // Whoever is waited for leaves that to the thread.
      if frames == nil { streams.removeAll { $0.isAbandoned } }
      return streams
    }
    // Where somebody waits for them, none but those that need something are touched.
    let due = frames.map { frames in current.filter { $0.needs(frames) } } ?? current
    if frames != nil, due.count > 1 {
      // None knows of the others: in what order they are filled makes no difference.
      DispatchQueue.concurrentPerform(iterations: due.count) { due[$0].fill(atLeast: frames) }
    } else {
      for stream in due {
        stream.fill(atLeast: frames)
        rest()
      }
    }
    for stream in due {
      guard let failure = stream.takeFailure(), let source = stream.source else { continue }
      failures.withLock { $0[ObjectIdentifier(source)] = failure }
    }
  }

  func takeFailures() -> [ObjectIdentifier: FileError] {
    failures.withLock { failures in
      defer { failures = [:] }
      return failures
    }
  }

  func failure(of source: StreamSource) -> FileError? { stream(of: source)?.failure }

  func stream(of source: StreamSource) -> FilledStream? {
    streams.withLock { $0.first { $0.source === source } }
  }
}
