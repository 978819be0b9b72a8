// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletGraph
public import SwiftletStretch
internal import Synchronization

/// Plays any number of files: one thread that reads from disk ahead of the audio thread.
///
/// A source that nobody holds any longer is forgotten, and its file closed. The filler's thread ends with it.
public final class StreamFiller: Sendable {
  private let shelf = Shelf()

  /// Makes a filler and starts its thread. Control thread.
  public init() {
    // The thread keeps the shelf, not the filler: so the filler can go, and the thread after it.
    let shelf = self.shelf
    let thread = Thread {
      while !shelf.isClosed {
        shelf.fillAll()
        usleep(10_000)
      }
    }
    thread.name = "swiftlet-filler"
    thread.start()
  }

  deinit { shelf.close() }

  /// A source that plays a file, with its first second ready in memory. Control thread; reads from disk.
  ///
  /// - Parameters:
  ///   - path: any file that ``AudioFileReader`` reads. It is brought to `sampleRate`.
  ///   - sampleRate: frames a second of the engine.
  ///   - loops: how often the file plays.
  ///   - quality: how carefully the rate is changed: `best` for work offline, where the file is not read far
  ///     ahead.
  ///   - stretch: how fast and how high it plays.
  ///   - engine: what changes its speed and pitch: one that is built, and works at the rate.
  /// - Throws: ``FileError``.
  public func makeSource(
    path: String, sampleRate: Int, loops: Loops = .once, quality: ResamplingQuality = .medium,
    stretch: Stretch = Stretch(), engine: StretchEngine = .fast
  ) throws(FileError) -> StreamSource {
    let stretch = stretch.withinRanges
    let reader = try StretchingReader(
      ConvertingReader(path, sampleRate: sampleRate, loops: loops, quality: quality), stretch,
      engine: engine, isBest: quality == .best)
    let source = StreamSource(
      channelCount: reader.channelCount, sampleRate: Double(sampleRate), length: reader.length,
      capacity: 2 * sampleRate, speed: stretch.speed, varispeed: stretch.varispeed)
    let stream = FilledStream(source, reader, isOffline: quality == .best)
    stream.fill(atLeast: quality == .best || stretch != Stretch() ? source.lead : sampleRate)
    if let failure = stream.failure { throw failure }
    shelf.add(stream)
    return source
  }

  /// Sees that each source has at least so many frames ready, or all to its end. Offline rendering calls this
  /// before each block, and so never runs dry. Blocks on the disk.
  public func fill(atLeast frames: Int) { shelf.fillAll(atLeast: frames) }

  /// What ended a source before its time: a file that turned out to be cut short, a disk that went away.
  public func failure(of source: StreamSource) -> FileError? { shelf.failure(of: source) }
}

/// The streams that a filler looks after, shared with its thread.
private final class Shelf: Sendable {
  private let streams = Mutex<[FilledStream]>([])
  private let closed = Atomic(false)

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  func close() { closed.store(true, ordering: .releasing) }

  func add(_ stream: FilledStream) { streams.withLock { $0.append(stream) } }

  /// Fills what is less than three quarters full, or has less than `frames`.
  func fillAll(atLeast frames: Int? = nil) {
    let current = streams.withLock { streams in
      streams.removeAll { $0.isAbandoned }
      return streams
    }
    for stream in current { stream.fill(atLeast: frames) }
  }

  func failure(of source: StreamSource) -> FileError? {
    streams.withLock { $0.first { $0.source === source } }?.failure
  }
}
