// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Tracks of clips on a timeline, with an optional picture.
///
/// A composition is a value: a copy is a snapshot that no later edit changes. An edit that throws leaves the
/// composition as it was. Times are exact, so that adjacent clips stay adjacent.
///
///     var song = Composition()
///     try song.add("music")
///     try song.insert(.zero ..< .seconds(10), of: AssetReference("a.flac"), in: "music")
///     try song.insert(.zero ..< .seconds(5), of: AssetReference("b.flac"), at: .seconds(5), in: "music")
public struct Composition: Hashable, Sendable {
  /// The tracks, in the order they were added.
  public internal(set) var tracks: [Track] = []
  /// The picture, for exports to movies.
  public var video = VideoTrack()

  /// How long a composition, or a source, may be: 2³⁰ s, or 34 years.
  package static let longest = MediaTime.seconds(1 << 30)

  /// A composition without tracks.
  public init() {}

  /// When its last piece ends, heard or not, or its last clip.
  public var duration: MediaTime { (tracks.map(\.duration) + [video.duration]).max() ?? .zero }

  /// The track of this name.
  public func track(_ id: TrackID) -> Track? { tracks.first { $0.id == id } }

  /// Adds an empty track.
  ///
  /// - Throws: ``CompositionError/duplicateTrack(_:)``, ``CompositionError/noName``.
  public mutating func add(_ id: TrackID) throws(CompositionError) {
    guard !id.name.isEmpty else { throw .noName }
    guard track(id) == nil else { throw .duplicateTrack(id) }
    tracks.append(Track(id))
  }

  /// Removes a track with all that is on it.
  ///
  /// - Throws: ``CompositionError/unknownTrack(_:known:)``.
  public mutating func remove(_ id: TrackID) throws(CompositionError) {
    tracks.remove(at: try place(of: id))
  }

  /// Lets a track be heard, or not.
  ///
  /// - Throws: ``CompositionError/unknownTrack(_:known:)``.
  public mutating func setEnabled(_ isEnabled: Bool, of id: TrackID) throws(CompositionError) {
    tracks[try place(of: id)].isEnabled = isEnabled
  }

  /// Sets the factor that multiplies a track's sound, from 0 up. Default: 1.
  ///
  /// - Throws: ``CompositionError/unknownTrack(_:known:)``, ``CompositionError/badVolume(_:)``.
  public mutating func setVolume(_ volume: Float, of id: TrackID) throws(CompositionError) {
    let place = try place(of: id)
    guard volume >= 0, volume.isFinite else { throw .badVolume(volume) }
    tracks[place].volume = volume
  }

  /// Where a track stands.
  func place(of id: TrackID) throws(CompositionError) -> Int {
    guard let place = tracks.firstIndex(where: { $0.id == id }) else {
      throw .unknownTrack(id, known: tracks.map(\.id))
    }
    return place
  }
}
