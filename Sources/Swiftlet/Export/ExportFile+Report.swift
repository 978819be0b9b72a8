// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

extension ExportFile {
  /// What an export reports of a file that it made.
  public struct Report: Sendable, Equatable {
    /// The path of the file.
    public var path: String
    /// The name of the node whose sound the file has.
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
    /// How the picture was stored; nil for a file without one.
    public var picture: PictureReport?
    /// The names of the tags that the container cannot store; empty if all were stored.
    public var lostTags: [String] = []
  }
}
