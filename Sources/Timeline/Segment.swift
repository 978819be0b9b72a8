// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A clip: a part of an asset at its position on a track.
public struct Segment: Hashable, Sendable {
  /// The asset that the sound comes from.
  public let asset: AssetReference
  /// Which part of it is played; never empty.
  public let source: Range<MediaTime>
  /// When it is played; never empty. Where it is not as long as its source, the source is played faster or
  /// slower.
  public let place: Range<MediaTime>
  /// Whether another speed leaves the pitch as it was; else both change, as on tape.
  public let keepsPitch: Bool

  /// A clip of an asset.
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

  /// How fast it plays: 1 as it was recorded, 2 in half the time.
  package var speed: Double {
    source.upperBound.seconds(since: source.lowerBound) / place.upperBound.seconds(since: place.lowerBound)
  }

  /// Which moment of the asset plays at a time of the composition; the nearer end outside its place.
  package func source(at time: MediaTime) -> MediaTime {
    let length = source.upperBound - source.lowerBound
    let into = (time - place.lowerBound).scaled(from: place.upperBound - place.lowerBound, to: length)
    return max(source.lowerBound, min(source.lowerBound + into, source.upperBound))
  }

  /// The same piece at another place.
  func moved(to place: Range<MediaTime>, keepingPitch keepsPitch: Bool? = nil) -> Segment {
    Segment(asset, source, place, keepsPitch ?? self.keepsPitch)
  }

  /// The part before a time, and the part from it on; nil where nothing is left of one.
  func split(at time: MediaTime) -> (before: Segment?, after: Segment?) {
    guard place.lowerBound < time else { return (nil, self) }
    guard time < place.upperBound else { return (self, nil) }
    let cut = source(at: time)
    let before = Segment(asset, source.lowerBound..<cut, place.lowerBound..<time, keepsPitch)
    let after = Segment(asset, cut..<source.upperBound, time..<place.upperBound, keepsPitch)
    return (before.source.isEmpty ? nil : before, after.source.isEmpty ? nil : after)
  }
}
