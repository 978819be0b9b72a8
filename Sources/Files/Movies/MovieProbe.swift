// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletProcesses

/// The output of `ffprobe` for a movie.
struct MovieProbe: Decodable {
  struct Stream: Decodable {
    var codec_name: String?
    var profile: String?
    var width: Int?
    var height: Int?
    var sample_aspect_ratio: String?
    var pix_fmt: String?
    var color_range: String?
    var color_space: String?
    var has_b_frames: Int?
    var r_frame_rate: String?
    var avg_frame_rate: String?
    var time_base: String?
    var start_pts: Int?
    var duration_ts: Int?
    var extradata_hash: String?
    var side_data_list: [SideData]?
  }

  struct SideData: Decodable {
    var rotation: Int?
  }

  struct Format: Decodable {
    var start_time: String?
    var duration: String?
  }

  var streams: [Stream]?
  var format: Format?

  /// Requests the properties of the first picture that is not a cover image.
  static func run(_ path: String, _ kind: SoundSignature) throws(FileError) -> MovieProbe {
    let (text, ending) = try FFmpeg.output(
      of: "ffprobe",
      [
        "-protocol_whitelist", "file", "-f", kind.format, "-select_streams", "V:0", "-show_data_hash", "MD5",
        "-show_entries", "stream:stream_side_data_list:format=start_time,duration", "-of", "json", "-i",
        FFmpeg.name(path),
      ], for: path)
    guard ending.status == 0, let answer = MovieProbe(text) else {
      let reason = FFmpeg.reason(ending)
      throw FileError(.notAudio, path, "looks like \(kind.name) but is broken: \(reason)")
    }
    return answer
  }

  /// Parses the output of `ffprobe`. Returns nil for anything else.
  init?(_ text: Data) {
    guard
      let answer = try? BoundedJSON.decode(MovieProbe.self, from: text, byteLimit: FFmpeg.outputLimit)
    else { return nil }
    self = answer
  }
}

extension MovieProbe.Stream {
  /// The properties that must be equal for joining pictures, with their names for display.
  var traits: [String: String] {
    [
      "codec": [codec_name, profile].compactMap(\.self).joined(separator: " "),
      "size": "\(width ?? 0)×\(height ?? 0)", "shape of points": sample_aspect_ratio ?? "1:1",
      "pixel format": pix_fmt ?? "",
      "colours": [color_range, color_space].compactMap(\.self).joined(separator: " "),
      "frame rate": r_frame_rate ?? "", "time base": time_base ?? "",
      "order of frames": "\(has_b_frames ?? 0)",
      "codec's settings": extradata_hash ?? "",
    ]
  }
}
