// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Sorts frames that lie as files have them, channel beside channel, into channels of their own.
struct Deinterleaver {
  /// Lays up to so many frames at an address, and says how many there were.
  typealias Source = (UnsafeMutablePointer<Float>, Int) throws(FileError) -> Int

  private var mixed: [Float] = []
  /// How many frames are sorted at once: so few that they are still in the cache when they are.
  private static let stage = 4096

  /// Fills `channels` with up to `count` frames, and says how many there were: fewer where the source had none left.
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
