// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Converts interleaved frames, as in files, into separate channels.
struct Deinterleaver {
  /// Writes up to a number of interleaved frames to an address, and returns how many it wrote.
  typealias Source = (UnsafeMutablePointer<Float>, Int) throws(FileError) -> Int

  private var mixed: [Float] = []
  /// The number of frames that are converted at once; few enough to stay in the processor's cache.
  private static let stage = 4096

  /// Fills `channels` with up to `count` frames. Returns the number of frames; fewer than `count` if the source ends.
  mutating func read(into channels: Channels, count: Int, from source: Source) throws(FileError) -> Int {
    if mixed.isEmpty { mixed = [Float](repeating: 0, count: Self.stage * channels.count) }
    var done = 0
    while done < count {
      let got = try source(&mixed, min(count - done, Self.stage))
      guard got > 0 else { break }
      channels.from(done).deinterleave(mixed, got)
      done += got
    }
    return done
  }
}
