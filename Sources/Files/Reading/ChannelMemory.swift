// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Memory for frames of sound, initially silent.
final class ChannelMemory {
  /// The capacity in frames.
  let frameCount: Int
  /// The channels; valid as long as this object exists.
  let channels: Channels
  private let samples: UnsafeMutablePointer<Float>
  private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(channelCount: Int, frameCount: Int) {
    self.frameCount = frameCount
    samples = .allocate(capacity: max(channelCount * frameCount, 1))
    samples.initialize(repeating: 0, count: max(channelCount * frameCount, 1))
    table = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<channelCount { (table + channel).initialize(to: samples + channel * frameCount) }
    channels = Channels(table, count: channelCount)
  }

  deinit {
    table.deallocate()
    samples.deallocate()
  }
}
