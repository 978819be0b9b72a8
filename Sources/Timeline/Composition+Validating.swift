// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Composition {
  /// Checks what editing functions ensure, for a composition from another origin.
  ///
  /// - Throws: the first error that is found.
  package func validate() throws(CompositionError) {
    var names: Set<TrackID> = []
    for track in tracks {
      guard !track.id.name.isEmpty else { throw .noName }
      guard names.insert(track.id).inserted else { throw .duplicateTrack(track.id) }
      guard track.volume >= 0, track.volume.isFinite else { throw .badVolume(track.volume) }
      try track.checkOverlaps()
    }
    try video.track.checkOverlaps()
  }

  /// Creates a composition of existing tracks and an optional picture.
  ///
  /// - Throws: ``CompositionError``, as the editing functions do.
  public init(_ tracks: [Track], video: VideoTrack = VideoTrack()) throws(CompositionError) {
    self.init()
    self.tracks = tracks
    self.video = video
    try validate()
  }
}

extension Track {
  /// Creates a track of clips in any order; ``Composition/init(_:video:)`` checks that they do not overlap.
  public init(_ id: TrackID, isEnabled: Bool = true, volume: Float = 1, segments: [Segment]) {
    self.init(id)
    self.isEnabled = isEnabled
    self.volume = volume
    self.segments = segments.sorted { $0.place.lowerBound < $1.place.lowerBound }
  }

  /// Throws if clips overlap.
  ///
  /// - Throws: ``CompositionError/overlap(_:_:with:)``.
  func checkOverlaps() throws(CompositionError) {
    for (one, other) in zip(segments, segments.dropFirst())
    where other.place.lowerBound < one.place.upperBound {
      throw .overlap(id, other.place, with: one.place)
    }
  }
}
