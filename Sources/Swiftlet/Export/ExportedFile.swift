// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

/// A file that an export made.
public struct ExportedFile: Sendable, Equatable {
  /// Where it is.
  public var path: String
  /// The node whose sound it holds.
  public var node: String
  /// How many frames of the engine's it holds; a file of another rate has more or fewer of its own.
  public var frameCount: Int
  /// Frames a second of the engine.
  public var sampleRate: Double
  /// The loudest sample of all channels, in dBFS; -160 for silence.
  public var peak: Float
  /// Its loudness in LUFS, and its true peak in dBTP, -infinity for silence; nil where no loudness was asked for.
  public var loudness: Double?, truePeak: Double?
  /// How much louder it was made to be as loud as was asked for, in decibels, before the limiter.
  public var gain: Double = 0
  /// What became of its picture; nil where it has none.
  public var picture: PictureReport?
  /// What it could not tell of its content, for people; empty where all that was asked for.
  public var lostTags: [String] = []
}
