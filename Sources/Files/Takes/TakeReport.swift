// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// The result of a take: its file, its length, and the frames that were lost.
///
/// A value, for any thread.
public struct TakeReport: Sendable, Equatable {
  /// A position in a take where frames were lost.
  public struct Gap: Sendable, Equatable {
    /// The frame of the take at which the silence begins.
    public var frame: Int
    /// The number of silent frames that replace the lost ones.
    public var count: Int

    /// A gap of `count` frames at `frame`.
    package init(frame: Int, count: Int) {
      self.frame = frame
      self.count = count
    }
  }

  /// The name of the recorded tap.
  public var tap: String
  /// The path of the finished file. A take that ended before any sound arrived has no file.
  public var path: String
  /// The number of frames in the file, at its own rate. For a take that could not be finished: the number of recorded
  /// frames.
  public var frameCount: Int
  /// The rate of the file, in frames per second. Differs from the engine's rate if the format sets another. All frame
  /// counts of the report are at this rate.
  public var sampleRate: Double
  /// The highest sample of all channels, in dBFS; -160 for silence.
  public var peak: Float
  /// The number of lost frames. Silence replaces them.
  public var lostFrames: Int
  /// The number of lost frames that found no room because the disk was too slow. JACK left out the others.
  public var overrunFrames: Int
  /// The gaps where frames were lost, in frames of the file.
  public var gaps: [TakeReport.Gap]
  /// Why the take ended early or is not finished; nil on success.
  public var failure: String?
  /// The file with the sound of a take that could not be finished but that ``TakeRecovery`` can finish; otherwise nil.
  /// ``failure`` ends with this path.
  package var unfinishedSound: String?
  /// Whether ``path`` leads to the take's sound. False if the file could not be kept or finished.
  package var isPresent = true
  /// Whether the take's file was removed because the take ended before its first frame.
  var isDiscarded = false

  /// The duration of the file.
  public var duration: MediaTime { MediaTime(frames: Int64(frameCount), at: sampleRate) }

  /// Whether a file exists. A take that was stopped before its first frame arrived has none.
  package var isKept: Bool { !isDiscarded || failure != nil }

  /// Whether the take lost no frames and ran to its end.
  public var isClean: Bool { lostFrames == 0 && failure == nil }
}

/// The status of a take that is being recorded.
public struct TakeStatus: Sendable, Equatable {
  /// The name of the recorded tap.
  public var tap: String
  /// The path of the file once it is finished.
  public var path: String
  /// The number of frames written so far, at the engine's rate.
  public var frameCount: Int
  /// The number of frames lost so far, at the engine's rate.
  public var lostFrames: Int
}
