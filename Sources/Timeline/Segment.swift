// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A clip: a part of an asset at its position on a track.
public struct Segment: Hashable, Sendable {
  /// The asset that the sound comes from.
  public let asset: AssetReference
  /// The part of the asset that is played; never empty.
  public let source: Range<MediaTime>
  /// The position on the track; never empty. If its length differs from that of the source, the source is played
  /// faster or slower.
  public let place: Range<MediaTime>
  /// Whether the pitch stays at another speed. If false, the pitch follows the speed, as on tape.
  public let keepsPitch: Bool

  /// Creates a clip of an asset.
  ///
  /// - Throws: ``CompositionError/emptyRange(_:)``, ``CompositionError/beforeStart(_:)``,
  ///   ``CompositionError/pastAsset(_:_:length:)``, ``CompositionError/tooLong``.
  public init(
    of asset: AssetReference, _ source: Range<MediaTime>, at place: Range<MediaTime>, keepsPitch: Bool = true
  ) throws(CompositionError) {
    for range in [source, place] {
      guard range.lowerBound >= .zero else { throw .beforeStart(range.lowerBound) }
      guard range.upperBound <= Composition.longest else { throw .tooLong }
      guard !range.isEmpty else { throw .emptyRange(range.lowerBound) }
    }
    if let length = asset.duration, source.upperBound > length {
      throw .pastAsset(asset.path, source, length: length)
    }
    self.init(asset, source, place, keepsPitch)
  }

  private init(
    _ asset: AssetReference, _ source: Range<MediaTime>, _ place: Range<MediaTime>, _ keepsPitch: Bool
  ) {
    self.asset = asset
    self.source = source
    self.place = place
    self.keepsPitch = keepsPitch
  }

  /// The speed factor: 1 is the original speed, 2 is twice as fast.
  package var speed: Double {
    source.upperBound.seconds(since: source.lowerBound) / place.upperBound.seconds(since: place.lowerBound)
  }

  /// Returns the time in the asset at a time of the composition; outside of the clip, its nearer end.
  package func source(at time: MediaTime) -> MediaTime {
    let length = source.upperBound - source.lowerBound
    let into = (time - place.lowerBound).scaled(from: place.upperBound - place.lowerBound, to: length)
    return max(source.lowerBound, min(source.lowerBound + into, source.upperBound))
  }

  /// Returns the clip at another position.
  func moved(to place: Range<MediaTime>, keepingPitch keepsPitch: Bool? = nil) -> Segment {
    Segment(asset, source, place, keepsPitch ?? self.keepsPitch)
  }

  /// Splits the clip at a time; a part is nil if it would be empty.
  func split(at time: MediaTime) -> (before: Segment?, after: Segment?) {
    guard place.lowerBound < time else { return (nil, self) }
    guard time < place.upperBound else { return (self, nil) }
    let cut = source(at: time)
    let before = Segment(asset, source.lowerBound..<cut, place.lowerBound..<time, keepsPitch)
    let after = Segment(asset, cut..<source.upperBound, time..<place.upperBound, keepsPitch)
    return (before.source.isEmpty ? nil : before, after.source.isEmpty ? nil : after)
  }
}
