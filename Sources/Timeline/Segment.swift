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
  public let range: Range<MediaTime>
  /// Whether the pitch stays at another speed. If false, the pitch follows the speed, as on tape.
  public let keepsPitch: Bool

  /// Creates a clip of an asset.
  ///
  /// - Throws: ``CompositionError/emptyRange(_:)``, ``CompositionError/beforeStart(_:)``,
  ///   ``CompositionError/pastAsset(_:_:length:)``, ``CompositionError/tooLong``.
  public init(
    of asset: AssetReference, _ source: Range<MediaTime>, at range: Range<MediaTime>, keepsPitch: Bool = true
  ) throws(CompositionError) {
    for part in [source, range] {
      guard part.lowerBound >= .zero else { throw .beforeStart(part.lowerBound) }
      guard part.upperBound <= Composition.longest else { throw .tooLong }
      guard !part.isEmpty else { throw .emptyRange(part.lowerBound) }
    }
    if let length = asset.duration, source.upperBound > length {
      throw .pastAsset(asset.path, source, length: length)
    }
    self.init(asset, source, range, keepsPitch)
  }

  private init(
    _ asset: AssetReference, _ source: Range<MediaTime>, _ range: Range<MediaTime>, _ keepsPitch: Bool
  ) {
    self.asset = asset
    self.source = source
    self.range = range
    self.keepsPitch = keepsPitch
  }

  /// The speed factor: 1 is the original speed, 2 is twice as fast.
  package var speed: Double {
    source.upperBound.seconds(since: source.lowerBound) / range.upperBound.seconds(since: range.lowerBound)
  }

  /// Returns the time in the asset at a time of the composition; outside of the clip, its nearer end.
  package func source(at time: MediaTime) -> MediaTime {
    let length = source.upperBound - source.lowerBound
    let into = (time - range.lowerBound).scaled(from: range.upperBound - range.lowerBound, to: length)
    return max(source.lowerBound, min(source.lowerBound + into, source.upperBound))
  }

  /// Returns the clip at another position.
  func moved(to range: Range<MediaTime>, keepingPitch keepsPitch: Bool? = nil) -> Segment {
    Segment(asset, source, range, keepsPitch ?? self.keepsPitch)
  }

  /// Splits the clip at a time; a part is nil if it would be empty.
  func split(at time: MediaTime) -> (before: Segment?, after: Segment?) {
    guard range.lowerBound < time else { return (nil, self) }
    guard time < range.upperBound else { return (self, nil) }
    let cut = source(at: time)
    let before = Segment(asset, source.lowerBound..<cut, range.lowerBound..<time, keepsPitch)
    let after = Segment(asset, cut..<source.upperBound, time..<range.upperBound, keepsPitch)
    return (before.source.isEmpty ? nil : before, after.source.isEmpty ? nil : after)
  }
}
