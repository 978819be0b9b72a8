// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The picture of a composition: a sequence of movie clips, with black between them.
///
///     try film.video.insert(.seconds(2) ..< .seconds(10), of: AssetReference("movie.mp4"))
///
/// An export stores the picture beside the sound. It is edited like a track of sound. The sound of a movie is not
/// included: insert the movie into a track, too. A clip that is stretched plays faster or slower.
///
/// A value, for any thread but the audio thread.
public struct VideoTrack: Hashable, Sendable {
  /// The name of the picture in errors.
  static let id = TrackID("video")
  var track = Track(VideoTrack.id)

  /// Creates an empty picture.
  public init() {}

  /// Creates a picture of clips in any order.
  ///
  /// - Throws: ``CompositionError/overlap(_:_:with:)``.
  public init(_ clips: [Segment]) throws(CompositionError) {
    track = Track(VideoTrack.id, segments: clips)
    try track.checkOverlaps()
  }

  /// The clips, in the order of their positions; they never overlap.
  public var clips: [Segment] { track.segments }

  /// Whether there is no picture.
  package var isEmpty: Bool { clips.isEmpty }

  /// The end of the last clip.
  public var duration: MediaTime { track.duration }

  /// Returns the clip that is shown at a time; nil if the picture is black.
  package func clip(at time: MediaTime) -> Segment? { track.segment(at: time) }

  /// Returns the picture within a range of time, moved to begin at 0. Outside of the clips it is black.
  package func part(_ range: Range<MediaTime>) -> VideoTrack {
    var part = self
    if range.upperBound < duration { part.track.close(max(range.upperBound, .zero)..<duration) }
    if range.lowerBound > .zero, !part.isEmpty { part.track.close(.zero..<range.lowerBound) }
    return part
  }
}

extension VideoTrack {
  /// Inserts a part of a movie. Clips at the position and after it move later.
  ///
  /// - Parameters:
  ///   - source: the part, from a time to a time of the movie.
  ///   - movie: the movie.
  ///   - time: the position; default: the end. Past the end, black is inserted before it. In the middle of a clip,
  ///     the clip is cut in two.
  /// - Throws: what the initialisers of ``Segment`` throw, and ``CompositionError/tooLong``.
  public mutating func insert(
    _ source: Range<MediaTime>, of movie: AssetReference, at time: MediaTime? = nil
  ) throws(CompositionError) {
    let start = time ?? duration
    guard start >= .zero else { throw .beforeStart(start) }
    let range = start..<max(start, start + (source.upperBound - source.lowerBound))
    let clip = try Segment(of: movie, source, at: range)
    try Composition.check(duration + (range.upperBound - start))
    track.open(range)
    track.put(clip)
  }

  /// Inserts black. Clips at its start and after it move later.
  ///
  /// - Throws: ``CompositionError/pastEnd(_:end:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``, ``CompositionError/tooLong``.
  public mutating func insertEmpty(_ range: Range<MediaTime>) throws(CompositionError) {
    try Composition.check(range, endsAt: .latest)
    guard range.lowerBound < duration else { throw .pastEnd(range.lowerBound, end: duration) }
    try Composition.check(duration + (range.upperBound - range.lowerBound))
    track.open(range)
  }

  /// Removes a range. Clips after it move earlier by its length.
  ///
  /// - Throws: ``CompositionError/pastEnd(_:end:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``.
  public mutating func remove(_ range: Range<MediaTime>) throws(CompositionError) {
    try Composition.check(range, endsAt: duration)
    track.close(range)
  }

  /// Stretches a range to another length. Clips after it move.
  ///
  /// - Throws: ``CompositionError/pastEnd(_:end:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``, ``CompositionError/badLength(_:)``, ``CompositionError/tooLong``.
  public mutating func scale(_ range: Range<MediaTime>, to length: MediaTime) throws(CompositionError) {
    try Composition.check(range, endsAt: duration)
    guard length > .zero else { throw .badLength(length) }
    try Composition.check(duration - (range.upperBound - range.lowerBound) + length)
    track.stretch(range, to: length, keepingPitch: true)
  }
}

extension VideoTrack: Codable {
  /// Decodes clips. Throws if they overlap.
  public init(from decoder: any Decoder) throws {
    let clips = try decoder.singleValueContainer().decode([Segment].self)
    do { try self.init(clips) } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  /// Encodes the clips.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(clips)
  }
}
