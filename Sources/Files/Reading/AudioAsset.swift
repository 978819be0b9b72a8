// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletTimeline
internal import Synchronization

/// A sound file whose properties are read once, when they are first requested.
///
///     let song = AudioAsset("song.flac")
///     let length = try await song.duration
///     let picture = try await song.waveform(columns: 800)
///
/// A task that waits for a property does not block a thread. If the task is cancelled, it gets an error of kind
/// `cancelled` at once, and reading stops when no task waits for it. If the file changes on disk, it is read again. Any
/// thread but the audio thread.
public final class AudioAsset: Sendable {
  /// The path of the file; for a URL that is not a file of this machine, the URL's text.
  public let path: String
  /// The error of a location that is not a file, or of a cache location that is not a folder.
  private let refusal: FileError?
  private let cache: WaveformCache?

  /// The requested properties, and the state of the file that they belong to.
  private struct Loaded {
    var stamp: FileStamp?
    var info: SharedWork<AudioFileInfo>?
    var overview: SharedWork<WaveformOverview>?
  }
  private let loaded = Mutex(Loaded())

  /// Separate threads: opening a file is quick and must not wait for reading all of another.
  private static let opening = WorkThreads("swiftlet-open"), scanning = WorkThreads("swiftlet-scan")

  /// Creates an asset for a file, which need not exist yet. If the file or the cache's folder is a URL that is not a
  /// file of this machine, all functions that read throw a ``FileError`` of kind `badName`.
  ///
  /// - Parameters:
  ///   - location: any file that ``AudioFile`` reads.
  ///   - cache: the cache that stores waveform overviews between runs of a program; the default is the user's cache,
  ///     nil is none.
  public init(_ location: some FileLocation, cache: WaveformCache? = .standard) {
    let (path, refusal) = location.resolved
    (self.path, self.cache, self.refusal) = (path, cache, refusal ?? cache?.refusal)
  }

  /// The format, length and tags.
  public var info: AudioFileInfo {
    get async throws(FileError) {
      let path = path
      return try await load(\.info, on: AudioAsset.opening) { _ throws(FileError) in
        try AudioFileReader(path).info
      }
    }
  }

  /// The exact duration.
  public var duration: MediaTime {
    get async throws(FileError) {
      let info = try await info
      return MediaTime(frames: Int64(info.frameCount), at: info.sampleRate)
    }
  }

  /// The tags of the file.
  package var tags: FileTags {
    get async throws(FileError) { try await info.tags }
  }

  /// The file's waveform at several zoom levels: from the cache, or computed from the whole file, which takes about a
  /// second for an hour of sound.
  public var overview: WaveformOverview {
    get async throws(FileError) {
      let (path, cache) = (path, cache)
      return try await load(\.overview, on: AudioAsset.scanning) { isUnwanted throws(FileError) in
        let stamp = FileStamp(path)
        if let cache, let stamp, let kept = cache.load(path, stamp) { return kept }
        let overview = try WaveformOverview(reading: path, unless: isUnwanted)
        // No overview is stored for a file that is being written.
        if let cache, let stamp, stamp.isSettled, FileStamp(path) == stamp {
          cache.store(overview, path, stamp)
        }
        return overview
      }
    }
  }

  /// Returns the columns of a waveform picture for each channel: from the overview, or from the samples if the overview
  /// is too coarse.
  ///
  /// - Parameters:
  ///   - range: the part of the file; the default is all of it. Outside of the file there is silence.
  ///   - columns: the number of columns, from 0 to 65536.
  public func waveform(
    in range: Range<MediaTime>? = nil, columns: Int
  ) async throws(FileError) -> [[WaveformOverview.Bucket]] {
    let info = try await info
    let count = min(max(columns, 0), 65_536)
    let frames =
      range.map {
        (Int($0.lowerBound.frames(at: info.sampleRate))..<Int($0.upperBound.frames(at: info.sampleRate)))
          // Keeps later arithmetic from overflowing.
          .clamped(to: -1 << 60..<1 << 60)
      }
      ?? 0..<info.frameCount
    if frames.count / max(count, 1) < 4 * WaveformScan.block {
      let path = path
      let reading = SharedWork(path, on: AudioAsset.opening) { isUnwanted throws(FileError) in
        try WaveformOverview.columns(reading: path, in: frames, count: count, unless: isUnwanted)
      }
      guard let outcome = await reading.outcome() else { throw .cancelled(path) }
      return try outcome.get()
    }
    let overview = try await overview
    return (0..<overview.channelCount).map { overview.columns(of: $0, in: frames, count: count) }
  }

  /// Returns a property that was loaded or is being loaded; otherwise starts loading it.
  private func load<Value: Sendable>(
    _ property: WritableKeyPath<Loaded, SharedWork<Value>?> & Sendable, on threads: WorkThreads,
    _ work: @escaping @Sendable (@Sendable @escaping () -> Bool) throws(FileError) -> Value
  ) async throws(FileError) -> Value {
    if let refusal { throw refusal }
    while true {
      let stamp = FileStamp(path)
      let shared = loaded.withLock { loaded in
        if loaded.stamp != stamp || stamp == nil { loaded = Loaded(stamp: stamp) }
        if let known = loaded[keyPath: property], known.isOfUse { return known }
        let new = SharedWork(path, on: threads, work)
        loaded[keyPath: property] = new
        return new
      }
      if let outcome = await shared.outcome() { return try outcome.get() }
    }
  }
}
