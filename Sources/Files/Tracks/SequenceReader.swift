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
    let places = sequence.places(in: range)
    let numbers = Set(places.map(\.number))
    open = open.filter { numbers.contains($0.key) }
    for place in places {
      let frames = range.clamped(to: place.start..<(place.end ?? .max))
      do throws(FileError) {
        try add(place, frames, to: channels.from(frames.lowerBound - position))
      } catch {
        open[place.number] = nil
        sequence.fail(place.number, error)
      }
    }
    position = range.upperBound
    return range.count
  }

  /// Adds some frames of a clip.
  private func add(
    _ place: ClipSequence.PlacedClip, _ frames: Range<Int>, to channels: Channels
  ) throws(FileError) {
    let reader = try reader(of: place)
    var done = 0
    while done < frames.count {
      let first = frames.lowerBound + done - place.start, run = min(frames.count - done, Self.stageFrames)
      if reader.position != first { reader.seek(to: first) }
      let got = try reader.read(into: stage.channels, count: run)
      guard got > 0 else { return }
      for channel in 0..<channelCount {
        let (from, to) = (stage.channels[channel], channels.from(done)[channel])
        for frame in 0..<got { to[frame] += from[frame] * level(of: place, at: first + frame) }
      }
      done += got
    }
  }

  /// Returns the gain of a clip at one of its frames.
  private func level(of place: ClipSequence.PlacedClip, at frame: Int) -> Float {
    var level: Float = 1
    if frame < place.fadeIn { level = sinf(.pi / 2 * (Float(frame) + 0.5) / Float(place.fadeIn)) }
    guard let end = place.end else { return level }
    let left = end - place.start - frame
    guard left <= place.fadeOut else { return level }
    let part = (Float(left) - 0.5) / Float(place.fadeOut)
    return level * (place.isCut ? Float(left - 1) / Float(place.fadeOut) : sinf(.pi / 2 * part))
  }

  private func reader(of place: ClipSequence.PlacedClip) throws(FileError) -> ClipReader {
    if let known = open[place.number], known.version == place.version, known.layout == place.layout {
      return known.reader
    }
    let kept = place.opened?.take()?.reader
    let sound =
      if let kept { kept } else {
        try place.sound.open(sampleRate: sampleRate, quality: quality).reader
      }
    let reader = try ClipReader(sound, place.layout, channelCount: channelCount)
    open[place.number] = (place.version, place.layout, reader)
    return reader
  }
}
