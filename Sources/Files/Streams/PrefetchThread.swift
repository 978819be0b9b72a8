// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletPlayback
package import SwiftletStretch
internal import SwiftletThreads
package import SwiftletTimeline
internal import Synchronization

/// Plays any number of files. One prefetch thread reads from disk ahead of the audio thread.
///
/// A source that the audio graph has released is dropped, and its file is closed. The thread ends with the
/// `PrefetchThread`.
package final class PrefetchThread: Sendable {
  private let streams = StreamList()
  private let longestBlock: Int

  private let watch = PrefetchWatch()

  /// Starts the prefetch thread. Control thread.
  ///
  /// - Parameters:
  ///   - longestBlock: the maximum block length of offline rendering, in frames; the default is 8192.
  ///   - isLive: whether sound is played in real time; the default is false. The thread then has priority over other
  ///     programs' threads, if the user may set it: stretched files are read ahead by only a fifth of a second.
  package init(longestBlock: Int = 8192, isLive: Bool = false) {
    self.longestBlock = longestBlock
    // The thread retains the streams instead of this object, so that the object can be released and the thread ends.
    let streams = self.streams
    let watch = self.watch
    startThread("swiftlet-reader", priority: isLive ? .prefetch : .usual) {
      var clock = ThreadClock()
      while !streams.isClosed {
        watch.begin(clock)
        var pace = PrefetchPace()
        streams.fillAll { pace.rest() }
        watch.note(clock.lap(withSleep: Self.pause + pace.rested), underruns: streams.takeUnderruns())
        Waiting.sleep(.seconds(Self.pause))
      }
    }
  }

  /// The pause between two passes of the thread, in seconds.
  private static let pause = 0.01

  /// The cause of most underruns; nil if there was none or no cause could be determined.
  package var underrunCause: UnderrunCause? {
    watch.mainCause ?? (streams.hasRunDry ? watch.unfinishedCause : nil)
  }

  deinit { streams.close() }

  /// Makes a source that plays a file, with its first second ready in memory. Control thread; reads from disk.
  ///
  /// - Parameters:
  ///   - path: any file that ``AudioFile`` reads. It is resampled to `sampleRate`.
  ///   - sampleRate: the engine's rate, in frames per second.
  ///   - loops: how often the file plays; the default is once.
  ///   - quality: the quality of resampling; the default is `medium`. With `best`, for offline rendering, the file is
  ///     not read far ahead.
  ///   - stretch: speed and pitch.
  ///   - engine: the stretch algorithm, which must be built in and support the rate.
  /// - Throws: ``FileError`` if the file cannot be read or is empty.
  package func makeSource(
    path: String, sampleRate: Int, loops: Loops = .once, quality: ResamplingQuality = .medium,
    stretch: Stretch = Stretch(), engine: StretchAlgorithm = .fast
  ) throws(FileError) -> StreamSource {
    let reader = try ConvertingReader(path, sampleRate: sampleRate, loops: loops, quality: quality)
    guard reader.info.frameCount > 0 else { throw .empty(path) }
    return try makeSource(reader, isOffline: quality == .best, stretch.withinRanges, engine)
  }

  /// Makes a source that plays a track of a composition, with its first second ready in memory. Control thread; reads
  /// from disk.
  ///
  /// - Parameters:
  ///   - track: the track. The path of an asset is that of a file.
  ///   - mix: the volume and the pan over time.
  ///   - sampleRate: the engine's rate, in frames per second. Files of another rate are resampled at the best quality,
  ///     live too: a composition sounds the same live and in files.
  ///   - isOffline: whether the source is not read far ahead; the default is false.
  /// - Throws: ``FileError`` that names the file: each is opened once.
  package func makeSource(
    track: Track, mix: TrackMix, sampleRate: Int, isOffline: Bool = false
  ) throws(FileError) -> StreamSource {
    var files: [String: AudioFileInfo] = [:]
    let reader = try TrackReader(track, mix: mix, sampleRate: sampleRate, quality: .best, knowing: &files)
    return try makeSource(reader, isOffline: isOffline, Stretch(), .fast)
  }

  /// Makes a source of a file or a track, read from its beginning.
  private func makeSource(
    _ sound: sending any SoundReader, isOffline: Bool, _ stretch: Stretch, _ engine: StretchAlgorithm
  ) throws(FileError) -> StreamSource {
    let sampleRate = sound.sampleRate
    let reader = try StretchingReader(sound, stretch, engine: engine, isBest: isOffline)
    // If the source is never read far ahead, a small ring stays in the processor's cache.
    let most =
      isOffline ? max(StreamSource.changeDelay(at: Double(sampleRate)), longestBlock) : 2 * sampleRate
    return try makeSource(
      reader, capacity: most, isOffline: isOffline,
      atLeast: isOffline || stretch != Stretch() ? nil : sampleRate)
  }

  /// Makes a source of a reader, fills it for the first time, and keeps it filled from then on.
  ///
  /// - Parameters:
  ///   - capacity: the capacity of the ring in frames.
  ///   - records: the maximum number of queued changes of speed and pitch; the default is 1024.
  ///   - frames: the number of frames that are ready at first; nil, the default, is ``StreamSource/changeDelay``.
  ///   - prepare: receives the source before anything is read into it.
  /// - Throws: ``FileError`` that names the file, if it cannot be read, or if there is not enough memory for the ring.
  func makeSource(
    _ reader: sending StretchingReader, capacity: Int, isOffline: Bool, records: Int = 1024,
    atLeast frames: Int? = nil, _ prepare: (StreamSource) -> Void = { _ in }
  ) throws(FileError) -> StreamSource {
    let sound = reader.reader, bytes = capacity * sound.channelCount * MemoryLayout<Float>.size
    guard MemoryBudget.grants(bytes) else {
      throw FileError(
        .unsupported, sound.path,
        "needs \(bytes >> 20) MiB of memory to be read ahead, which is more than is available")
    }
    let source = StreamSource(
      channelCount: sound.channelCount, sampleRate: Double(sound.sampleRate), length: reader.length,
      capacity: capacity, speed: reader.stretch.speed, varispeed: reader.stretch.varispeed, records: records)
    if sound.position > 0 { source.begin(at: sound.position) }
    prepare(source)
    let stream = PrefetchedStream(source, reader, isOffline: isOffline)
    stream.fill(atLeast: frames ?? source.changeDelay)
    if let failure = stream.failure { throw failure }
    streams.add(stream)
    return source
  }

  /// Adds a closure that is called before each pass over the sources, until it returns false. Schedules use it to make
  /// sources shortly before they play. The closure may make sources; it must not fill them.
  package func add(work body: @escaping @Sendable () -> Bool) { streams.add(body) }

  /// Fills each source to at least `frames` frames, or to its end. Offline rendering calls this before each block, so
  /// sources never run dry. Blocks on the disk.
  package func fill(atLeast frames: Int) { streams.fillAll(atLeast: frames) }

  func stream(of source: StreamSource) -> PrefetchedStream? { streams.stream(of: source) }

  /// Returns the error that ended a source early, such as a file that is cut short or a disk that was removed.
  package func failure(of source: StreamSource) -> FileError? { streams.failure(of: source) }

  /// Returns the errors that ended sources early since the last call.
  package func takeFailures() -> [ObjectIdentifier: FileError] { streams.takeFailures() }
}

