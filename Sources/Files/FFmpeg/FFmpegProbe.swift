// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletProcesses

/// The properties of the first audio track of a file, as reported by `ffprobe`.
struct FFmpegProbe {
  var codec: String
  var rate: Int
  var channels: Int
  /// The number of frames; exact for formats with exact times.
  var frames: Int
  /// Whether the sound begins at the start of the file.
  var beginsAtZero: Bool
  /// The number of frames by which the sound starts later than the file, as when a picture starts first.
  var lateFrames: Int
  /// The tags of the file.
  var tags = FileTags()

  /// The output of `ffprobe` for the requested fields.
  struct Answer: Decodable {
    struct Stream: Decodable {
      var codec_long_name: String?
      var sample_rate: String?
      var channels: Int?
      var time_base: String?
      var start_pts: Int?
      var duration_ts: Int?
      var tags: [String: String]?
    }
    struct Format: Decodable {
      var start_time: String?
      var tags: [String: String]?
    }
    var streams: [Stream]?
    var format: Format?

    /// Parses the output of `ffprobe`. Returns nil for anything else.
    init?(_ text: Data) {
      guard let answer = try? BoundedJSON.decode(Answer.self, from: text, byteLimit: FFmpeg.outputLimit)
      else { return nil }
      self = answer
    }
  }

  static func probe(_ path: String, _ kind: SoundSignature) throws(FileError) -> FFmpegProbe {
    let fields =
      "stream=codec_long_name,sample_rate,channels,time_base,start_pts,duration_ts"
      + ":stream_tags:format=start_time:format_tags"
    let (text, ending) = try FFmpeg.output(
      of: "ffprobe",
      [
        "-protocol_whitelist", "file,pipe", "-f", kind.format, "-select_streams", "a:0",
        "-show_entries", fields, "-of", "json", "-i", FFmpeg.name(path),
      ], for: path)
    guard ending.status == 0, let answer = Answer(text) else {
      let reason = FFmpeg.reason(ending)
      throw FileError(.notAudio, path, "looks like \(kind.name) but is broken: \(reason)")
    }
    return try FFmpegProbe(answer, path)
  }

  /// The maximum rate and channel count that are accepted here, before the file's reader checks both.
  private static let mostRate = Int(Int32.max), mostChannels = 1 << 16

  /// Interprets the output of `ffprobe` for the file at `path`.
  ///
  /// - Throws: ``FileError`` if there is no sound, or sound without a rate or channels.
  init(_ answer: Answer, _ path: String) throws(FileError) {
    guard let stream = answer.streams?.first else {
      throw FileError(.empty, path, "holds no sound: the file has no audio track")
    }
    guard let rate = stream.sample_rate.flatMap({ Int($0) }), 1...Self.mostRate ~= rate,
      let channels = stream.channels, 1...Self.mostChannels ~= channels
    else {
      throw FileError(
        .unsupported, path,
        "holds sound of a kind that ffmpeg does not support; convert it with another program"
      )
    }
    // Tags of the file take precedence over those of the track. Sorting makes the result the same in every run.
    for stated in [answer.format?.tags, stream.tags] {
      for (name, text) in (stated ?? [:]).sorted(by: { $0.key < $1.key }) { tags.add(name, text) }
    }
    let base = stream.time_base ?? "", statedStart = answer.format?.start_time.flatMap { Double($0) } ?? 0
    let start = statedStart > 0 ? min(statedStart, 1e9) : 0
    let late = Self.frames(stream.start_pts ?? 0, base, rate) - Int(start * Double(rate))
    codec = stream.codec_long_name ?? "unknown"
    (self.rate, self.channels) = (rate, channels)
    frames = Self.frames(stream.duration_ts ?? 0, base, rate)
    beginsAtZero = (stream.start_pts ?? 0) == 0 && statedStart == 0
    // Some containers round times to milliseconds.
    lateFrames = late > rate / 1000 ? late : 0
  }

  /// Converts ticks of a time base such as `1/44100` to frames.
  private static func frames(_ ticks: Int, _ base: String, _ rate: Int) -> Int {
    let parts = base.split(separator: "/").compactMap { Double($0) }
    guard parts.count == 2, parts[0] > 0, parts[1] > 0 else { return 0 }
    let frames = Double(ticks) * parts[0] / parts[1] * Double(rate)
    return frames < 1e15 ? Int(max(0, frames).rounded()) : 0
  }
}
