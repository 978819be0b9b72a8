// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletProcesses

/// Writes through the `ffmpeg` program: AAC, Apple Lossless, and the sound of movies beside their picture.
final class FFmpegEncoder: FrameEncoder {
  private let sink: FileSink
  private let format: RecordingFormat
  private let rate: Int
  private let channelCount: Int
  private var isEmpty = true
  private let child: ChildProcess
  private var quantizer: Quantizer?
  private let picture: PicturePlan?

  /// - Parameters:
  ///   - sink: the file, which is there and empty.
  ///   - picture: what is put beside the sound; nil for none.
  ///   - isUnwanted: whether nobody wants the file any more: asked while `ffmpeg` keeps us waiting.
  init(
    sink: FileSink, format: RecordingFormat, rate: Int, channelCount: Int, origin: TakeOrigin?,
    comment: String?, tags: FileTags = FileTags(), picture: PicturePlan? = nil,
    unless isUnwanted: (() -> Bool)? = nil
  ) throws(FileError) {
    (self.sink, self.format, self.rate, self.channelCount) = (sink, format, rate, channelCount)
    self.picture = picture
    quantizer = format.encoding.bits.map { Quantizer(bits: $0, dithers: format.isDithered) }
    var arguments = picture?.inputs ?? []
    arguments += ["-f", quantizer == nil ? "f32le" : "s32le", "-ar", "\(rate)", "-ac", "\(channelCount)"]
    let layouts =
      quantizer == nil
      ? FFmpegEncoder.layouts
      : format.container == .flac ? FFmpegEncoder.flacLayouts : FFmpegEncoder.losslessLayouts
    if let layout = layouts[channelCount] { arguments += ["-channel_layout", layout] }
    arguments += ["-i", "pipe:0"]
    if let picture { arguments += picture.outputs + ["-map", "\(picture.inputCount):a:0"] }
    arguments += FFmpegEncoder.codec(format, rate: rate, channelCount: channelCount)
    for (tag, text) in tags.filled(from: origin, comment).written {
      arguments += ["-metadata", "\(tag)=\(text)"]
    }
    // Times in frames, so that the length is exact; and nothing of the hour, so that the same sound gives the
    // same file.
    arguments += ["-fflags", "+bitexact", "-flags:a", "+bitexact"]
    let kind = picture?.container.format ?? (format.container == .caf ? "caf" : "ipod")
    if kind != "caf" && kind != "matroska" { arguments += ["-movie_timescale", "\(rate)"] }
    arguments += ["-f", kind, "-y", FFmpeg.name(sink.currentPath)]
    // A large picture takes its time, in which nothing is heard.
    child = try FFmpeg.start(
      "ffmpeg", arguments, for: sink.path, isFed: true, patience: picture == nil ? nil : 600)
    child.isUnwanted = isUnwanted
  }

  /// Orders without a channel for low frequencies alone: that would lose all else.
  private static let layouts = [3: "3.0", 6: "6.0", 7: "7.0", 8: "octagonal"]
  /// The orders that Apple Lossless knows, where they are not the usual ones.
  private static let losslessLayouts = [3: "3.0", 7: "6.1(back)", 8: "7.1(wide)"]

  /// The orders of FLAC.
  private static let flacLayouts = [3: "3.0", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"]

  private static func codec(_ format: RecordingFormat, rate: Int, channelCount: Int) -> [String] {
    switch format.encoding {
    case .alac16: return ["-c:a", "alac", "-sample_fmt", "s16p"]
    case .alac24: return ["-c:a", "alac", "-sample_fmt", "s32p"]
    case .int24: return ["-c:a", "flac", "-sample_fmt", "s32"]
    case .int8, .int16: return ["-c:a", "flac", "-sample_fmt", "s16"]
    default:
      let bits: Int
      if case .bitRate(let asked) = format.quality {
        bits = asked
      } else {
        var quality = format.encoding.usualQuality
        if case .quality(let asked) = format.quality { quality = asked }
        bits = Int(Double(min(rate, 48_000) * channelCount) * (0.5 + 3.5 * min(max(quality, 0), 1)))
      }
      // Without made-up noise: what is read after a seek is what is read on the way there.
      return ["-c:a", "aac", "-b:a", "\(bits)", "-aac_pns", "0"]
    }
  }

  deinit { abandon() }

  func write(_ samples: [Float], count: Int) throws(FileError) {
    let places = count * channelCount
    isEmpty = isEmpty && count == 0
    let isTaken: Bool
    if quantizer != nil {
      quantizer?.round(samples, places)
      isTaken = quantizer?.whole.withUnsafeBytes { feed($0, places * 4) } ?? false
    } else {
      let safe = samples.prefix(places).map { $0.isNaN ? 0 : min(max($0, -1), 1) }
      isTaken = safe.withUnsafeBytes { feed($0, places * 4) }
    }
    guard isTaken else { throw failure(child.finish()) }
  }

  private func feed(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> Bool {
    bytes.baseAddress.map { child.write($0, count) } ?? true
  }

  /// The file is of use when it is whole, not before.
  func updateHeader() {}

  func finish() throws(FileError) {
    let ending = child.finish()
    // Where the disk is full it may end as if all were well; but it says so.
    guard ending.status == 0, ending.words.isEmpty || isOfMovie(ending.words) else { throw failure(ending) }
    guard isEmpty, format.container == .caf else { return }
    // Without sound ffmpeg writes a CAF that nobody reads.
    sink.empty()
    let empty = RecordingFormat(container: .caf, encoding: .alac16)
    try SndFileEncoder(
      sink: sink, format: empty, rate: rate, channelCount: channelCount, origin: nil, comment: nil
    ).finish()
  }

  func abandon() { child.end() }

  /// Whether what was said is of a movie that is read, not of the file: small damages are told, and passed over.
  private func isOfMovie(_ words: String) -> Bool {
    let faults =
      [ENOSPC, EFBIG, EIO, EDQUOT].map { String(cString: strerror($0)) } + ["monoton", "Conversion failed"]
    return picture != nil && !faults.contains { words.contains($0) }
  }

  private func failure(_ ending: ChildProcess.Ending) -> FileError {
    if child.wasUnwanted { return .cancelled(sink.path) }
    if ending.words.contains(String(cString: strerror(ENOSPC))) { return .writing(sink.path, errno: ENOSPC) }
    if ending.status == -SIGXFSZ || ending.words.contains(String(cString: strerror(EFBIG))) {
      return .writing(sink.path, errno: EFBIG)
    }
    let reason = FFmpeg.reason(ending)
    return FileError(.unwritable, sink.path, "cannot be written by ffmpeg: \(reason)")
  }
}
