// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The frames of a file at its own rate, one loop after the other.
///
/// A short file is decoded once and kept; a long one is read from disk as it is needed.
final class LoopSupply {
  /// How many frames there are in all loops; nil for a loop without end.
  let length: Int?
  private let reader: AudioFileReader
  private let memory: [Float]?
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
    case .forever: length = nil
    }
    let samples = count.multipliedReportingOverflow(by: reader.info.channelCount)
    guard reader.info.duration <= LoopSupply.keptSeconds, !samples.overflow,
      samples.partialValue <= LoopSupply.keptSamples
    else {
      memory = nil
      return
    }
    var decoded = [Float](repeating: 0, count: samples.partialValue)
    _ = try reader.readInterleaved(into: &decoded, count: count)
    memory = decoded
  }

  /// Reads the next frames; fewer than `count` only at the end of the last loop.
  func read(into buffer: UnsafeMutablePointer<Float>, count: Int) throws(FileError) -> Int {
    let (fileLength, width) = (reader.info.frameCount, reader.info.channelCount)
    let wanted = min(count, (length ?? .max) - position)
    var done = 0
    while done < wanted {
      let place = position % fileLength
      let run = min(wanted - done, fileLength - place)
      let target = buffer + done * width
      if let memory {
        memory.withUnsafeBufferPointer { kept in
          for sample in 0..<run * width { target[sample] = kept[place * width + sample] }
        }
      } else {
        if reader.position != place { try reader.seek(to: place) }
        _ = try reader.readInterleaved(into: target, count: run)
      }
      done += run
      position += run
    }
    return done
  }

  /// Goes to a frame, counted through all loops.
  func seek(to frame: Int) throws(FileError) { position = min(frame, length ?? .max) }
}
