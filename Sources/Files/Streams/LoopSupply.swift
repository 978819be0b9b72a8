// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// The frames of a file at its own rate, one loop after the other.
///
/// A short file is decoded once and kept; a long one is read from disk as it is needed.
final class LoopSupply {
  /// How many frames there are in all loops; nil for a loop without end.
  let length: Int?
  private let reader: AudioFileReader
  private let memory: ChannelMemory?
  private var position = 0

  /// Files up to this many seconds, and this many samples, are kept in memory.
  private static let keptSeconds = 10.0
  private static let keptSamples = 1 << 24

  init(_ reader: AudioFileReader, loops: Loops) throws(FileError) {
    self.reader = reader
    let count = reader.info.frameCount
    switch loops {
    case .times(let times):
      let (product, overflows) = count.multipliedReportingOverflow(by: max(times, 1))
      length = overflows ? Int.max / 1024 : min(product, Int.max / 1024)
    // Nothing, over and over, is over at once.
    case .forever: length = count == 0 ? 0 : nil
    }
    let samples = count.multipliedReportingOverflow(by: reader.info.channelCount)
    guard reader.info.duration.seconds <= LoopSupply.keptSeconds, !samples.overflow,
      samples.partialValue <= LoopSupply.keptSamples
    else {
      memory = nil
      return
    }
    let decoded = ChannelMemory(channelCount: reader.info.channelCount, frameCount: count)
    _ = try reader.read(into: decoded.channels, count: count)
    memory = decoded
  }

  /// Reads the next frames; fewer than `count` only at the end of the last loop.
  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    let fileLength = reader.info.frameCount
    let wanted = fileLength > 0 ? min(count, (length ?? .max) - position) : 0
    var done = 0
    while done < wanted {
      let place = position % fileLength
      let run = min(wanted - done, fileLength - place)
      if let memory {
        channels.from(done).copy(memory.channels.from(place), run)
      } else {
        if reader.position != place { try reader.seek(to: place) }
        _ = try reader.read(into: channels.from(done), count: run)
      }
      done += run
      position += run
    }
    return done
  }

  /// Goes to a frame, counted through all loops.
  func seek(to frame: Int) throws(FileError) { position = min(frame, length ?? .max) }
}
