// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Pieces of sound one after the other, with silence wherever there is none.
public struct Track: Hashable, Sendable, Identifiable {
  /// Its name.
  public let id: TrackID
  /// Whether it is heard.
  public var isEnabled = true
  /// The factor that multiplies the track's sound besides the mix, from 0 up. Default: 1.
  public internal(set) var volume: Float = 1
  /// The clips, in the order of their positions; they never overlap.
  public internal(set) var segments: [Segment] = []

  init(_ id: TrackID) { self.id = id }

  /// When its last piece ends.
  public var duration: MediaTime { segments.last?.place.upperBound ?? .zero }

  /// The piece that plays at a time; nil where there is silence.
  package func segment(at time: MediaTime) -> Segment? {
    let place = place(of: time)
    return place < segments.count && segments[place].place.contains(time) ? segments[place] : nil
  }

  /// The first piece that ends after a time, found by halving.
  private func place(of time: MediaTime) -> Int {
    var low = 0, high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].place.upperBound <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Cuts the piece that plays at a time in two, and gives the place of the first piece from there on.
  private mutating func cut(at time: MediaTime) -> Int {
    let place = place(of: time)
    guard place < segments.count, segments[place].place.lowerBound < time else { return place }
    let (before, after) = segments[place].split(at: time)
    segments.replaceSubrange(place...place, with: [before, after].compactMap(\.self))
    return before == nil ? place : place + 1
  }

  /// Moves what plays from a time on.
  private mutating func shift(from time: MediaTime, by delta: MediaTime) {
    let first = cut(at: time)
    for place in first..<segments.count {
      let start = segments[place].place.lowerBound + delta, end = segments[place].place.upperBound + delta
      segments[place] = segments[place].moved(to: start..<max(start, end))
    }
  }

  /// Makes room: what plays from a time on comes later.
  mutating func open(_ range: Range<MediaTime>) {
    shift(from: range.lowerBound, by: range.upperBound - range.lowerBound)
    settle()
  }

  /// Puts a piece into room that was made for it.
  mutating func put(_ segment: Segment) {
    segments.insert(segment, at: place(of: segment.place.lowerBound))
    settle()
  }

  /// Takes a range out: what comes after it comes that much earlier.
  mutating func close(_ range: Range<MediaTime>) {
    let first = cut(at: range.lowerBound), last = cut(at: range.upperBound)
    segments.removeSubrange(first..<last)
    shift(from: range.upperBound, by: range.lowerBound - range.upperBound)
    settle()
  }

  /// Plays a range in another length of time: what comes after it comes earlier or later.
  mutating func stretch(_ range: Range<MediaTime>, to length: MediaTime, keepingPitch: Bool) {
    let (start, old) = (range.lowerBound, range.upperBound - range.lowerBound)
    let first = cut(at: start), last = cut(at: range.upperBound)
    shift(from: range.upperBound, by: length - old)
    for place in first..<last {
      let piece = segments[place].place
      let from = start + (piece.lowerBound - start).scaled(from: old, to: length)
      let to = start + (piece.upperBound - start).scaled(from: old, to: length)
      segments[place] = segments[place].moved(to: from..<max(from, to), keepingPitch: keepingPitch)
    }
    settle()
  }

  /// Sees to it that rounding, where times are too fine to be exact, leaves no overlap and no empty piece.
  private mutating func settle() {
    var end = MediaTime.zero, isSettled = true
    for segment in segments {
      if segment.place.lowerBound < end || segment.place.isEmpty { isSettled = false }
      end = segment.place.upperBound
    }
    guard !isSettled else { return }
    end = .zero
    segments = segments.compactMap { segment in
      let start = max(segment.place.lowerBound, end), stop = max(segment.place.upperBound, end)
      end = stop
      return start < stop ? segment.moved(to: start..<stop) : nil
    }
  }
}
