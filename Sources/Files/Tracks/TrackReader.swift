// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// Reads a track of a composition at a rate: its clips, silence between them, and the levels of a mix.
///
/// Volume and pan are functions of the frame's position in the composition, so live playback, rendering and export give
/// the same result.
final class TrackReader: SoundReader {
  let path: String
  let sampleRate: Int
  let channelCount: Int
  var length: Int? { end }
  private(set) var position = 0

  private let segments: [Segment]
  /// The frame range of each clip.
  private let ranges: [Range<Int>]
  private let end: Int
  private let quality: ResamplingQuality
  private let levels: LaneLevels?
  /// Whether the track is audible.
  private let isHeard: Bool
  /// The clip that was read last.
  private var open: OpenClip?
  /// Called for each clip that cannot be read, which is silent from then on; if nil, such a clip ends the track with
  /// its error.
  private let onLoss: ((_ path: String, FileError) -> Void)?
  /// The number of frames that are read at once; few enough to stay in the processor's cache until the levels are
  /// applied.
  private static let stage = 2048

  /// Creates a reader at the track's beginning. Opens every file whose properties are unknown once, so that missing
  /// files are reported now.
  ///
  /// - Parameters:
  ///   - track: the track. The path of an asset is that of a file.
  ///   - mix: the volume and the pan over time.
  ///   - sampleRate: frames per second.
  ///   - quality: the quality of resampling and stretching.
  ///   - files: the known properties of files, by path; those of other files are added.
  ///   - onLoss: called with the path when a clip can no longer be read. The clip is then silent, and the track
  ///     continues.
  /// - Throws: ``FileError`` that names the file.
  init(
    _ track: Track, mix: TrackMix, sampleRate: Int, quality: ResamplingQuality,
    knowing files: inout [String: AudioFileInfo], onLoss: ((_ path: String, FileError) -> Void)? = nil
  ) throws(FileError) {
    self.onLoss = onLoss
    path = track.segments.first?.asset.path ?? track.id.name
    self.sampleRate = sampleRate
    self.quality = quality
    segments = track.segments
    let rate = Double(sampleRate)
    ranges = segments.map {
      Int($0.range.lowerBound.frames(at: rate))..<Int($0.range.upperBound.frames(at: rate))
    }
    end = Int(track.duration.frames(at: rate))
    var widest = mix.pan == Automation(0) ? 1 : 2
    for segment in segments {
      let path = segment.asset.path
      let file: AudioFileInfo
      if let known = files[path] { file = known } else { file = try AudioFileReader(path).info }
      files[path] = file
      try TrackClip.check(segment, of: file)
      widest = max(widest, file.channelCount)
    }
    channelCount = widest
    levels = LaneLevels(mix, constant: track.volume, sampleRate: rate)
    isHeard = track.isEnabled && track.volume > 0
  }

  func seek(to frame: Int) { position = min(max(frame, 0), end) }

  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    let wanted = min(count, end - position)
    var done = 0
    while done < wanted {
      let target = channels.from(done)
      let index = index(of: position)
      let isSound = index < ranges.count && ranges[index].contains(position)
      let next = index < ranges.count ? (isSound ? ranges[index].upperBound : ranges[index].lowerBound) : end
      let run = min(wanted - done, next - position, Self.stage)
      if isSound, isHeard {
        let width = try readClip(run, of: index, into: target)
        levels?.shape(target, count: run, from: position, isMono: width == 1)
      } else {
        target.clear(run)
      }
      done += run
      position += run
    }
    return max(done, 0)
  }

  /// Returns the index of the first clip that ends after a frame, by binary search.
  private func index(of frame: Int) -> Int {
    var low = 0, high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Reads the next frames of a clip: mono into all channels, otherwise channel by channel.
  ///
  /// - Returns: the clip's channel count.
  private func readClip(_ count: Int, of index: Int, into channels: Channels) throws(FileError) -> Int {
    let clip = open.flatMap { $0.index == index ? $0 : nil } ?? OpenClip(index, channelCount: channelCount)
    open = clip
    if !clip.isLost {
      do throws(FileError) {
        try read(count, of: clip, into: channels)
        clip.note(channels, count)
        return clip.width
      } catch {
        guard let onLoss else { throw error }
        clip.markLost()
        onLoss(segments[index].asset.path, error)
      }
    }
    clip.fadeAway(channels, count, over: max(sampleRate / 200, 1))
    return clip.width
  }

  private func read(_ count: Int, of open: OpenClip, into channels: Channels) throws(FileError) {
    let segment = segments[open.index]
    let clip = try open.clip(segment, sampleRate: sampleRate, quality: quality)
    try clip.seek(to: position - ranges[open.index].lowerBound)
    let width = min(clip.channelCount, channelCount)
    try clip.read(into: channels.first(width), count: count)
    if width < channelCount { channels.mix(channels.first(width), count) }
  }
}
