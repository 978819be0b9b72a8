// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletProcesses

/// Encodes through the `ffmpeg` program: AAC, Apple Lossless, and movies with sound and picture.
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
  ///   - sink: the file, which exists and is empty.
  ///   - picture: the picture of a movie; nil, the default, for none.
  ///   - isUnwanted: returns true once the file is not needed any more; called while waiting for `ffmpeg`.
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
    // The time scale is in frames, so that the length is exact. No time of writing is stored, so that the same sound
    // gives the same file.
    arguments += ["-fflags", "+bitexact", "-flags:a", "+bitexact"]
    let kind = picture?.container.format ?? (format.container == .caf ? "caf" : "ipod")
    if kind != "caf" && kind != "matroska" { arguments += ["-movie_timescale", "\(rate)"] }
    arguments += ["-f", kind, "-y", FFmpeg.name(sink.currentPath)]
    // A large picture takes long to encode, during which ffmpeg does not respond.
    child = try FFmpeg.start(
      "ffmpeg", arguments, for: sink.path, isFed: true, timeout: picture == nil ? nil : 600)
    child.isUnwanted = isUnwanted
  }

  /// Channel layouts without a low-frequency channel, which would lose all other frequencies.
  private static let layouts = [3: "3.0", 6: "6.0", 7: "7.0", 8: "octagonal"]
  /// The channel layouts of Apple Lossless that differ from the default ones.
  private static let losslessLayouts = [3: "3.0", 7: "6.1(back)", 8: "7.1(wide)"]

  /// The channel layouts of FLAC.
  private static let flacLayouts = [3: "3.0", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"]

  private static func codec(_ format: RecordingFormat, rate: Int, channelCount: Int) -> [String] {
    switch format.encoding {
    case .alac16: return ["-c:a", "alac", "-sample_fmt", "s16p"]
    case .alac24: return ["-c:a", "alac", "-sample_fmt", "s32p"]
    case .int24: return ["-c:a", "flac", "-sample_fmt", "s32"]
    case .int8, .int16: return ["-c:a", "flac", "-sample_fmt", "s16"]
    default:
      let bits: Int
      if case .bitRate(let requested) = format.quality {
        bits = requested
      } else {
        var quality = format.encoding.defaultQuality
        if case .quality(let requested) = format.quality { quality = requested }
        bits = Int(Double(min(rate, 48_000) * channelCount) * (0.5 + 3.5 * min(max(quality, 0), 1)))
      }
      // Without perceptual noise substitution, so that frames read after a seek equal those of an uninterrupted pass.
      return ["-c:a", "aac", "-b:a", "\(bits)", "-aac_pns", "0"]
    }
  }

  deinit { abandon() }

  func write(_ samples: [Float], count: Int) throws(FileError) {
    let sampleCount = count * channelCount
    isEmpty = isEmpty && count == 0
    let isTaken: Bool
    if quantizer != nil {
      quantizer?.round(samples, sampleCount)
      isTaken = quantizer?.whole.withUnsafeBytes { feed($0, sampleCount * 4) } ?? false
    } else {
      let safe = samples.prefix(sampleCount).map { $0.isNaN ? 0 : min(max($0, -1), 1) }
      isTaken = safe.withUnsafeBytes { feed($0, sampleCount * 4) }
    }
    guard isTaken else { throw failure(child.finish()) }
  }

  private func feed(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> Bool {
    bytes.baseAddress.map { child.write($0, count) } ?? true
  }

  /// Does nothing: the file is valid only when complete.
  func updateHeader() {}

  func finish() throws(FileError) {
    let ending = child.finish()
    // ffmpeg may end without an error when the disk is full, but prints a message.
    guard ending.status == 0, ending.errorOutput.isEmpty || isOfMovie(ending.errorOutput) else {
      throw failure(ending)
    }
    guard isEmpty, format.container == .caf else { return }
    // Without sound, ffmpeg writes an unreadable CAF file.
    sink.empty()
    let empty = RecordingFormat(container: .caf, encoding: .alac16)
    try SndFileEncoder(
      sink: sink, format: empty, rate: rate, channelCount: channelCount, origin: nil, comment: nil
    ).finish()
  }

  func abandon() { child.end() }

  /// Whether a message concerns a movie that is read instead of the file that is written. Minor damage of a movie is
  /// reported and skipped.
  private func isOfMovie(_ words: String) -> Bool {
    let faults =
      [ENOSPC, EFBIG, EIO, EDQUOT].map { String(cString: strerror($0)) } + ["monoton", "Conversion failed"]
    return picture != nil && !faults.contains { words.contains($0) }
  }

  private func failure(_ ending: ChildProcess.Ending) -> FileError {
    if child.wasUnwanted { return .cancelled(sink.path) }
    if ending.errorOutput.contains(String(cString: strerror(ENOSPC))) {
      return .writing(sink.path, errno: ENOSPC)
    }
    if ending.status == -SIGXFSZ || ending.errorOutput.contains(String(cString: strerror(EFBIG))) {
      return .writing(sink.path, errno: EFBIG)
    }
    let reason = FFmpeg.reason(ending)
    return FileError(.unwritable, sink.path, "cannot be written by ffmpeg: \(reason)")
  }
}
