// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Measures the true peaks of several channels. Any thread, one at a time.
@safe package struct TruePeakMeter: ~Copyable {
  /// The maximum number of frames that are measured at once.
  private static let sliceLength = 512

  private let channelCount: Int
  private let detector: TruePeak
  private let lines: UnsafeMutablePointer<DelayLine>
  /// The frames of one channel, and the peaks around them.
  private let sound: UnsafeMutablePointer<Float>, crests: UnsafeMutablePointer<Float>
  /// The highest true peak of each channel, as a factor.
  private let highest: UnsafeMutablePointer<Float>

  /// Creates a meter of silent channels.
  package init(channelCount: Int) {
    self.channelCount = channelCount
    detector = TruePeak(longest: Self.sliceLength)
    unsafe lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(to: DelayLine(longest: Self.sliceLength + TruePeak.history))
    }
    unsafe sound = .allocate(capacity: 2 * Self.sliceLength)
    unsafe sound.initialize(repeating: 0, count: 2 * Self.sliceLength)
    unsafe crests = unsafe sound + Self.sliceLength
    unsafe highest = .allocate(capacity: channelCount)
    unsafe highest.initialize(repeating: 0, count: channelCount)
  }

  deinit {
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe sound.deallocate()
    unsafe highest.deallocate()
  }

  /// Adds `count` frames of a channel, from `start` on; invalid samples count as 0. The last ``TruePeak/reach`` frames
  /// are measured when more follow, or by ``finish()``.
  package mutating func add(_ samples: Samples, from start: Int, count: Int, of channel: Int) {
    var done = 0
    while done < count {
      let length = min(count - done, Self.sliceLength)
      for frame in 0..<length { unsafe sound[frame] = samples[clean: start + done + frame] }
      measure(length, of: channel)
      done += length
    }
  }

  /// Measures the last frames of all channels, as if silence followed, and forgets all frames.
  package mutating func finish() {
    unsafe sound.update(repeating: 0, count: TruePeak.reach)
    for channel in 0..<channelCount {
      measure(TruePeak.reach, of: channel)
      unsafe lines[channel].clear()
    }
  }

  /// Measures the frames in `sound`.
  private mutating func measure(_ count: Int, of channel: Int) {
    unsafe crests.update(repeating: 0, count: Self.sliceLength)
    unsafe lines[channel].write(sound, count: count)
    let floor = unsafe highest[channel]
    if unsafe detector.raise(crests, count: count, by: lines[channel], above: floor) {
      unsafe highest[channel] = max(floor, Samples(crests, count: count).peak)
    }
  }

  /// Returns the highest true peak of a channel since the last call, as a factor of full scale.
  package mutating func take(_ channel: Int) -> Float {
    defer { unsafe highest[channel] = 0 }
    return unsafe highest[channel]
  }
}
