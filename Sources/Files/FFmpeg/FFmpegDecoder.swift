// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletProcesses
internal import Synchronization

/// Decodes files that libsndfile cannot read, through the `ffmpeg` program: the first audio track of a file.
///
/// The program runs only while the file is read. A seek starts it again: shortly before the target if times in the file
/// are exact, otherwise at the beginning.
final class FFmpegDecoder: FrameDecoder {
  let info: AudioFileInfo
  /// False: several decoders would gain nothing, since the child process uses all processors by itself.
  var supportsRandomAccess: Bool { false }
  private let kind: SoundSignature
  private let canBeginAnywhere: Bool
  /// The number of silent frames before the sound, if the picture starts earlier.
  private let lateFrames: Int
  private var child: ChildProcess?
  /// The next frame that the child process writes, or would write.
  private var position = 0
  /// The next frame to return.
  private var target = 0
  private var scratch: [Float] = []
  private var deinterleaver = Deinterleaver()

  /// The number of frames that a codec needs after a seek to recover; they are dropped.
  private static let prerollFrames = 16_384
  /// The number of frames that may be missing at the end of a complete file, since codecs disagree on their last block.
  private static let leeway = 4096

  /// Opens a file of a format.
  ///
  /// - Throws: ``FileError``: `ffmpeg` is not installed, the file holds no sound, or the file is damaged.
  init(_ path: String, _ kind: SoundSignature) throws(FileError) {
    self.kind = kind
    if kind.format == "mov", let cut = Truncation.ofBoxes(path) {
      throw FileError(.truncated, path, "is cut short: \(cut); get a whole copy")
    }
    let found = try FFmpegProbe.probe(path, kind)
    canBeginAnywhere = kind.isExact && found.beginsAtZero
    lateFrames = found.lateFrames
    var info = AudioFileInfo(
      path: path, container: kind.name, encoding: found.codec, sampleRate: Double(found.rate),
      channelCount: found.channels, frameCount: max(found.frames, 0) + found.lateFrames, tags: found.tags)
    if !kind.isExact {
      // The length in such a file is an estimate, so the frames are counted.
      info.frameCount = try FFmpegDecoder.frames(info, kind) + found.lateFrames
    }
    self.info = info
  }

  /// The frame counts of files and the file states that they belong to. A file is often opened several times before it
  /// is played.
  private static let counted = Mutex<[String: (stamp: FileStamp, frames: Int)]>([:])

  /// Returns the frame count of a file if it has not changed since it was counted.
  static func known(_ path: String) -> Int? {
    guard let known = counted.withLock({ $0[path] }), known.stamp == FileStamp(path) else { return nil }
    return known.frames
  }

  private static func frames(_ info: AudioFileInfo, _ kind: SoundSignature) throws(FileError) -> Int {
    if let known = known(info.path) { return known }
    let stamp = FileStamp(info.path), frames = try count(info, kind)
    if let stamp, stamp.isSettled, FileStamp(info.path) == stamp {
      counted.withLock { counted in
        if counted.count > 1000 { counted = [:] }
        counted[info.path] = (stamp, frames)
      }
    }
    return frames
  }

  private static func start(
    _ path: String, _ kind: SoundSignature, at frame: Int, _ rate: Int, late: Int = 0
  )
    throws(FileError)
    -> ChildProcess
  {
    var arguments = ["-nostdin", "-protocol_whitelist", "file,pipe", "-f", kind.format]
    if frame > 0 {
      // The caller chooses a frame at a whole number of microseconds.
      let (seconds, rest) = (frame / rate, frame % rate * 1_000_000 / rate)
      arguments += ["-ss", "\(seconds).\(String(repeating: "0", count: 6 - "\(rest)".count))\(rest)"]
    }
    arguments += ["-i", FFmpeg.name(path), "-map", "0:a:0"]
    if late > 0 { arguments += ["-af", "adelay=\(late)S:all=1"] }
    arguments += ["-f", "f32le", "-c:a", "pcm_f32le", "pipe:1"]
    return try FFmpeg.start("ffmpeg", arguments, for: path)
  }

  private static func count(_ info: AudioFileInfo, _ kind: SoundSignature) throws(FileError) -> Int {
    let child = try start(info.path, kind, at: 0, Int(info.sampleRate))
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    while true {
      let got = child.read(into: &bytes, bytes.count)
      guard got > 0 else { break }
      total += got
    }
    let ending = child.finish()
    guard ending.status == 0 else {
      throw FileError(.notAudio, info.path, "is broken: \(FFmpeg.reason(ending))")
    }
    return total / (4 * info.channelCount)
  }

  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    try skipToTarget()
    let got = try deinterleaver.read(
      into: channels, count: min(count, info.frameCount - target), from: take(into:_:))
    target += got
    return got
  }

  func seek(to frame: Int) throws(FileError) { target = frame }

  /// Advances the child process to the next frame to return.
  private func skipToTarget() throws(FileError) {
    let rate = Int(info.sampleRate)
    if child == nil || target < position || (canBeginAnywhere && target - position > 8 * rate) {
      child?.end()
      child = nil
      let step = rate / greatestCommonDivisor(rate, 1_000_000)
      position = canBeginAnywhere ? max(0, target - FFmpegDecoder.prerollFrames) / step * step : 0
      child = try FFmpegDecoder.start(info.path, kind, at: position, rate, late: lateFrames)
    }
    if scratch.isEmpty && position < target {
      scratch = [Float](repeating: 0, count: 4096 * info.channelCount)
    }
    while position < target {
      var buffer = scratch
      scratch = []
      let run = min(4096, target - position)
      let got = try buffer.withUnsafeMutableBufferPointer { buffer throws(FileError) in
        try buffer.baseAddress.map { base throws(FileError) in try take(into: base, run) } ?? 0
      }
      scratch = buffer
      guard got > 0 else { return }
    }
  }

  /// Reads frames from the child process. The last few that may be missing are silence.
  private func take(into buffer: UnsafeMutablePointer<Float>, _ count: Int) throws(FileError) -> Int {
    let width = 4 * info.channelCount
    var filled = 0
    while filled < count * width {
      let got = child?.read(into: UnsafeMutableRawPointer(buffer) + filled, count * width - filled) ?? 0
      guard got > 0 else { break }
      filled += got
    }
    var frames = filled / width
    if frames < count {
      try checkEnd(at: position + frames)
      for sample in frames * info.channelCount..<count * info.channelCount { buffer[sample] = 0 }
      frames = count
    }
    position += frames
    return frames
  }

  /// Checks whether the file may end at this frame.
  private func checkEnd(at frame: Int) throws(FileError) {
    guard let ending = child?.finish() else { return }
    guard ending.status == 0, info.frameCount - frame <= FFmpegDecoder.leeway else {
      let reason = ending.errorOutput.isEmpty ? "" : " (\(FFmpeg.reason(ending)))"
      throw FileError(
        .truncated, info.path,
        "ends after \(frame) of \(info.frameCount) frames\(reason); get a whole copy")
    }
  }
}
