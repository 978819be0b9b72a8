// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletTimeline
internal import Synchronization

/// A sound file whose properties are read when they are first asked for, each once.
///
///     let song = AudioAsset("song.flac")
///     let length = try await song.duration
///     let picture = try await song.waveform(columns: 800)
///
/// A task that waits for a property holds no thread. A task that is cancelled meanwhile gets an error of kind
/// `cancelled` at once, and reading stops when no task waits for it. If the file changes on disk, it is read again.
/// Any thread but the audio thread.
public final class AudioAsset: Sendable {
  /// The path of the file; of a URL that names no file, the URL.
  public let path: String
  /// Why the location names no file, or the cache no folder.
  private let refusal: FileError?
  private let cache: WaveformCache?

  /// What has been asked for, and of which state of the file.
  private struct Loaded {
    var stamp: FileStamp?
    var info: SharedWork<AudioFileInfo>?
    var overview: SharedWork<WaveformOverview>?
  }
  private let loaded = Mutex(Loaded())

  /// To open a file is quick, to read all of it is not: the one never waits for the other.
  private static let opening = WorkThreads("swiftlet-open"), scanning = WorkThreads("swiftlet-scan")

  /// Names a file, which need not exist yet. If the file or the cache's folder is a URL that is not a file of this machine,
  /// all functions that read throw a ``FileError`` of kind `badName`.
  ///
  /// - Parameters:
  ///   - location: any file that ``AudioFile`` reads.
  ///   - cache: where overviews are kept from one run of a program to the next; nil for nowhere.
  public init(_ location: some FileLocation, cache: WaveformCache? = .standard) {
    let (path, refusal) = location.resolved
    (self.path, self.cache, self.refusal) = (path, cache, refusal ?? cache?.refusal)
  }

  /// Format, length and tags.
  public var info: AudioFileInfo {
    get async throws(FileError) {
      let path = path
      return try await load(\.info, on: AudioAsset.opening) { _ throws(FileError) in
        try AudioFileReader(path).info
      }
    }
  }

  /// How long it plays: exact.
  public var duration: MediaTime {
    get async throws(FileError) {
      let info = try await info
      return MediaTime(frames: Int64(info.frameCount), at: info.sampleRate)
    }
  }

  /// What it tells of its content.
  package var tags: FileTags {
    get async throws(FileError) { try await info.tags }
  }

  /// The file's waveform at several zooms: from the cache, or computed from the whole file, which takes about a
  /// second for an hour of sound.
  public var overview: WaveformOverview {
    get async throws(FileError) {
      let (path, cache) = (path, cache)
      return try await load(\.overview, on: AudioAsset.scanning) { isUnwanted throws(FileError) in
        let stamp = FileStamp(path)
        if let cache, let stamp, let kept = cache.load(path, stamp) { return kept }
        let overview = try WaveformOverview(reading: path, unless: isUnwanted)
        // Of a file that is being written nothing is kept.
        if let cache, let stamp, stamp.isSettled, FileStamp(path) == stamp {
          cache.store(overview, path, stamp)
        }
        return overview
      }
    }
  }

  /// The columns of a waveform picture, channel by channel: from the overview, or from the samples if the overview is
  /// not fine enough.
  ///
  /// - Parameters:
  ///   - range: the part of the file; default: all of it. Outside of the file there is silence.
  ///   - columns: the number of columns, from 0 to 65536.
  public func waveform(
    in range: Range<MediaTime>? = nil, columns: Int
  ) async throws(FileError) -> [[WaveformOverview.Bucket]] {
    let info = try await info
    let count = min(max(columns, 0), 65_536)
    let frames =
      range.map {
        (Int($0.lowerBound.frames(at: info.sampleRate))..<Int($0.upperBound.frames(at: info.sampleRate)))
          // So many can be counted.
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

  /// What was worked out before, or is being; else it is begun.
  private func load<Value: Sendable>(
    _ place: WritableKeyPath<Loaded, SharedWork<Value>?> & Sendable, on threads: WorkThreads,
    _ work: @escaping @Sendable (@Sendable @escaping () -> Bool) throws(FileError) -> Value
  ) async throws(FileError) -> Value {
    if let refusal { throw refusal }
    while true {
      let stamp = FileStamp(path)
      let shared = loaded.withLock { loaded in
        if loaded.stamp != stamp || stamp == nil { loaded = Loaded(stamp: stamp) }
        if let known = loaded[keyPath: place], known.isOfUse { return known }
        let new = SharedWork(path, on: threads, work)
        loaded[keyPath: place] = new
        return new
      }
      if let outcome = await shared.outcome() { return try outcome.get() }
    }
  }
}
