// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// The frames of a file at its own rate, loop after loop.
///
/// A short file is decoded once and kept in memory; a long one is read from disk as needed.
final class LoopReader {
  /// The number of frames in all loops; nil for an endless loop.
  let length: Int?
  private let reader: AudioFileReader
  private let memory: ChannelMemory?
  private var position = 0

  /// Files of up to this many seconds and samples are kept in memory.
  private static let keptSeconds = 10.0
  private static let keptSamples = 1 << 24

  init(_ reader: AudioFileReader, loops: Loops) throws(FileError) {
    self.reader = reader
    let count = reader.info.frameCount
    switch loops {
    case .times(let times):
      let (product, overflows) = count.multipliedReportingOverflow(by: max(times, 1))
      length = overflows ? Int.max / 1024 : min(product, Int.max / 1024)
    // An endless loop of an empty file ends at once.
    case .forever: length = count == 0 ? 0 : nil
    }
    let samples = count.multipliedReportingOverflow(by: reader.info.channelCount)
    guard reader.info.duration.seconds <= LoopReader.keptSeconds, !samples.overflow,
      samples.partialValue <= LoopReader.keptSamples
    else {
      memory = nil
      return
    }
    let decoded = ChannelMemory(channelCount: reader.info.channelCount, frameCount: count)
    _ = try reader.read(into: decoded.channels, count: count)
    memory = decoded
  }

  /// Reads the next frames. Returns fewer than `count` only at the end of the last loop.
  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    let fileLength = reader.info.frameCount
    let wanted = fileLength > 0 ? min(count, (length ?? .max) - position) : 0
    var done = 0
    while done < wanted {
      let frame = position % fileLength
      let run = min(wanted - done, fileLength - frame)
      if let memory {
        channels.from(done).copy(memory.channels.from(frame), run)
      } else {
        if reader.position != frame { try reader.seek(to: frame) }
        _ = try reader.read(into: channels.from(done), count: run)
      }
      done += run
      position += run
    }
    return done
  }

  /// Seeks to a frame, counted through all loops.
  func seek(to frame: Int) throws(FileError) { position = min(frame, length ?? .max) }
}
