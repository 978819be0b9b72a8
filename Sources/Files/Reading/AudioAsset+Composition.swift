// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

// A composition stores only the path of an asset, so that it remains a value that can be compared, copied and stored as
// text.

extension AssetReference {
  /// Creates a reference to the file of an asset.
  ///
  /// - Parameters:
  ///   - asset: the asset, which need not be loaded.
  ///   - duration: the asset's length, from `try await asset.duration`. Edits then refuse times past the end. If nil,
  ///     the default, such times fail only in playback.
  public init(_ asset: AudioAsset, duration: MediaTime? = nil) {
    self.init(asset.path, duration: duration)
  }

  /// Creates a reference to the file at a location, such as a `URL`.
  ///
  /// - Parameters:
  ///   - location: the file, which need not exist.
  ///   - duration: the file's length, if known. Edits then refuse times past the end. The default is nil.
  /// - Throws: ``FileError`` of kind `badName` for a URL that is not a file of this machine.
  public init(_ location: some FileLocation, duration: MediaTime? = nil) throws(FileError) {
    self.init(try location.filePath, duration: duration)
  }
}

extension Segment {
  /// Creates a clip of an asset at its position, as with an ``AssetReference`` of unknown length.
  ///
  /// - Throws: ``CompositionError/emptyRange(_:)``, ``CompositionError/beforeStart(_:)``, ``CompositionError/tooLong``.
  public init(
    of asset: AudioAsset, _ source: Range<MediaTime>, at range: Range<MediaTime>, keepsPitch: Bool = true
  ) throws(CompositionError) {
    try self.init(of: AssetReference(asset), source, at: range, keepsPitch: keepsPitch)
  }
}

extension Composition {
  /// Inserts a part of an asset. Clips at that time and later on the track move to later times.
  ///
  /// Does not read the file. To refuse times past the asset's end, insert
  /// `AssetReference(asset, duration: try await asset.duration)`.
  ///
  /// - Parameters:
  ///   - source: the time range of the asset.
  ///   - asset: the asset.
  ///   - time: the time at which it plays; the default is the end of the track. After the end, the gap before it is
  ///     silent. Within a clip, that clip is split.
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
  /// Inserts a part of a movie. Clips at that time and later move to later times. Does not read the file.
  ///
  /// - Parameters:
  ///   - source: the time range of the movie.
  ///   - movie: the movie.
  ///   - time: the time at which it is shown; the default is the end. After the end, the gap before it is black. Within
  ///     a clip, that clip is split.
  /// - Throws: ``CompositionError/emptyRange(_:)``, ``CompositionError/beforeStart(_:)``,
  ///   ``CompositionError/tooLong``.
  public mutating func insert(
    _ source: Range<MediaTime>, of movie: AudioAsset, at time: MediaTime? = nil
  ) throws(CompositionError) {
    try insert(source, of: AssetReference(movie), at: time)
  }
}
