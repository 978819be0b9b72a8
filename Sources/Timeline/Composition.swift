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
///
/// Any thread may use a copy but the audio thread.
public struct Composition: Hashable, Sendable {
  /// The tracks, in the order they were added.
  public internal(set) var tracks: [Track] = []
  /// The picture, for exports to movies.
  public var video = VideoTrack()

  /// The longest duration of a composition or a source: 2³⁰ s, or 34 years.
  package static let longest = MediaTime.seconds(1 << 30)

  /// Creates a composition without tracks.
  public init() {}

  /// The end of the last clip of all tracks, enabled or not, and of the picture.
  public var duration: MediaTime { (tracks.map(\.duration) + [video.duration]).max() ?? .zero }

  /// Returns the track with this name; nil if there is none.
  public func track(_ id: TrackID) -> Track? { tracks.first { $0.id == id } }

  /// Adds an empty track.
  ///
  /// - Throws: ``CompositionError/duplicateTrack(_:)``, ``CompositionError/noName``.
  public mutating func add(_ id: TrackID) throws(CompositionError) {
    guard !id.name.isEmpty else { throw .noName }
    guard track(id) == nil else { throw .duplicateTrack(id) }
    tracks.append(Track(id))
  }

  /// Removes a track with its clips.
  ///
  /// - Throws: ``CompositionError/unknownTrack(_:known:)``.
  public mutating func remove(_ id: TrackID) throws(CompositionError) {
    tracks.remove(at: try index(of: id))
  }

  /// Enables or disables a track.
  ///
  /// - Throws: ``CompositionError/unknownTrack(_:known:)``.
  public mutating func setEnabled(_ isEnabled: Bool, of id: TrackID) throws(CompositionError) {
    tracks[try index(of: id)].isEnabled = isEnabled
  }

  /// Sets the factor that multiplies a track's sound, from 0 up. Default: 1.
  ///
  /// - Throws: ``CompositionError/unknownTrack(_:known:)``, ``CompositionError/badVolume(_:)``.
  public mutating func setVolume(_ volume: Float, of id: TrackID) throws(CompositionError) {
    let index = try index(of: id)
    guard volume >= 0, volume.isFinite else { throw .badVolume(volume) }
    tracks[index].volume = volume
  }

  /// Returns the index of a track.
  func index(of id: TrackID) throws(CompositionError) -> Int {
    guard let index = tracks.firstIndex(where: { $0.id == id }) else {
      throw .unknownTrack(id, known: tracks.map(\.id))
    }
    return index
  }
}
