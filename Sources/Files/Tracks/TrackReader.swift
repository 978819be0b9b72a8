// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// A track of a composition, read at a rate: its pieces, silence between them, and what a mix makes of them.
///
/// Volume and pan are computed for each frame from its place in the composition, so that what plays live, what
/// is rendered and what is exported is the same.
final class TrackReader: SoundReader {
  let path: String
  let sampleRate: Int
  let channelCount: Int
  var length: Int? { end }
  private(set) var position = 0

  private let segments: [Segment]
  /// The frames at which each piece begins and ends.
  private let places: [Range<Int>]
  private let end: Int
  private let quality: ResamplingQuality
  private let levels: LaneLevels?
  /// Whether anything of the track can be heard.
  private let isHeard: Bool
  /// The piece that was read last.
  private var open: OpenPiece?
  /// Called for each piece that cannot be read, which is silent from then on; if nil, such a piece ends the track.
  private let onLoss: ((_ path: String, FileError) -> Void)?
  /// How many frames are read at once: so few that they are still in the cache when they are shaped.
  private static let stage = 2048

  /// A track from its beginning. Every file of which nothing is known is opened once, so that what is missing is told now.
  ///
  /// - Parameters:
  ///   - track: what is played; an asset's path is a file's.
  ///   - mix: how loud it is and where it stands.
  ///   - sampleRate: frames a second.
  ///   - quality: how carefully rates and speeds are changed.
  ///   - files: what is known of files; completed with what is found.
  ///   - onLoss: called with the path when a piece cannot be read any more. The piece is silent, and the track plays on.
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
    places = segments.map {
      Int($0.place.lowerBound.frames(at: rate))..<Int($0.place.upperBound.frames(at: rate))
    }
    end = Int(track.duration.frames(at: rate))
    var widest = mix.pan == Automation(0) ? 1 : 2
    for segment in segments {
      let path = segment.asset.path
      let file: AudioFileInfo
      if let known = files[path] { file = known } else { file = try AudioFileReader(path).info }
      files[path] = file
      try TrackPiece.check(segment, of: file)
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
      let index = place(of: position)
      let isSound = index < places.count && places[index].contains(position)
      let next = index < places.count ? (isSound ? places[index].upperBound : places[index].lowerBound) : end
      let run = min(wanted - done, next - position, Self.stage)
      if isSound, isHeard {
        let width = try lay(run, of: index, into: target)
        levels?.shape(target, count: run, from: position, isMono: width == 1)
      } else {
        target.clear(run)
      }
      done += run
      position += run
    }
    return max(done, 0)
  }

  /// The first piece that ends after a frame, found by halving.
  private func place(of frame: Int) -> Int {
    var low = 0, high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].upperBound <= frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Reads the next frames of a piece: one channel into all, others where they belong.
  ///
  /// - Returns: how many channels the piece has.
  private func lay(_ count: Int, of index: Int, into channels: Channels) throws(FileError) -> Int {
    let piece = open.flatMap { $0.index == index ? $0 : nil } ?? OpenPiece(index, channelCount: channelCount)
    open = piece
    if !piece.isLost {
      do throws(FileError) {
        try read(count, of: piece, into: channels)
        piece.note(channels, count)
        return piece.width
      } catch {
        guard let onLoss else { throw error }
        piece.lose()
        onLoss(segments[index].asset.path, error)
      }
    }
    piece.fadeAway(channels, count, over: max(sampleRate / 200, 1))
    return piece.width
  }

  private func read(_ count: Int, of open: OpenPiece, into channels: Channels) throws(FileError) {
    let segment = segments[open.index]
    let piece = try open.piece(segment, sampleRate: sampleRate, quality: quality)
    try piece.seek(to: position - places[open.index].lowerBound)
    let width = min(piece.channelCount, channelCount)
    try piece.read(into: channels.first(width), count: count)
    if width < channelCount { channels.mix(channels.first(width), count) }
  }
}
