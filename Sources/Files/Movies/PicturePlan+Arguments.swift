// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The `ffmpeg` arguments for a picture.
extension PicturePlan {
  /// The input arguments, which come before those of the sound.
  var inputs: [String] { isCopied ? copiedInputs : clips.flatMap { input($0) } }

  /// The number of input files, as `ffmpeg` counts them.
  var inputCount: Int { isCopied ? 1 : clips.count }

  /// The output arguments.
  var outputs: [String] {
    let rest = ["-map_metadata", "-1", "-map_chapters", "-1", "-max_muxing_queue_size", "9999"]
    switch report {
    case .copied:
      // Apple's players support this name only.
      let tag = clips.first?.movie.codec == "hevc" && container != .mkv ? ["-tag:v", "hvc1"] : []
      return ["-map", "0:V:0", "-c:v", "copy"] + tag + rest
    case .encoded(let encoder, _):
      let quality = encoder == "libx264" ? ["-preset", "medium", "-crf", "18"] : ["-q:v", "2"]
      return ["-filter_complex", filter, "-map", "[picture]", "-r", "\(rate)", "-c:v", encoder] + quality
        + ["-flags:v", "+bitexact"] + rest
    }
  }

  private var rate: FrameRate {
    guard let movie = clips.first?.movie else { return FrameRate.usualRate }
    return .steady(mean: movie.frameRate, nominal: movie.nominalRate)
  }

  private static func seconds(_ time: Double) -> String { String(format: "%.6f", time) }

  // MARK: Copying

  /// The inputs of a copied picture. `-copyts` keeps the files' time stamps; otherwise a picture whose first decoding
  /// time is before 0 would be late.
  private var copiedInputs: [String] {
    guard let first = clips.first else { return [] }
    let whole = ["-copyts", "-protocol_whitelist"]
    guard clips.count > 1 || !first.isWhole else {
      let shift = first.movie.start == 0 ? [] : ["-itsoffset", PicturePlan.seconds(-first.movie.start)]
      return whole + ["file"] + shift + ["-f", first.movie.format, "-i", FFmpeg.name(first.movie.path)]
    }
    let list = Data(list.utf8).base64EncodedString()
    return whole + [
      "file,data", "-format_whitelist", "concat,mov,matroska", "-f", "concat", "-safe", "0", "-auto_convert",
      "0",
      "-i", "data:text/plain;base64,\(list)",
    ]
  }

  /// The clips as a list for ffmpeg's concat demuxer.
  private var list: String {
    var lines = ["ffconcat version 1.0"]
    for (index, clip) in clips.enumerated() {
      let path = URL(filePath: clip.movie.path).absoluteURL.path(percentEncoded: false)
      lines.append("file '" + FFmpeg.name(path).replacing("'", with: "'\\''") + "'")
      // A microsecond after the keyframe, it is still the last one before the in point; a microsecond before, it would
      // not be.
      let start = clip.cuts.key ?? clip.movie.start
      lines.append("inpoint " + PicturePlan.seconds((start * 1e6).rounded(.up) / 1e6))
      if let end = clip.cuts.end { lines.append("outpoint " + PicturePlan.seconds(end - 1e-6)) }
      let next = index + 1 < clips.count ? clips[index + 1].range.lowerBound : clip.range.upperBound
      lines.append("duration " + PicturePlan.seconds(next - clip.range.lowerBound))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Re-encoding

  /// Returns how much earlier than the clip its movie is read, in seconds: the picture that is shown when the clip
  /// begins starts earlier. Reading starts at a tick of the movie's clock, since ffmpeg rounds to one.
  private func preroll(_ clip: Clip) -> Double {
    let start = clip.source.lowerBound, ticks = 1 / clip.movie.timeBase.perSecond
    return start - max(0, (start - 1.5 * clip.movie.frame) * ticks).rounded(.down) / ticks
  }

  private func input(_ clip: Clip) -> [String] {
    let preroll = preroll(clip), shift = clip.movie.start - clip.movie.readStart
    let length = clip.source.upperBound - clip.source.lowerBound + preroll + clip.movie.frame
    return [
      "-protocol_whitelist", "file", "-f", clip.movie.format, "-ss",
      PicturePlan.seconds(clip.source.lowerBound - preroll + shift), "-t", PicturePlan.seconds(length), "-i",
      FFmpeg.name(clip.movie.path),
    ]
  }

  /// The size of the movie: that of the first clip as displayed, in even numbers, which codecs require.
  private var size: (width: Int, height: Int) {
    guard let movie = clips.first?.movie else { return (2, 2) }
    func even(_ points: Double) -> Int { max(2, Int((min(points, 32_768) / 2).rounded()) * 2) }
    let (width, height) = (even(Double(movie.width) * movie.pointRatio), even(Double(movie.height)))
    return movie.rotation % 180 == 0 ? (width, height) : (height, width)
  }

  /// The filter graph: each clip with exactly the number of pictures that its time range holds, and black between
  /// clips.
  private var filter: String {
    let rate = rate, (width, height) = size, total = max(1, rate.count(at: length))
    var parts: [String] = [], names = "", done = 0
    func add(_ chain: String, until end: Int) {
      guard end > done else { return }
      parts.append("\(chain),trim=end_frame=\(end - done),setsar=1[p\(parts.count)]")
      names += "[p\(parts.count - 1)]"
      done = end
    }
    func addBlack(until end: Int) {
      add("color=c=black:s=\(width)x\(height):r=\(rate),format=yuv420p", until: end)
    }
    let frame =
      "setsar=1,scale=\(width):\(height):force_original_aspect_ratio=decrease:force_divisible_by=2,"
      + "pad=\(width):\(height):-1:-1,format=yuv420p,tpad=stop=-1:stop_mode=clone"
    for (index, clip) in clips.enumerated() {
      addBlack(until: min(rate.count(at: clip.range.lowerBound), total))
      let shown = clip.range.upperBound - clip.range.lowerBound
      let factor = shown / (clip.source.upperBound - clip.source.lowerBound)
      add(
        "[\(index):V:0]settb=AVTB,setpts=(PTS-\(PicturePlan.seconds(preroll(clip)))/TB)*\(factor),"
          + "fps=\(rate):start_time=0,scale=trunc(iw*sar/2)*2:ih,\(frame)",
        until: min(rate.count(at: clip.range.upperBound), total))
    }
    addBlack(until: total)
    return parts.joined(separator: ";") + ";\(names)concat=n=\(parts.count):v=1:a=0,setpts=N/(\(rate))/TB,"
      + "trim=end_frame=\(total)[picture]"
  }
}
