// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension TempoMap {
  /// How many beats a bar has, and which note is one: 3/4, 6/8.
  public struct Meter: Hashable, Sendable, CustomStringConvertible {
    /// Beats in a bar, from 1 to 64.
    public let beats: Int
    /// The note that is a beat: 4 for a quarter; 1, 2, 4, 8, 16 or 32.
    public let unit: Int

    /// Four quarters.
    public static let common = Meter(beats: 4, unit: 4)

    private init(beats: Int, unit: Int) {
      self.beats = beats
      self.unit = unit
    }

    /// A meter of so many beats of such a note.
    public init(_ beats: Int, _ unit: Int) throws(TimeError) {
      guard 1...64 ~= beats, [1, 2, 4, 8, 16, 32].contains(unit) else {
        throw .badMeter(beats: beats, unit: unit)
      }
      self.init(beats: beats, unit: unit)
    }

    /// How long a bar is, in quarter notes.
    package var bar: Double { Double(beats) * beat }
    /// How long a beat is, in quarter notes.
    package var beat: Double { 4 / Double(unit) }

    public var description: String { "\(beats)/\(unit)" }
  }

  /// A meter from a bar on.
  public struct MeterChange: Hashable, Sendable {
    /// The bar that it begins with, from 1.
    public let bar: Int
    /// How the bars are counted from there.
    public let meter: Meter
  }

  /// Sets the time signature from a bar on, counted from 1; one that begins with the same bar is replaced. Later
  /// changes keep their bars, so that their positions in quarter notes move.
  public mutating func setMeter(_ meter: Meter, fromBar bar: Int) throws(TimeError) {
    guard 1...Self.lastBar ~= bar else { throw .noSuchBeat("\(bar)|1") }
    meters.removeAll { $0.bar == bar }
    meters.insert(MeterChange(bar: bar, meter: meter), at: meters.firstIndex { $0.bar > bar } ?? meters.count)
  }

  /// The place, in quarter notes from the start, of a bar and beat.
  ///
  /// - Throws: ``TimeError/noSuchBeat(_:)`` for a bar or beat below 1, or a beat that its bar does not have.
  package func place(of position: BarBeat) throws(TimeError) -> Double {
    guard 1...Self.lastBar ~= position.bar else { throw .noSuchBeat("\(position)") }
    var place = 0.0
    for (index, change) in meters.enumerated() {
      let next = index + 1 < meters.count ? meters[index + 1].bar : .max
      guard position.bar < next else {
        place += Double(next - change.bar) * change.meter.bar
        continue
      }
      guard position.beat >= 1, position.beat < Double(change.meter.beats + 1) else { break }
      return place + Double(position.bar - change.bar) * change.meter.bar
        + (position.beat - 1) * change.meter.beat
    }
    throw .noSuchBeat("\(position)")
  }

  /// When a bar and beat comes.
  public func time(of position: BarBeat) throws(TimeError) -> MediaTime {
    try time(of: place(of: position))
  }

  /// The bar and beat at a time; nil before the start of the timeline, and after the last bar that can be counted.
  ///
  /// The beat has no more digits than it needs to mean this time, and at most twelve.
  public func position(at time: MediaTime) -> BarBeat? {
    guard time >= .zero else { return nil }
    var place = place(at: time), scale = 1.0
    let exact = place
    for _ in 0..<12 {
      place = (exact * scale).rounded() / scale
      guard (try? self.time(of: place)) != time else { break }
      (place, scale) = (exact, scale * 10)
    }
    return position(of: place)
  }

  /// The bar and beat at a place, in quarter notes from the start; nil before it, and after the last bar.
  package func position(of place: Double) -> BarBeat? {
    guard 0...Self.furthest ~= place else { return nil }
    var start = 0.0
    for (index, change) in meters.enumerated() {
      let next = index + 1 < meters.count ? meters[index + 1].bar : .max
      let length = next == .max ? .infinity : Double(next - change.bar) * change.meter.bar
      guard place - start < length else {
        start += length
        continue
      }
      let bars = ((place - start) / change.meter.bar).rounded(.down)
      let beat = (place - start - bars * change.meter.bar) / change.meter.beat
      let bar = change.bar + Int(bars)
      return bar <= Self.lastBar ? BarBeat(bar: bar, beat: beat + 1) : nil
    }
    return nil
  }

  /// The last bar that there is: of any meter, it lies within the places that there are.
  static var lastBar: Int { 1 << 23 }
}
