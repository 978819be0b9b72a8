// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletProcesses
internal import Synchronization

/// Reads what libsndfile cannot, through the `ffmpeg` program: the first track of sound in a file.
///
/// It runs only while something is read. To seek is to start it anew: a little ahead, where times in the file
/// are exact, and else at the beginning.
final class FFmpegDecoder: FrameDecoder {
  let info: AudioFileInfo
  /// The child uses all processors by itself.
  var beginsAnywhere: Bool { false }
  private let kind: SoundSignature
  private let canBeginAnywhere: Bool
  /// How many frames of silence come before the sound, while a picture is shown already.
  private let lateFrames: Int
  private var child: ChildProcess?
  /// The next frame that the child writes, or would.
  private var position = 0
  /// The next frame that is wanted.
  private var target = 0
  private var scratch: [Float] = []
  private var deinterleaver = Deinterleaver()

  /// A codec needs some frames before it is itself again; these are heard by nobody.
  private static let lead = 16_384
  /// What may be missing at the end of a whole file: codecs disagree about their last block.
  private static let leeway = 4096

  /// Opens a file of a kind.
  ///
  /// - Throws: ``FileError``: no `ffmpeg`, no sound, broken.
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
      // What such a file says of its length is a guess: it is counted.
      info.frameCount = try FFmpegDecoder.frames(info, kind) + found.lateFrames
    }
    self.info = info
  }

  /// What was counted, and of which state of the file: a file is opened more than once before it is heard.
  private static let counted = Mutex<[String: (stamp: FileStamp, frames: Int)]>([:])

  /// What was counted of a file, if that still holds.
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
      // Whole microseconds, as the caller sees to.
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
    try catchUp()
    let got = try deinterleaver.read(
      into: channels, count: min(count, info.frameCount - target), from: take(into:_:))
    target += got
    return got
  }

  func seek(to frame: Int) throws(FileError) { target = frame }

  /// Brings the child to the frame that is wanted.
  private func catchUp() throws(FileError) {
    let rate = Int(info.sampleRate)
    if child == nil || target < position || (canBeginAnywhere && target - position > 8 * rate) {
      child?.end()
      child = nil
      let step = rate / greatestCommonDivisor(rate, 1_000_000)
      position = canBeginAnywhere ? max(0, target - FFmpegDecoder.lead) / step * step : 0
      child = try FFmpegDecoder.start(info.path, kind, at: position, rate, late: lateFrames)
    }
    if scratch.isEmpty && position < target {
      scratch = [Float](repeating: 0, count: 4096 * info.channelCount)
    }
    while position < target {
      var room = scratch
      scratch = []
      let run = min(4096, target - position)
      let got = try room.withUnsafeMutableBufferPointer { room throws(FileError) in
        try room.baseAddress.map { base throws(FileError) in try take(into: base, run) } ?? 0
      }
      scratch = room
      guard got > 0 else { return }
    }
  }

  /// Whole frames from the child; silence for the last few that it does not have.
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
      try judgeEnd(at: position + frames)
      for sample in frames * info.channelCount..<count * info.channelCount { buffer[sample] = 0 }
      frames = count
    }
    position += frames
    return frames
  }

  /// The child has no more: whether that is an end to be content with.
  private func judgeEnd(at frame: Int) throws(FileError) {
    guard let ending = child?.finish() else { return }
    guard ending.status == 0, info.frameCount - frame <= FFmpegDecoder.leeway else {
      let reason = ending.words.isEmpty ? "" : " (\(FFmpeg.reason(ending)))"
      throw FileError(
        .truncated, info.path,
        "ends after \(frame) of \(info.frameCount) frames\(reason); get a whole copy")
    }
  }
}
