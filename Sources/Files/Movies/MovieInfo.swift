// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletTimeline

/// The properties of a movie's picture, as reported by `ffprobe`.
package struct MovieInfo: Sendable, Equatable {
  /// The path of the movie.
  package let path: String
  /// The name of the container for display, such as `MPEG-4`.
  package let container: String
  /// `ffmpeg`'s name for the picture's codec, such as `h264`.
  package let codec: String
  /// The stored width and height in pixels.
  package let width: Int, height: Int
  /// The average frame rate, in pictures per second.
  package let frameRate: FrameRate
  /// The duration of the picture, from the movie's beginning.
  package let duration: MediaTime

  /// `ffmpeg`'s name for the container.
  let format: String
  /// The nominal frame rate.
  let nominalRate: FrameRate?
  /// The duration of a tick of the movie's time stamps.
  let timeBase: FrameRate
  /// The start times of the movie and of its picture, in seconds of the movie's clock.
  let start: Double, pictureStart: Double
  /// The start time that `ffmpeg` uses, in seconds. It includes a codec's pre-roll, so it may be negative.
  let readStart: Double
  /// The width of a pixel divided by its height.
  let pointRatio: Double
  /// The rotation for display, in degrees.
  let rotation: Int
  /// The properties that must be equal for two movies' pictures to be joined without re-encoding.
  let traits: [String: String]

  /// The duration of a picture, in seconds.
  var frame: Double { 1 / frameRate.perSecond }

  /// Reads a movie's properties.
  ///
  /// - Throws: ``FileError``: the file does not exist, is not a movie, has no picture, or `ffprobe` is not installed.
  package init(_ path: String) throws(FileError) {
    let kind = try MovieInfo.kind(of: path)
    let answer = try MovieProbe.run(path, kind)
    guard let stream = answer.streams?.first else {
      throw FileError(.noPicture, path, "has no picture: name a movie, or put it on a track as sound")
    }
    guard let codec = stream.codec_name, let width = stream.width, let height = stream.height,
      1...32_768 ~= width, 1...32_768 ~= height, let base = FrameRate(stream.time_base),
      let mean = FrameRate(stream.avg_frame_rate) ?? FrameRate(stream.r_frame_rate)
    else {
      throw FileError(
        .unsupported, path,
        "holds a picture of a kind that ffmpeg does not support; convert it with another program")
    }
    (self.path, container, format, self.codec) = (path, kind.name, kind.format, codec)
    (self.width, self.height, frameRate, timeBase) = (width, height, mean, base)
    nominalRate = FrameRate(stream.r_frame_rate)
    readStart = answer.format?.start_time.flatMap { Double($0) } ?? 0
    let start = max(0, readStart)
    self.start = start
    pictureStart = stream.start_pts.map { Double($0) * base.perSecond } ?? start
    rotation = stream.side_data_list?.compactMap(\.rotation).first ?? 0
    pointRatio = FrameRate(stream.sample_aspect_ratio?.replacing(":", with: "/"))?.perSecond ?? 1
    var traits = stream.traits
    traits["rotation"] = "\(rotation)°"
    self.traits = traits
    let whole = answer.format?.duration.flatMap { Double($0) }
    let end =
      if let ticks = stream.duration_ts {
        pictureStart + Double(ticks) * base.perSecond
      } else if let packet = try MoviePackets(path, kind.format, base, around: readStart + (whole ?? 0)).last
      {
        packet.time + 1 / mean.perSecond
      } else {
        readStart + (whole ?? 0)
      }
    guard end > start, let duration = try? MediaTime(seconds: end - start) else {
      throw FileError(.noPicture, path, "has an empty picture: get a whole copy")
    }
    self.duration = duration
  }

  /// Returns the format of a file that may be a movie.
  private static func kind(of path: String) throws(FileError) -> SoundSignature {
    // A path with a line break cannot be passed to ffmpeg in a list.
    guard !path.isEmpty, !path.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
      throw FileError(.badName, path, "is not a name that ffmpeg can open; rename the movie")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .opening(path, errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw .opening(path, errno: EISDIR)
    }
    guard let kind = SoundSignature.of(descriptor),
      ["mov", "matroska", "avi", "asf", "ogg"].contains(kind.format)
    else {
      throw FileError(
        .noPicture, path,
        "is not a movie of a known format; use MP4, MOV, MKV, WebM, AVI, WMV or Ogg")
    }
    if kind.format == "mov", let cut = Truncation.ofBoxes(path) {
      throw FileError(.truncated, path, "is cut short: \(cut); get a whole copy")
    }
    return kind
  }
}
