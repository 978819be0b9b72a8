// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletThreads
internal import Synchronization

extension WaveformOverview {
  /// Reads a whole sound file. If reading can start anywhere in it, several threads read parts of it at once.
  ///
  /// - Parameter isUnwanted: called repeatedly on any of those threads; returning true stops them.
  /// - Throws: ``FileError``, as ``AudioFileReader``; of kind `cancelled` if it was stopped.
  init(reading path: String, unless isUnwanted: @Sendable @escaping () -> Bool) throws(FileError) {
    let (info, supportsRandomAccess) = try WaveformOverview.facts(of: path)
    let width = WaveformScan.framesPerBucket(info.frameCount, info.channelCount)
    let cores = supportsRandomAccess ? min(ProcessInfo.processInfo.activeProcessorCount, 8) : 1
    let count = max(1, min(cores, info.frameCount / WaveformOverview.leastPart))
    // All parts but the last have whole buckets.
    let buckets = (info.frameCount + width - 1) / width
    let bounds = (0...count).map { min(buckets * $0 / count * width, info.frameCount) }
    let results = Mutex([Result<[Bucket], FileError>?](repeating: nil, count: count))
    let group = DispatchGroup()
    for part in 0..<count {
      let work: @Sendable () -> Void = {
        let result: Result<[Bucket], FileError>
        do throws(FileError) {
          result = .success(
            try WaveformOverview.scan(path, bounds[part]..<bounds[part + 1], width, unless: isUnwanted))
        } catch {
          result = .failure(error)
        }
        results.withLock { $0[part] = result }
        group.leave()
      }
      group.enter()
      // The calling thread reads the last part.
      if part < count - 1 { startThread("swiftlet-overview", work) } else { work() }
    }
    group.wait()
    var finest: [Bucket] = []
    finest.reserveCapacity(buckets * info.channelCount)
    for result in results.withLock({ $0 }) { finest += try result?.get() ?? [] }
    self.init(
      sampleRate: info.sampleRate, channelCount: info.channelCount, frameCount: info.frameCount,
      framesPerBucket: width, finest: finest)
  }

  private static func facts(of path: String) throws(FileError) -> (AudioFileInfo, Bool) {
    let reader = try AudioFileReader(path)
    return (reader.info, reader.supportsRandomAccess)
  }

  /// The minimum number of frames for a thread.
  private static let leastPart = 1 << 20
  private static let chunk = 16_384

  private static func scan(
    _ path: String, _ range: Range<Int>, _ framesPerBucket: Int, unless isUnwanted: () -> Bool
  ) throws(FileError) -> [Bucket] {
    let reader = try AudioFileReader(path)
    try reader.seek(to: range.lowerBound)
    let channelCount = reader.info.channelCount
    var scan = WaveformScan(channelCount: channelCount, framesPerBucket: framesPerBucket)
    let memory = ChannelMemory(channelCount: channelCount, frameCount: chunk)
    while reader.position < range.upperBound {
      if isUnwanted() { throw .cancelled(path) }
      let got = try reader.read(
        into: memory.channels, count: min(chunk, range.upperBound - reader.position))
      guard got > 0 else { break }
      scan.add(memory.channels, count: got)
    }
    scan.finish()
    return scan.buckets
  }

  /// Computes the columns of a picture from the samples, for a short range.
  ///
  /// - Parameter isUnwanted: called repeatedly; returning true stops reading.
  static func columns(
    reading path: String, in range: Range<Int>, count: Int, unless isUnwanted: () -> Bool
  ) throws(FileError) -> [[Bucket]] {
    let reader = try AudioFileReader(path)
    let channelCount = reader.info.channelCount, frames = range.clamped(to: 0..<reader.info.frameCount)
    try reader.seek(to: frames.lowerBound)
    let memory = ChannelMemory(channelCount: channelCount, frameCount: chunk)
    var kept = frames.lowerBound..<frames.lowerBound
    var columns: [[Bucket]] = []
    columns.reserveCapacity(max(count, 0))
    for column in 0..<max(count, 0) {
      let (start, end) = self.column(column, of: count, in: range)
      let part = (start..<end).clamped(to: frames)
      var scan = WaveformScan(channelCount: channelCount, framesPerBucket: max(part.count, 1))
      // Each column begins within the buffer or directly after it. If there are fewer frames than columns, several
      // columns show the same frame.
      var frame = part.lowerBound
      while frame < part.upperBound {
        if frame >= kept.upperBound {
          if isUnwanted() { throw .cancelled(path) }
          let got = try reader.read(into: memory.channels, count: min(chunk, frames.upperBound - frame))
          guard got > 0 else { break }
          kept = frame..<frame + got
        }
        let run = min(part.upperBound, kept.upperBound) - frame
        scan.add(memory.channels.from(frame - kept.lowerBound), count: run)
        frame += run
      }
      scan.finish()
      columns.append(scan.buckets.isEmpty ? Array(repeating: .silence, count: channelCount) : scan.buckets)
    }
    return (0..<channelCount).map { channel in columns.map { $0[channel] } }
  }
}

extension FileError {
  /// The error of a task that was cancelled.
  static func cancelled(_ path: String) -> FileError {
    FileError(.cancelled, path, "was not read to its end: the task that waited for it was cancelled")
  }
}
