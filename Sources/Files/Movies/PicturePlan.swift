// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletTimeline

/// Determines how the picture of a composition is stored in a movie: copied, or re-encoded with the reasons.
///
/// The picture is copied if all clips can be cut at their beginning and end, follow each other without a gap, have
/// equal properties, and fit the container. Otherwise all of it is re-encoded with the size and the rate of the first
/// clip.
package struct PicturePlan: Sendable {
  /// The container.
  package let container: MovieContainer
  /// Whether the picture is copied or re-encoded, and why.
  package let report: PictureReport
  /// The length of the movie, in seconds.
  let length: Double
  let clips: [Clip]

  /// A clip with the properties of its movie.
  struct Clip: Sendable {
    let movie: MovieInfo
    /// The clip's range in the movie, from its beginning, and its range in the composition, both in seconds.
    let source: Range<Double>, range: Range<Double>
    /// The cuts if the clip is copied.
    var cuts = Cuts()

    /// Whether the clip is the whole movie.
    var isWhole: Bool { cuts.isWanted == (false, false) }
  }

  /// The cuts of a clip, in seconds of its movie's clock; nil for the movie's own beginning or end.
  struct Cuts: Sendable {
    /// The time of the keyframe with which the clip begins.
    var key: Double?
    /// The decoding time of the first picture that is left out.
    var end: Double?

    var isWanted: (Bool, Bool) { (key != nil, end != nil) }
  }

  /// The maximum number of clips; more would need too many processes at once.
  static let mostClips = 256

  /// Plans how a picture is stored in a movie of this length. Black follows the last clip.
  ///
  /// - Throws: ``FileError``: a file is not a movie, has no picture or ends before its clip does, there are more than
  ///   256 clips, or `ffmpeg` is not installed.
  package init(_ video: VideoTrack, length: MediaTime, in container: MovieContainer) throws(FileError) {
    guard let first = video.clips.first else {
      throw FileError(.noPicture, "", "has no picture: give it a clip of a movie")
    }
    guard video.clips.count <= PicturePlan.mostClips else {
      throw FileError(
        .unsupported, first.asset.path,
        "is one of \(video.clips.count) clips; at most \(PicturePlan.mostClips) go into a movie: export it in parts"
      )
    }
    self.container = container
    self.length = length.seconds
    var movies: [String: MovieInfo] = [:], clips: [Clip] = []
    for (index, clip) in video.clips.enumerated() {
      let path = clip.asset.path
      let movie: MovieInfo
      if let known = movies[path] { movie = known } else { movie = try MovieInfo(path) }
      movies[path] = movie
      // Half a picture of tolerance allows for rounded times.
      guard clip.source.upperBound.seconds <= movie.duration.seconds + movie.frame / 2 else {
        throw FileError(
          .unsupported, path,
          "has a picture of \(movie.duration), and clip \(index + 1) takes it from \(clip.source.lowerBound) to "
            + "\(clip.source.upperBound): end it earlier")
      }
      clips.append(
        Clip(
          movie: movie, source: clip.source.lowerBound.seconds..<clip.source.upperBound.seconds,
          range: clip.range.lowerBound.seconds..<clip.range.upperBound.seconds))
    }
    var reasons = PicturePlan.reasons(against: clips, length.seconds, container)
    // The edit list of a single clip is kept if the container has edit lists.
    let keepsEditList = clips.count == 1 && container != .mkv
    for index in clips.indices {
      reasons += try clips[index].findCuts("clip \(index + 1)", keepsEditList: keepsEditList)
    }
    reasons += PicturePlan.reasons(againstRotating: clips, in: container)
    self.clips = clips
    guard !reasons.isEmpty else {
      report = .copied
      return
    }
    let encoder = try FFmpeg.hasEncoder("libx264", for: first.asset.path) ? "libx264" : "mpeg4"
    report = .encoded(by: encoder, because: reasons)
  }

  /// Whether the picture is copied.
  var isCopied: Bool { report == .copied }
}

