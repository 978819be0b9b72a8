// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The reason why a composition refuses an edit. The composition is unchanged.
@nonexhaustive public enum CompositionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The track does not exist; the known tracks are given.
  case unknownTrack(TrackID, known: [TrackID])
  /// Another track has this name.
  case duplicateTrack(TrackID)
  /// The track has no name.
  case noName
  /// The time is before the start.
  case beforeStart(MediaTime)
  /// The range is empty.
  case emptyRange(MediaTime)
  /// The time is past the end of the composition.
  case pastEnd(MediaTime, end: MediaTime)
  /// The range ends past the end of the asset.
  case pastAsset(String, Range<MediaTime>, length: MediaTime)
  /// The clip begins at or past the end of its asset.
  case startPastAsset(String, MediaTime, length: MediaTime)
  /// The length is not above 0.
  case badLength(MediaTime)
  /// The volume is below 0, infinite or not a number.
  case badVolume(Float)
  /// Two clips of one track overlap.
  case overlap(TrackID, Range<MediaTime>, with: Range<MediaTime>)
  /// The composition, or the time in the asset, would exceed 34 years.
  case tooLong

  public var description: String {
    switch self {
    case .unknownTrack(let track, let known):
      "there is no track '\(track)': "
        + (known.isEmpty ? "add it first" : "there are " + known.map(\.name).joined(separator: ", "))
    case .duplicateTrack(let track): "there is a track '\(track)' already: choose another name"
    case .noName: "the name of a track is empty: choose one"
    case .beforeStart(let time): "\(time) is before the start, which is 0s"
    case .emptyRange(let time):
      "the range ends where it begins, at \(time): give the time of its end, not its length"
    case .pastEnd(let time, let end):
      "\(time) is past the end of the composition, which is \(end): use an earlier time"
    case .pastAsset(let path, let range, let length):
      "'\(path)' is \(length) long, so it has no part from \(range.lowerBound) to \(range.upperBound)"
    case .startPastAsset(let path, let start, let length):
      "'\(path)' is \(length) long, so a clip cannot start at \(start)"
    case .badLength(let length): "a length of \(length) is not possible: use more than 0s"
    case .badVolume(let volume): "a volume of \(volume) is not possible: it is 0 or more"
    case .overlap(let track, let range, let other):
      "on track '\(track)', the clip from \(range.lowerBound) to \(range.upperBound) overlaps the clip "
        + "from \(other.lowerBound) to \(other.upperBound)"
    case .tooLong: "the composition or the asset would be longer than 34 years: use shorter times"
    }
  }
}
