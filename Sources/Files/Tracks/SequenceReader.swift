// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Reads the clips of a sequence at their positions, with silence between them. It has no end: silence follows the last
/// clip.
///
/// A clip is opened when its first frames are due, and closed after it. A clip that cannot be read is silent; the
/// others continue.
final class SequenceReader: SoundReader {
  let path = "a player's schedule"
  let channelCount: Int
  let sampleRate: Int
  var length: Int? { nil }
  private(set) var position = 0

  let sequence: ClipSequence
  private let quality: ResamplingQuality
  private var open: [Int: (version: Int, layout: ClipLayout, reader: ClipReader)] = [:]
  private let stage: ChannelMemory
  private static let stageFrames = 4096

  /// Creates a reader at the sequence's beginning.
  ///
  /// - Parameters:
  ///   - channelCount: the channel count that all clips are converted to, 1 or more.
  ///   - quality: the quality of resampling.
  init(_ sequence: ClipSequence, channelCount: Int, sampleRate: Int, quality: ResamplingQuality) {
    self.sequence = sequence
    self.channelCount = max(channelCount, 1)
    self.sampleRate = sampleRate
    self.quality = quality
    stage = ChannelMemory(channelCount: self.channelCount, frameCount: Self.stageFrames)
  }

  func seek(to frame: Int) {
    position = max(frame, 0)
    sequence.begin(at: position)
  }

  func read(into channels: Channels, count: Int) -> Int {
    channels.clear(count)
    let range = position..<position + max(count, 0)
    let clips = sequence.clips(in: range)
    let numbers = Set(clips.map(\.number))
    open = open.filter { numbers.contains($0.key) }
    for clip in clips {
      let frames = range.clamped(to: clip.start..<(clip.end ?? .max))
      do throws(FileError) {
        try add(clip, frames, to: channels.from(frames.lowerBound - position))
      } catch {
        open[clip.number] = nil
        sequence.fail(clip.number, error)
      }
    }
    position = range.upperBound
    return range.count
  }

  /// Adds some frames of a clip.
  private func add(
    _ clip: ClipSequence.PlacedClip, _ frames: Range<Int>, to channels: Channels
  ) throws(FileError) {
    let reader = try reader(of: clip)
    var done = 0
    while done < frames.count {
      let first = frames.lowerBound + done - clip.start, run = min(frames.count - done, Self.stageFrames)
      if reader.position != first { reader.seek(to: first) }
      let got = try reader.read(into: stage.channels, count: run)
      guard got > 0 else { return }
      for channel in 0..<channelCount {
        let (from, to) = (stage.channels[channel], channels.from(done)[channel])
        for frame in 0..<got { to[frame] += from[frame] * level(of: clip, at: first + frame) }
      }
      done += got
    }
  }

  /// Returns the gain of a clip at one of its frames.
  private func level(of clip: ClipSequence.PlacedClip, at frame: Int) -> Float {
    var level: Float = 1
    if frame < clip.fadeIn { level = sinf(.pi / 2 * (Float(frame) + 0.5) / Float(clip.fadeIn)) }
    guard let end = clip.end else { return level }
    let left = end - clip.start - frame
    guard left <= clip.fadeOut else { return level }
    let part = (Float(left) - 0.5) / Float(clip.fadeOut)
    return level * (clip.isCut ? Float(left - 1) / Float(clip.fadeOut) : sinf(.pi / 2 * part))
  }

  private func reader(of clip: ClipSequence.PlacedClip) throws(FileError) -> ClipReader {
    if let known = open[clip.number], known.version == clip.version, known.layout == clip.layout {
      return known.reader
    }
    let kept = clip.opened?.take()?.reader
    let sound =
      if let kept { kept } else {
        try clip.sound.open(sampleRate: sampleRate, quality: quality).reader
      }
    let reader = try ClipReader(sound, clip.layout, channelCount: channelCount)
    open[clip.number] = (clip.version, clip.layout, reader)
    return reader
  }
}