extension PicturePlan.Clip {
  /// Determines where the clip can be cut.
  ///
  /// - Returns: the reasons why it cannot be copied.
  fileprivate mutating func findCuts(
    _ name: String, keepsEditList: Bool
  ) throws(FileError) -> [String] {
    var reasons: [String] = []
    let start = movie.start + source.lowerBound, end = movie.start + source.upperBound
    func packets(_ time: Double) throws(FileError) -> MoviePackets {
      try MoviePackets(movie.path, movie.format, movie.timeBase, around: time)
    }
    func near(_ packets: MoviePackets, _ time: Double) -> String {
      let times = packets.neighbours(of: time).map { PicturePlan.text($0 - movie.start) }
      guard let first = times.first else { return "and there is no place to cut near it" }
      return times.count > 1 ? "the nearest are \(first) and \(times[1])" : "the nearest is \(first)"
    }
    if start > movie.pictureStart + movie.frame / 4 {
      let packets = try packets(start)
      if let key = packets.keyframe(at: start, within: movie.frame / 4) {
        cuts.key = key.time
      } else {
        let isOpen = packets.hasKeyframe(at: start, within: movie.frame / 4)
        let spot = isOpen ? "at a keyframe that earlier pictures depend on," : "between keyframes"
        reasons.append(
          "\(name) begins \(spot) at \(PicturePlan.text(source.lowerBound)), \(near(packets, start))")
      }
    } else if !keepsEditList, try packets(movie.start).hidesSome {
      reasons.append("\(name) has pictures before its beginning that its edit list hides")
    }
    if source.upperBound < movie.duration.seconds - movie.frame / 2 {
      let packets = try packets(end)
      if let decoding = packets.cut(before: end - movie.frame / 2)?.decoding {
        cuts.end = decoding
      } else {
        reasons.append(
          "\(name) ends at \(PicturePlan.text(source.upperBound)), where pictures depend on later ones; "
            + "keyframes: \(near(packets, end))")
      }
    }
    return reasons
  }
}

extension PicturePlan {
  /// Returns a time as text, rounded to a millisecond.
  static func text(_ seconds: Double) -> String {
    "\((try? MediaTime(seconds: (seconds * 1000).rounded() / 1000)) ?? .zero)"
  }

  /// Returns the reasons against copying other than the positions of cuts.
  private static func reasons(
    against clips: [Clip], _ length: Double, _ container: MovieContainer
  ) -> [String] {
    guard let first = clips.first else { return [] }
    var reasons: [String] = []
    let frame = first.movie.frame
    var end = 0.0
    for (index, clip) in clips.enumerated() {
      let name = "clip \(index + 1)", movie = clip.movie
      if clip.range.lowerBound - end > frame / 2 {
        reasons.append("it is black from \(text(end)) to \(text(clip.range.lowerBound))")
      }
      end = clip.range.upperBound
      let (shown, taken) = (end - clip.range.lowerBound, clip.source.upperBound - clip.source.lowerBound)
      if abs(shown - taken) > frame / 4 {
        reasons.append("\(name) is shown \(shown < taken ? "faster" : "slower") than its source")
      }
      if !["mov", "matroska"].contains(movie.format) {
        reasons.append("\(name) is \(movie.container), which does not store when its pictures are shown")
      } else if !container.takes(movie.codec) {
        reasons.append("\(name) is \(movie.codec), which .\(container.rawValue) does not hold")
      }
      let unlike = first.movie.traits.filter { movie.traits[$0.key] != $0.value }.keys.sorted()
      if let trait = unlike.first {
        reasons.append("\(name) is not like clip 1: its \(trait) differ\(trait.hasSuffix("s") ? "" : "s")")
      }
    }
    if length - end > frame { reasons.append("it is black from \(text(end)) to \(text(length))") }
    return reasons
  }

  /// Returns the reasons against copying a rotated picture, as telephones store it. The rotation is kept only if a
  /// single whole movie is copied.
  private static func reasons(againstRotating clips: [Clip], in container: MovieContainer) -> [String] {
    guard let first = clips.first, first.movie.rotation != 0 else { return [] }
    let rotated = "clip 1 is stored turned by \(first.movie.rotation)°"
    if clips.count > 1 || !first.isWhole { return [rotated + ", and not all of it is shown"] }
    return container == .mkv ? [rotated + ", which .mkv does not keep"] : []
  }
}
