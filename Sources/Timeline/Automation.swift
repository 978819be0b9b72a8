// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value over time: steps and ramps as in AVAudioMix, with a choice of curves.
///
/// An entry applies from its time until the next one. A step sets the value. A ramp begins with a step to its first
/// value, moves over its range, and holds its last value. Before the first entry the value is ``initial``. An entry
/// at the time of another replaces it. A step within a ramp cuts the ramp; two ramps that overlap are an error.
///
///     var volume = Automation(1)
///     try volume.set(0.5, at: .zero)
///     try volume.ramp(from: 0.1, to: 0.9, in: .seconds(3) ..< .seconds(6))
///
/// A value, for any thread but the audio thread.
public struct Automation: Hashable, Sendable {
  /// A step or a ramp.
  public struct Entry: Hashable, Sendable {
    /// The start and the end of the ramp; empty for a step.
    public let range: Range<MediaTime>
    /// The values at the start and at the end; the end value is held. Both are equal for a step.
    public let from: Float, to: Float
    /// The curve between the values.
    public let curve: Curve

    /// Whether the entry is a ramp.
    package var isRamp: Bool { !range.isEmpty }
  }

  /// The value before the first entry.
  public let initial: Float
  /// The steps and ramps, by their start times.
  public internal(set) var entries: [Entry] = []

  /// Creates an automation with a constant value; one that is not finite counts as 0.
  public init(_ initial: Float = 0) { self.initial = initial.isFinite ? initial : 0 }

  /// Sets the value from a time on.
  ///
  /// A parameter glides to the value as if it had been set by hand, without a click.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - time: the time from which it applies.
  ///   - curve: ``Curve/step`` for a bare step, without a glide. All other curves mean the default: the glide.
  /// - Throws: ``AutomationError/notFinite(_:)``, ``AutomationError/beforeStart(_:)``.
  public mutating func set(
    _ value: Float, at time: MediaTime, curve: Curve = .linear
  ) throws(AutomationError) {
    try insert(Entry(range: time..<time, from: value, to: value, curve: curve == .step ? .step : .linear))
  }

  /// Adds a ramp over a range of time.
  ///
  /// - Parameters:
  ///   - from: the value at the start of the range; default: the value that applies there.
  ///   - to: the value at the end of the range, and from then on.
  ///   - range: the start and the end, not the length. An empty range makes a step to the value `to`.
  ///   - curve: the curve between them; default: a straight line.
  /// - Throws: ``AutomationError/overlap(_:with:)`` for a range that overlaps another ramp, and what ``set(_:at:)``
  ///   and the curve throw. Then nothing has changed.
  public mutating func ramp(
    from: Float? = nil, to: Float, in range: Range<MediaTime>, curve: Curve = .linear
  ) throws(AutomationError) {
    let from = from ?? value(at: range.lowerBound)
    guard !range.isEmpty else { return try set(to, at: range.lowerBound, curve: curve) }
    try curve.check(from: from, to: to)
    if let other = ramp(sharing: range) { throw .overlap(range, with: other) }
    try insert(Entry(range: range, from: from, to: to, curve: curve))
  }

  /// Returns the first ramp that overlaps a range and has another start time.
  private func ramp(sharing range: Range<MediaTime>) -> Range<MediaTime>? {
    let index = index { $0.range.lowerBound >= range.lowerBound }
    // Ramps do not overlap each other, so the last one before ends last.
    if let last = entries[..<index].last(where: \.isRamp)?.range, last.overlaps(range) { return last }
    let within = entries[index...].prefix { $0.range.lowerBound < range.upperBound }
    return within.first { $0.isRamp && $0.range.lowerBound != range.lowerBound }?.range
  }

  /// Removes the entry that begins at a time. Does nothing if there is none.
  public mutating func remove(at time: MediaTime) { entries.removeAll { $0.range.lowerBound == time } }

  /// Removes all entries that begin within a range.
  public mutating func remove(in range: Range<MediaTime>) {
    entries.removeAll { range.contains($0.range.lowerBound) }
  }

  /// Returns the value at a time.
  public func value(at time: MediaTime) -> Float {
    guard let entry = entry(at: time) else { return initial }
    guard time < entry.range.upperBound else { return entry.to }
    let start = entry.range.lowerBound, length = entry.range.upperBound.seconds(since: start)
    return CurveShape(entry).value(at: time.seconds(since: start) / length)
  }

  /// Finds the entry that applies at a time, by binary search.
  private func entry(at time: MediaTime) -> Entry? {
    let after = index { $0.range.lowerBound > time }
    return after > 0 ? entries[after - 1] : nil
  }

  /// Returns the entry that begins at a time; nil if there is none.
  package func entry(startingAt time: MediaTime) -> Entry? {
    guard let entry = entry(at: time), entry.range.lowerBound == time else { return nil }
    return entry
  }

  /// Returns the index of the first entry for which a condition holds.
  private func index(where isBeyond: (Entry) -> Bool) -> Int {
    var low = 0, high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(entries[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private mutating func insert(_ entry: Entry) throws(AutomationError) {
    guard entry.from.isFinite else { throw .notFinite(entry.from) }
    guard entry.to.isFinite else { throw .notFinite(entry.to) }
    let start = entry.range.lowerBound
    guard start >= .zero else { throw .beforeStart(start) }
    let index = index { $0.range.lowerBound >= start }
    if index < entries.count, entries[index].range.lowerBound == start {
      entries[index] = entry
    } else {
      entries.insert(entry, at: index)
    }
  }
}
