// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// A number of frames and their rate.
struct SoundLength: Equatable {
  var frameCount: Int
  /// Frames per second.
  var sampleRate: Int

  /// The duration at ``sampleRate``.
  var duration: MediaTime { MediaTime(frames: Int64(frameCount), at: Double(sampleRate)) }

  /// Converts a frame count to another rate. Rounds up by default, so that a loss never becomes 0 frames.
  static func frames(
    _ count: Int, from rate: Int, to other: Int, _ rounding: FloatingPointRoundingRule = .up
  ) -> Int {
    guard rate != other else { return count }
    return Int(exactly: (Double(count) * Double(other) / Double(rate)).rounded(rounding)) ?? .max
  }
}

extension SoundLength {
  /// The length of a file.
  init(_ info: AudioFileInfo) {
    self.init(frameCount: info.frameCount, sampleRate: Int(info.sampleRate))
  }
}

extension [TakeReport.Gap] {
  /// Returns the gaps in frames of another rate.
  func converted(from rate: Int, to other: Int) -> [TakeReport.Gap] {
    map { gap in
      TakeReport.Gap(
        frame: SoundLength.frames(gap.frame, from: rate, to: other, .down),
        count: SoundLength.frames(gap.count, from: rate, to: other))
    }
  }
}
