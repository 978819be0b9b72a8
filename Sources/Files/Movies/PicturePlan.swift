// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletTimeline

/// How the picture of a composition gets into a movie: copied as it is, or encoded anew, and why.
///
/// It is copied where all clips can be cut where they begin and end, follow each other without a gap, are of one
/// kind, and fit the container; else all of it is encoded anew, in the size and at the rate of the first clip.
package struct PicturePlan: Sendable {
  /// The kind of file.
  package let container: MovieContainer
  /// What becomes of the picture.
  package let report: PictureReport
  /// How long the movie is, in seconds.
  let length: Double
  let clips: [Clip]

  /// A clip, with what is known of its movie.
  struct Clip: Sendable {
    let movie: MovieInfo
    /// Which part of the movie, from its beginning, and where it is shown, both in seconds.
    let source: Range<Double>, place: Range<Double>
    /// Where it is cut if it is copied.
    var cuts = Cuts()

    /// Whether nothing is left out of the movie.
    var isWhole: Bool { cuts.isWanted == (false, false) }
  }

  /// Where a clip is cut, by its movie's own clock; nil for where the movie begins or ends.
  struct Cuts: Sendable {
    /// The keyframe with which it begins.
    var key: Double?
    /// When the first picture that is left out has to be decoded.
    var end: Double?

    var isWanted: (Bool, Bool) { (key != nil, end != nil) }
  }

  /// More clips than these are too many programs at once.
  static let mostClips = 256

  /// Finds out how a picture gets into a movie of this length: behind the last clip there is black.
  ///
  /// - Throws: ``FileError``: a file is no movie, has no picture or ends before its clip does, there are more than
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
    for (place, clip) in video.clips.enumerated() {
      let path = clip.asset.path
      let movie: MovieInfo
      if let known = movies[path] { movie = known } else { movie = try MovieInfo(path) }
      movies[path] = movie
      // A time that was rounded by half a picture is no time past the end.
      guard clip.source.upperBound.seconds <= movie.duration.seconds + movie.frame / 2 else {
        throw FileError(
          .unsupported, path,
          "has a picture of \(movie.duration), and clip \(place + 1) takes it from \(clip.source.lowerBound) to "
            + "\(clip.source.upperBound): end it earlier")
      }
      clips.append(
        Clip(
          movie: movie, source: clip.source.lowerBound.seconds..<clip.source.upperBound.seconds,
          place: clip.place.lowerBound.seconds..<clip.place.upperBound.seconds))
    }
    var reasons = PicturePlan.reasons(against: clips, length.seconds, container)
    // What a lone clip's edit list says is said again in a file that has one.
    let keepsEditList = clips.count == 1 && container != .mkv
    for place in clips.indices {
      reasons += try clips[place].findCuts("clip \(place + 1)", keepsEditList: keepsEditList)
    }
    reasons += PicturePlan.reasons(againstTurning: clips, in: container)
    self.clips = clips
    guard !reasons.isEmpty else {
      report = .copied
      return
    }
    let encoder = try FFmpeg.hasEncoder("libx264", for: first.asset.path) ? "libx264" : "mpeg4"
    report = .encoded(by: encoder, because: reasons)
  }

  /// Whether it is copied.
  var isCopied: Bool { report == .copied }
}

extension PicturePlan.Clip {
  /// Finds out where it can be cut.
  ///
  /// - Returns: why it cannot be.
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
        let place = isOpen ? "at a keyframe that earlier pictures lean on," : "between keyframes"
        reasons.append(
          "\(name) begins \(place) at \(PicturePlan.text(source.lowerBound)), \(near(packets, start))")
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
          "\(name) ends at \(PicturePlan.text(source.upperBound)), where its codec leans on later pictures; "
            + "keyframes: \(near(packets, end))")
      }
    }
    return reasons
  }
}

extension PicturePlan {
  /// A time for people: to the thousandth of a second.
  static func text(_ seconds: Double) -> String {
    "\((try? MediaTime(seconds: (seconds * 1000).rounded() / 1000)) ?? .zero)"
  }

  /// What speaks against copying besides where clips are cut.
  private static func reasons(
    against clips: [Clip], _ length: Double, _ container: MovieContainer
  ) -> [String] {
    guard let first = clips.first else { return [] }
    var reasons: [String] = []
    let frame = first.movie.frame
    var end = 0.0
    for (place, clip) in clips.enumerated() {
      let name = "clip \(place + 1)", movie = clip.movie
      if clip.place.lowerBound - end > frame / 2 {
        reasons.append("it is black from \(text(end)) to \(text(clip.place.lowerBound))")
      }
      end = clip.place.upperBound
      let (shown, taken) = (end - clip.place.lowerBound, clip.source.upperBound - clip.source.lowerBound)
      if abs(shown - taken) > frame / 4 {
        reasons.append("\(name) is shown \(shown < taken ? "faster" : "slower") than it is")
      }
      if !["mov", "matroska"].contains(movie.format) {
        reasons.append("\(name) is \(movie.container), which does not tell when its pictures are shown")
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

  /// What is stored turned, as telephones do, stays turned where all of it is copied alone.
  private static func reasons(againstTurning clips: [Clip], in container: MovieContainer) -> [String] {
    guard let first = clips.first, first.movie.rotation != 0 else { return [] }
    let turned = "clip 1 is stored turned by \(first.movie.rotation)°"
    if clips.count > 1 || !first.isWhole { return [turned + ", and not all of it is shown"] }
    return container == .mkv ? [turned + ", which .mkv does not keep"] : []
  }
}
