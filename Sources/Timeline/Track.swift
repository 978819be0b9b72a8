// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A track of clips, with silence between them.
public struct Track: Hashable, Sendable, Identifiable {
  /// The name of the track.
  public let id: TrackID
  /// Whether the track is heard.
  public var isEnabled = true
  /// The factor that multiplies the track's sound in addition to the mix, from 0 up. Default: 1.
  public internal(set) var volume: Float = 1
  /// The clips, in the order of their positions; they never overlap.
  public internal(set) var segments: [Segment] = []

  init(_ id: TrackID) { self.id = id }

  /// Creates a track of clips in any order; ``Composition/init(_:video:)`` checks that they do not overlap.
  public init(_ id: TrackID, isEnabled: Bool = true, volume: Float = 1, segments: [Segment]) {
    self.init(id)
    self.isEnabled = isEnabled
    self.volume = volume
    self.segments = segments.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The end of the last clip.
  public var duration: MediaTime { segments.last?.range.upperBound ?? .zero }

  /// Returns the clip at a time; nil if there is silence.
  package func segment(at time: MediaTime) -> Segment? {
    let index = index(endingAfter: time)
    return index < segments.count && segments[index].range.contains(time) ? segments[index] : nil
  }

  /// Returns the index of the first clip that ends after a time, by binary search.
  private func index(endingAfter time: MediaTime) -> Int {
    var low = 0, high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].range.upperBound <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Splits the clip at a time, and returns the index of the first clip from there on.
  private mutating func cut(at time: MediaTime) -> Int {
    let index = index(endingAfter: time)
    guard index < segments.count, segments[index].range.lowerBound < time else { return index }
    let (before, after) = segments[index].split(at: time)
    segments.replaceSubrange(index...index, with: [before, after].compactMap(\.self))
    return before == nil ? index : index + 1
  }

  /// Moves all clips from a time on.
  private mutating func shift(from time: MediaTime, by delta: MediaTime) {
    let first = cut(at: time)
    for index in first..<segments.count {
      let start = segments[index].range.lowerBound + delta, end = segments[index].range.upperBound + delta
      segments[index] = segments[index].moved(to: start..<max(start, end))
    }
  }

  /// Opens a gap: clips from its start on move later.
  mutating func open(_ range: Range<MediaTime>) {
    shift(from: range.lowerBound, by: range.upperBound - range.lowerBound)
    settle()
  }

  /// Inserts a clip into a gap.
  mutating func put(_ segment: Segment) {
    segments.insert(segment, at: index(endingAfter: segment.range.lowerBound))
    settle()
  }

  /// Removes a range; later clips move earlier.
  mutating func close(_ range: Range<MediaTime>) {
    let first = cut(at: range.lowerBound), last = cut(at: range.upperBound)
    segments.removeSubrange(first..<last)
    shift(from: range.upperBound, by: range.lowerBound - range.upperBound)
    settle()
  }

  /// Stretches a range to another length; later clips move.
  mutating func stretch(_ range: Range<MediaTime>, to length: MediaTime, keepingPitch: Bool) {
    let (start, old) = (range.lowerBound, range.upperBound - range.lowerBound)
    let first = cut(at: start), last = cut(at: range.upperBound)
    shift(from: range.upperBound, by: length - old)
    for index in first..<last {
      let before = segments[index].range
      let from = start + (before.lowerBound - start).scaled(from: old, to: length)
      let to = start + (before.upperBound - start).scaled(from: old, to: length)
      segments[index] = segments[index].moved(to: from..<max(from, to), keepingPitch: keepingPitch)
    }
    settle()
  }

  /// Removes overlaps and empty clips that rounding may have caused if times are too fine to be exact.
  private mutating func settle() {
    var end = MediaTime.zero, isSettled = true
    for segment in segments {
      if segment.range.lowerBound < end || segment.range.isEmpty { isSettled = false }
      end = segment.range.upperBound
    }
    guard !isSettled else { return }
    end = .zero
    segments = segments.compactMap { segment in
      let start = max(segment.range.lowerBound, end), stop = max(segment.range.upperBound, end)
      end = stop
      return start < stop ? segment.moved(to: start..<stop) : nil
    }
  }

  /// Throws if clips overlap.
  ///
  /// - Throws: ``CompositionError/overlap(_:_:with:)``.
  func checkOverlaps() throws(CompositionError) {
    for (one, other) in zip(segments, segments.dropFirst())
    where other.range.lowerBound < one.range.upperBound {
      throw .overlap(id, other.range, with: one.range)
    }
  }
}