/// The streams to fill, shared with the prefetch thread.
private final class StreamList: Sendable {
  private let streams = Mutex<[PrefetchedStream]>([])
  private let failures = Mutex<[ObjectIdentifier: FileError]>([:])
  private let regularWork = Mutex<[Int: @Sendable () -> Bool]>([:])
  private let workCount = Atomic(0)
  private let closed = Atomic(false)

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Whether any source has run dry.
  var hasRunDry: Bool { streams.withLock { $0 }.contains { $0.source?.underruns.count ?? 0 > 0 } }

  /// Returns the number of underruns since the last call.
  func takeUnderruns() -> Int { streams.withLock { $0 }.reduce(0) { $0 + $1.takeUnderruns() } }

  func close() { closed.store(true, ordering: .releasing) }

  func add(_ stream: PrefetchedStream) { streams.withLock { $0.append(stream) } }

  func add(_ work: @escaping @Sendable () -> Bool) {
    let number = workCount.add(1, ordering: .relaxed).newValue
    regularWork.withLock { $0[number] = work }
  }

  private func runRegularWork() {
    // Work runs outside the lock, since it may open a file. Every thread that fills runs it: offline rendering
    // relies on it before each block.
    let over = regularWork.withLock { $0 }.filter { !$0.value() }.map(\.key)
    if !over.isEmpty { regularWork.withLock { regularWork in for key in over { regularWork[key] = nil } } }
  }

  /// Fills sources that are less than three quarters full. If `frames` is set, instead fills sources with fewer than
  /// `frames` frames, on all cores, for a waiting caller.
  ///
  /// - Parameter rest: called after each source in a pass on one thread.
  func fillAll(atLeast frames: Int? = nil, rest: () -> Void = {}) {
    runRegularWork()
    let current = streams.withLock { streams in
      // Only the prefetch thread removes abandoned streams; a waiting caller does not spend time on that.
      if frames == nil { streams.removeAll { $0.isAbandoned } }
      return streams
    }
    // For a waiting caller, only sources that need work are touched.
    let due = frames.map { frames in current.filter { $0.needs(frames) } } ?? current
    if frames != nil, due.count > 1 {
      // Sources are independent, so the order of filling makes no difference.
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

  func stream(of source: StreamSource) -> PrefetchedStream? {
    streams.withLock { $0.first { $0.source === source } }
  }
}
