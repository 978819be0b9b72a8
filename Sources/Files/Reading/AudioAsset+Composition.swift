// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

// A composition keeps the path of an asset only: it stays a value that is compared, copied and stored as text.

extension AssetReference {
  /// Refers to the file of an asset.
  ///
  /// - Parameters:
  ///   - asset: the asset, which need not be loaded.
  ///   - duration: the asset's length, from `try await asset.duration`: then edits refuse what is past the end. If nil,
  ///     only playing it does.
  public init(_ asset: AudioAsset, duration: MediaTime? = nil) {
    self.init(asset.path, duration: duration)
  }

  /// Refers to the file at a location, such as a `URL`.
  ///
  /// - Parameters:
  ///   - location: the file, which need not exist.
  ///   - duration: the file's length, where it is known; then edits refuse what is past the end.
  /// - Throws: ``FileError`` of kind `badName` for a URL that is not a file of this machine.
  public init(_ location: some FileLocation, duration: MediaTime? = nil) throws(FileError) {
    self.init(try location.filePath, duration: duration)
  }
}

extension Segment {
  /// A clip of an asset at its position, as with an ``AssetReference`` whose length is unknown.
  ///
  /// - Throws: ``CompositionError/emptyRange(_:)``, ``CompositionError/beforeStart(_:)``,
  ///   ``CompositionError/tooLong``.
  public init(
    of asset: AudioAsset, _ source: Range<MediaTime>, at place: Range<MediaTime>, keepsPitch: Bool = true
  ) throws(CompositionError) {
    try self.init(of: AssetReference(asset), source, at: place, keepsPitch: keepsPitch)
  }
}

extension Composition {
  /// Inserts a part of an asset; what plays there and later on the track comes later.
  ///
  /// Does not read the file. To refuse what is past the asset's end, insert
  /// `AssetReference(asset, duration: try await asset.duration)`.
  ///
  /// - Parameters:
  ///   - source: which part, from a time to a time of the asset.
  ///   - asset: what it is taken from.
  ///   - time: when it plays; the end of the track by default. Past the end, silence comes before it. In the middle of
  ///     a piece, that is cut in two.
  ///   - id: the track.
  /// - Throws: ``CompositionError/unknownTrack(_:known:)``, ``CompositionError/emptyRange(_:)``,
  ///   ``CompositionError/beforeStart(_:)``, ``CompositionError/tooLong``.
  public mutating func insert(
    _ source: Range<MediaTime>, of asset: AudioAsset, at time: MediaTime? = nil, in id: TrackID
  ) throws(CompositionError) {
    try insert(source, of: AssetReference(asset), at: time, in: id)
  }
}

extension VideoTrack {
  /// Inserts a part of a movie; what is shown there and later comes later. Does not read the file.
  ///
  /// - Parameters:
  ///   - source: which part, from a time to a time of the movie.
  ///   - movie: what it is taken from.
  ///   - time: when it is shown; the end by default. Past the end, black comes before it. In the middle of a clip, that
  ///     is cut in two.
  /// - Throws: ``CompositionError/emptyRange(_:)``, ``CompositionError/beforeStart(_:)``,
  ///   ``CompositionError/tooLong``.
  public mutating func insert(
    _ source: Range<MediaTime>, of movie: AudioAsset, at time: MediaTime? = nil
  ) throws(CompositionError) {
    try insert(source, of: AssetReference(movie), at: time)
  }
}
