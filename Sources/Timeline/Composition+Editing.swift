// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Composition {
  /// Inserts a part of an asset; what plays there and later on the track comes later.
  ///
  /// - Parameters:
  ///   - source: which part, from a time to a time of the asset.
  ///   - asset: what it is taken from.
  ///   - time: when it plays; the end of the track unless told otherwise. Past the end, silence comes before
  ///     it. In the middle of a piece, that is cut in two.
  ///   - id: the track.
  /// - Throws: ``CompositionError/unknownTrack(_:known:)``, what the initialisers of ``Segment``
  ///   throw, and ``CompositionError/tooLong``.
  public mutating func insert(
    _ source: Range<MediaTime>, of asset: AssetReference, at time: MediaTime? = nil, in id: TrackID
  ) throws(CompositionError) {
    let place = try place(of: id), start = time ?? tracks[place].duration
    guard start >= .zero else { throw .beforeStart(start) }
    let room = start..<max(start, start + (source.upperBound - source.lowerBound))
    let segment = try Segment(of: asset, source, at: room)
    try Self.check(tracks[place].duration + (room.upperBound - start))
    tracks[place].open(room)
    tracks[place].put(segment)
  }

  /// Inserts silence: what plays there and later comes later.
  ///
  /// - Parameters:
  ///   - range: where the silence begins and ends. Nothing plays at the end of a composition, so nothing can
  ///     be made to come later there.
  ///   - id: the track; all of them, and the picture, unless told otherwise. Those that have ended by then stay
  ///     as they are.
  /// - Throws: ``CompositionError/pastEnd(_:end:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``, ``CompositionError/unknownTrack(_:known:)``,
  ///   ``CompositionError/tooLong``.
  public mutating func insertEmpty(_ range: Range<MediaTime>, in id: TrackID? = nil) throws(CompositionError)
  {
    let places = try places(of: id)
    try Self.check(range, endsAt: .latest)
    guard range.lowerBound < duration else { throw .pastEnd(range.lowerBound, end: duration) }
    try Self.check(duration + (range.upperBound - range.lowerBound))
    for place in places { tracks[place].open(range) }
    if id == nil { video.track.open(range) }
  }

  /// Takes a range out: what comes after it comes that much earlier. Tracks stay, even if nothing is left on
  /// them.
  ///
  /// - Parameters:
  ///   - range: from a time to a time.
  ///   - id: the track; all of them, and the picture, unless told otherwise.
  /// - Throws: ``CompositionError/pastEnd(_:end:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``, ``CompositionError/unknownTrack(_:known:)``.
  public mutating func remove(_ range: Range<MediaTime>, in id: TrackID? = nil) throws(CompositionError) {
    let places = try places(of: id)
    try Self.check(range, endsAt: duration)
    for place in places { tracks[place].close(range) }
    if id == nil { video.track.close(range) }
  }

  /// Plays a range in another length of time, faster or slower; what comes after it comes earlier or later.
  ///
  /// - Parameters:
  ///   - range: from a time to a time.
  ///   - length: how long it shall take; above 0.
  ///   - keepingPitch: whether the pitch stays as it was, or goes with the speed, as on tape.
  ///   - id: the track; all of them, and the picture, unless told otherwise.
  /// - Throws: ``CompositionError/pastEnd(_:end:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``, ``CompositionError/badLength(_:)``,
  ///   ``CompositionError/unknownTrack(_:known:)``, ``CompositionError/tooLong``.
  public mutating func scale(
    _ range: Range<MediaTime>, to length: MediaTime, keepingPitch: Bool = true, in id: TrackID? = nil
  ) throws(CompositionError) {
    let places = try places(of: id)
    try Self.check(range, endsAt: duration)
    guard length > .zero else { throw .badLength(length) }
    try Self.check(duration - (range.upperBound - range.lowerBound) + length)
    for place in places { tracks[place].stretch(range, to: length, keepingPitch: keepingPitch) }
    if id == nil { video.track.stretch(range, to: length, keepingPitch: keepingPitch) }
  }

  /// The place of one track, or of all.
  private func places(of id: TrackID?) throws(CompositionError) -> Range<Int> {
    guard let id else { return tracks.indices }
    let place = try place(of: id)
    return place..<(place + 1)
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
