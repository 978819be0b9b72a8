// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// The result of a take: its file, its length, and what was lost.
public struct TakeReport: Sendable, Equatable {
  /// The tap it was recorded from.
  public var tap: String
  /// The finished file. A take that ended before any sound came has no file.
  public var path: String
  /// How many frames the file has, at its own rate. Of a take that could not be finished: how many were recorded.
  public var frameCount: Int
  /// Frames a second of the file. Differs from the engine's rate if the format has another. All frame counts of the
  /// report are at this rate.
  public var sampleRate: Double
  /// The loudest sample of all channels, in dBFS; -160 for silence.
  public var peak: Float
  /// How many frames were lost; silence stands in their place.
  public var lostFrames: Int
  /// How many of these found no room, since the disk was too slow; the others never came: JACK left them out.
  public var overrunFrames: Int
  /// The gaps where frames were lost, in frames of the file.
  public var gaps: [TakeReport.Gap]
  /// Why the take ended before it should have, or is not finished; nil where all went well.
  public var failure: String?
  /// The file with the sound of a take that could not be finished and that ``TakeRecovery`` can finish; nil for every
  /// other take. ``failure`` ends by naming the file.
  package var unfinishedSound: String?
  /// Whether ``path`` leads to the take's sound; false for a take whose file could not be kept or finished.
  package var isPresent = true
  /// Whether the take's file was removed, since the take ended before its first frame.
  var isDiscarded = false

  /// How long it plays.
  public var duration: MediaTime { MediaTime(frames: Int64(frameCount), at: sampleRate) }

  /// Whether there is a file. Of a take that was stopped before its first frame came, none is kept.
  package var isKept: Bool { !isDiscarded || failure != nil }

  /// Whether nothing was lost and it ran to its end.
  public var isClean: Bool { lostFrames == 0 && failure == nil }
}

/// How a take stands while it is recorded.
public struct TakeStatus: Sendable, Equatable {
  /// The tap it is recorded from.
  public var tap: String
  /// The path of the file, once it is finished.
  public var path: String
  /// How many frames have been written, at the rate of the engine.
  public var frameCount: Int
  /// How many frames were lost so far, at the rate of the engine.
  public var lostFrames: Int
}
