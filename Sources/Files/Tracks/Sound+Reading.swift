// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

extension Sound {
  /// The maximum length of a sound that is held in memory as a whole, in seconds.
  package static let mostSeconds = 600

  /// Reads a whole sound file, resampled to `sampleRate`.
  ///
  /// Any thread but the audio thread.
  /// - Throws: ``FileError``: the errors of ``AudioFileReader``; a file of ``mostSeconds`` or longer, or larger than
  ///   the available memory; samples that are infinite or not numbers, which an effect would keep forever.
  package init(reading path: String, sampleRate: Int) throws(FileError) {
    let reader = try ConvertingReader(path, sampleRate: sampleRate)
    let length = reader.frameCount
    guard length > 0 else { throw .empty(path) }
    guard length / sampleRate < Self.mostSeconds else {
      throw FileError(.unsupported, path, "is longer than \(Self.mostSeconds) seconds; shorten it")
    }
    // An effect keeps a second copy in its own layout.
    guard MemoryBudget.grants(2 * 4 * length * reader.channelCount) else {
      let mebibytes = (4 * length * reader.channelCount) >> 20
      throw FileError(
        .unsupported, path,
        "needs two copies of \(mebibytes) MiB in memory, which is more than is available; shorten it")
    }
    var channels = [[Float]](repeating: [], count: reader.channelCount)
    for channel in channels.indices { channels[channel].reserveCapacity(length) }
    while true {
      let part = try reader.read(65_536)
      guard let first = part.first, !first.isEmpty else { break }
      for (channel, samples) in part.enumerated() {
        guard samples.allSatisfy({ abs($0) <= Samples.loudest }) else {
          throw FileError(
            .unsupported, path,
            "contains samples that are infinite or NaN; export it again from its source")
        }
        channels[channel] += samples
      }
    }
    self.init(channels: channels, recordedRate: reader.info.sampleRate)
  }
}
