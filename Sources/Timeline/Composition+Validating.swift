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
