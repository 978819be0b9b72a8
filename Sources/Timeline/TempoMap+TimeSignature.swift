// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension TempoMap {
  /// A time signature: the number of beats in a bar, and the note value of a beat, such as 3/4 or 6/8.
  public struct TimeSignature: Hashable, Sendable, CustomStringConvertible {
    /// The number of beats in a bar, from 1 to 64.
    public let beats: Int
    /// The note value of a beat: 4 for a quarter; 1, 2, 4, 8, 16 or 32.
    public let unit: Int

    /// 4/4.
    public static let common = TimeSignature(beats: 4, unit: 4)

    private init(beats: Int, unit: Int) {
      self.beats = beats
      self.unit = unit
    }

    /// Creates a time signature from its two numbers.
    public init(_ beats: Int, _ unit: Int) throws(TimeError) {
      guard 1...64 ~= beats, [1, 2, 4, 8, 16, 32].contains(unit) else {
        throw .badTimeSignature(beats: beats, unit: unit)
      }
      self.init(beats: beats, unit: unit)
    }

    /// The length of a bar in quarter notes.
    package var bar: Double { Double(beats) * beat }
    /// The length of a beat in quarter notes.
    package var beat: Double { 4 / Double(unit) }

    public var description: String { "\(beats)/\(unit)" }
  }

  /// A time signature from a bar on.
  public struct TimeSignatureChange: Hashable, Sendable {
    /// The bar at which it begins, from 1.
    public let bar: Int
    /// The time signature.
    public let timeSignature: TimeSignature
  }

  /// Sets the time signature from a bar on, counted from 1; one that begins with the same bar is replaced. Later
  /// changes keep their bars, so that their positions in quarter notes move.
  public mutating func setTimeSignature(_ timeSignature: TimeSignature, fromBar bar: Int) throws(TimeError) {
    guard 1...Self.lastBar ~= bar else { throw .noSuchBeat("\(bar)|1") }
    timeSignatures.removeAll { $0.bar == bar }
    timeSignatures.insert(
      TimeSignatureChange(bar: bar, timeSignature: timeSignature),
      at: timeSignatures.firstIndex { $0.bar > bar } ?? timeSignatures.count)
  }

  /// Returns the position of a bar and beat, in quarter notes from the start.
  ///
  /// - Throws: ``TimeError/noSuchBeat(_:)`` for a bar or beat below 1, or a beat that its bar does not have.
  package func quarters(of position: BarBeat) throws(TimeError) -> Double {
    guard 1...Self.lastBar ~= position.bar else { throw .noSuchBeat("\(position)") }
    var quarters = 0.0
    for (index, change) in timeSignatures.enumerated() {
      let next = index + 1 < timeSignatures.count ? timeSignatures[index + 1].bar : .max
      guard position.bar < next else {
        quarters += Double(next - change.bar) * change.timeSignature.bar
        continue
      }
      guard position.beat >= 1, position.beat < Double(change.timeSignature.beats + 1) else { break }
      return quarters + Double(position.bar - change.bar) * change.timeSignature.bar
        + (position.beat - 1) * change.timeSignature.beat
    }
    throw .noSuchBeat("\(position)")
  }

  /// Returns the time of a bar and beat.
  public func time(of position: BarBeat) throws(TimeError) -> MediaTime {
    try time(of: quarters(of: position))
  }

  /// Returns the bar and beat at a time; nil before the start of the timeline, and after the last bar that can be
  /// counted.
  ///
  /// The beat has as few decimal places as identify the time, and at most twelve.
  public func position(at time: MediaTime) -> BarBeat? {
    guard time >= .zero else { return nil }
    var quarters = quarters(at: time), scale = 1.0
    let exact = quarters
    for _ in 0..<12 {
      quarters = (exact * scale).rounded() / scale
      guard (try? self.time(of: quarters)) != time else { break }
      (quarters, scale) = (exact, scale * 10)
    }
    return position(of: quarters)
  }

  /// Returns the bar and beat at a position in quarter notes; nil before the start and after the last bar.
  package func position(of quarters: Double) -> BarBeat? {
    guard 0...Self.furthest ~= quarters else { return nil }
    var start = 0.0
    for (index, change) in timeSignatures.enumerated() {
      let next = index + 1 < timeSignatures.count ? timeSignatures[index + 1].bar : .max
      let length = next == .max ? .infinity : Double(next - change.bar) * change.timeSignature.bar
      guard quarters - start < length else {
        start += length
        continue
      }
      let bars = ((quarters - start) / change.timeSignature.bar).rounded(.down)
      let beat = (quarters - start - bars * change.timeSignature.bar) / change.timeSignature.beat
      let bar = change.bar + Int(bars)
      return bar <= Self.lastBar ? BarBeat(bar: bar, beat: beat + 1) : nil
    }
    return nil
  }

  /// The last bar. In every time signature it lies within ``furthest``.
  static var lastBar: Int { 1 << 23 }
}
