// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Composition {
  /// Inserts a part of an asset. Clips at the position and after it move later.
  ///
  /// - Parameters:
  ///   - source: the part, from a time to a time of the asset.
  ///   - asset: the asset.
  ///   - time: the position; default: the end of the track. Past the end, silence is inserted before it. In the
  ///     middle of a clip, the clip is cut in two.
  ///   - id: the track.
  /// - Throws: ``CompositionError/unknownTrack(_:known:)``, what the initialisers of ``Segment``
  ///   throw, and ``CompositionError/tooLong``.
  public mutating func insert(
    _ source: Range<MediaTime>, of asset: AssetReference, at time: MediaTime? = nil, in id: TrackID
  ) throws(CompositionError) {
    let index = try index(of: id), start = time ?? tracks[index].duration
    guard start >= .zero else { throw .beforeStart(start) }
    let range = start..<max(start, start + (source.upperBound - source.lowerBound))
    let segment = try Segment(of: asset, source, at: range)
    try Self.check(tracks[index].duration + (range.upperBound - start))
    tracks[index].open(range)
    tracks[index].put(segment)
  }

  /// Inserts silence. Clips at its start and after it move later.
  ///
  /// - Parameters:
  ///   - range: the start and the end of the silence. At the end of a composition nothing can be inserted.
  ///   - id: the track; default: all tracks, and the picture. Tracks that have ended before the range do not change.
  /// - Throws: ``CompositionError/pastEnd(_:end:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``, ``CompositionError/unknownTrack(_:known:)``,
  ///   ``CompositionError/tooLong``.
  public mutating func insertEmpty(_ range: Range<MediaTime>, in id: TrackID? = nil) throws(CompositionError)
  {
    let indices = try indices(of: id)
    try Self.check(range, endsAt: .latest)
    guard range.lowerBound < duration else { throw .pastEnd(range.lowerBound, end: duration) }
    try Self.check(duration + (range.upperBound - range.lowerBound))
    for index in indices { tracks[index].open(range) }
    if id == nil { video.track.open(range) }
  }

  /// Removes a range. Clips after it move earlier by its length. Tracks stay, also if they are empty.
  ///
  /// - Parameters:
  ///   - range: from a time to a time.
  ///   - id: the track; default: all tracks, and the picture.
  /// - Throws: ``CompositionError/pastEnd(_:end:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``, ``CompositionError/unknownTrack(_:known:)``.
  public mutating func remove(_ range: Range<MediaTime>, in id: TrackID? = nil) throws(CompositionError) {
    let indices = try indices(of: id)
    try Self.check(range, endsAt: duration)
    for index in indices { tracks[index].close(range) }
    if id == nil { video.track.close(range) }
  }

  /// Stretches a range to another length, so that it plays faster or slower. Clips after it move.
  ///
  /// - Parameters:
  ///   - range: from a time to a time.
  ///   - length: the new length, above 0.
  ///   - keepingPitch: whether the pitch stays; default: true. If false, the pitch follows the speed, as on tape.
  ///   - id: the track; default: all tracks, and the picture.
  /// - Throws: ``CompositionError/pastEnd(_:end:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``, ``CompositionError/badLength(_:)``,
  ///   ``CompositionError/unknownTrack(_:known:)``, ``CompositionError/tooLong``.
  public mutating func scale(
    _ range: Range<MediaTime>, to length: MediaTime, keepingPitch: Bool = true, in id: TrackID? = nil
  ) throws(CompositionError) {
    let indices = try indices(of: id)
    try Self.check(range, endsAt: duration)
    guard length > .zero else { throw .badLength(length) }
    try Self.check(duration - (range.upperBound - range.lowerBound) + length)
    for index in indices { tracks[index].stretch(range, to: length, keepingPitch: keepingPitch) }
    if id == nil { video.track.stretch(range, to: length, keepingPitch: keepingPitch) }
  }

  /// Returns the index of one track, or of all.
  private func indices(of id: TrackID?) throws(CompositionError) -> Range<Int> {
    guard let id else { return tracks.indices }
    let index = try index(of: id)
    return index..<(index + 1)
  }

  static func check(_ range: Range<MediaTime>, endsAt end: MediaTime) throws(CompositionError) {
    guard range.lowerBound >= .zero else { throw .beforeStart(range.lowerBound) }
    guard !range.isEmpty else { throw .emptyRange(range.lowerBound) }
    guard range.upperBound <= end else { throw .pastEnd(range.upperBound, end: end) }
  }

  static func check(_ end: MediaTime) throws(CompositionError) {
    guard end <= Self.longest else { throw .tooLong }
  }
}
