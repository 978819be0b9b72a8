// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

extension ExportFile {
  /// A file that an export has written.
  public struct Report: Sendable, Equatable {
    /// The path of the file.
    public var path: String
    /// The name of the node whose sound the file has.
    public var node: String
    /// The length in frames at the engine's rate; a file with another sample rate has a different number.
    public var frameCount: Int
    /// The engine's sample rate in hertz.
    public var sampleRate: Double
    /// The largest sample of all channels, in dBFS; -160 for silence.
    public var peak: Float
    /// The integrated loudness in LUFS and the true peak in dBTP, -infinity for silence; nil without a loudness target.
    public var loudness: Double?, truePeak: Double?
    /// The gain in dB that was applied before the limiter to reach the loudness target.
    public var gain: Double = 0
    /// How the picture was stored; nil for a file without one.
    public var picture: PictureReport?
    /// The names of the tags that the container cannot store; empty if all were stored.
    public var lostTags: [String] = []
  }
}
