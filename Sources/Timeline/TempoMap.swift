// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The tempos and time signatures of a timeline, with linear accelerandos between tempos.
///
/// Positions are counted in quarter notes from the start, whatever the time signature; ``BarBeat`` counts bars and
/// beats. The tempo counts quarter notes, too: at 120, a beat of 6/8 is a quarter of a second long.
///
/// A value, for any thread but the audio thread.
public struct TempoMap: Hashable, Sendable {
  /// A tempo from a position on.
  public struct Tempo: Hashable, Sendable {
    /// The position where the tempo begins, in quarter notes from the start.
    public let position: Double
    /// The tempo in quarter notes per minute, from 1 to 1000.
    public let tempo: Double
    /// Whether the tempo glides linearly over time to the next one, instead of changing there at once.
    public let glides: Bool
  }

  /// The tempos, by position; the first is at 0.
  public private(set) var tempos: [Tempo]
  /// The time signatures and the bars, from 1, at which they begin; the first begins at bar 1.
  public internal(set) var timeSignatures: [TimeSignatureChange]
  /// The start of each tempo in seconds.
  private var starts: [Double] = [0]

  /// Creates a map with one tempo, in quarter notes per minute from 1 to 1000, and one time signature. Default: 120
  /// in 4/4.
  public init(_ tempo: Double = 120, timeSignature: TimeSignature = .common) throws(TimeError) {
    guard 1...1000 ~= tempo else { throw .badTempo(tempo) }
    tempos = [Tempo(position: 0, tempo: tempo, glides: false)]
    timeSignatures = [TimeSignatureChange(bar: 1, timeSignature: timeSignature)]
  }

  /// Sets the tempo from a position on; one that begins at the same position is replaced.
  ///
  /// - Parameters:
  ///   - tempo: quarter notes per minute, from 1 to 1000.
  ///   - position: quarter notes from the start, from 0 to 2³¹.
  ///   - glides: whether the tempo glides linearly over time to the next one; default: false.
  public mutating func setTempo(
    _ tempo: Double, at position: Double, glides: Bool = false
  ) throws(TimeError) {
    guard 1...1000 ~= tempo else { throw .badTempo(tempo) }
    guard 0...Self.furthest ~= position else { throw .badPosition(position) }
    tempos.removeAll { $0.position == position }
    let index = tempos.firstIndex { $0.position > position } ?? tempos.count
    tempos.insert(Tempo(position: position, tempo: tempo, glides: glides), at: index)
    starts = [0]
    for index in tempos.indices.dropLast() {
      starts.append(
        starts[index] + seconds(to: tempos[index + 1].position - tempos[index].position, in: index))
    }
  }

  /// Returns the time of a position, rounded to ``MediaTime/grid``. Before the start, the first tempo applies.
  ///
  /// - Throws: ``TimeError/badPosition(_:)`` for NaN, and for more than 2³¹ quarter notes or 68 years from the start.
  package func time(of quarters: Double) throws(TimeError) -> MediaTime {
    guard abs(quarters) <= Self.furthest else { throw .badPosition(quarters) }
    let index = tempos.lastIndex { $0.position <= quarters } ?? 0
    let seconds = starts[index] + seconds(to: quarters - tempos[index].position, in: index)
    guard abs(seconds) < MediaTime.latest.seconds else { throw .badPosition(quarters) }
    let whole = seconds.rounded(.down), grid = Double(MediaTime.grid)
    let parts = Int128(whole) * Int128(MediaTime.grid) + Int128(((seconds - whole) * grid).rounded())
    return MediaTime(reducing: parts, over: Int128(MediaTime.grid))
  }

  /// Returns the position at a time, in quarter notes from the start. Before the start, the first tempo applies.
  package func quarters(at time: MediaTime) -> Double {
    let seconds = time.seconds, index = starts.lastIndex { $0 <= seconds } ?? 0
    let elapsed = seconds - starts[index], tempo = tempos[index].tempo
    // The integral of a linear tempo: t seconds of a tempo from p to p + k·t contain (p + k·t / 2) · t / 60 beats.
    let slope = elapsed > 0 ? slope(in: index) : 0
    return tempos[index].position + (tempo + slope * elapsed / 2) * elapsed / 60
  }

  /// Returns the tempo at a time, in quarter notes per minute.
  public func tempo(at time: MediaTime) -> Double {
    let seconds = time.seconds, index = starts.lastIndex { $0 <= seconds } ?? 0
    return tempos[index].tempo + slope(in: index) * max(0, seconds - starts[index])
  }

  /// The data of each tempo for a `TempoTable`: its start in seconds and in quarter notes, the tempo, and its growth
  /// per second.
  var tableRows: [(start: Double, quarters: Double, tempo: Double, slope: Double)] {
    tempos.indices.map { (starts[$0], tempos[$0].position, tempos[$0].tempo, slope(in: $0)) }
  }

  /// The last position, in quarter notes.
  static var furthest: Double { 2_147_483_648 }

  /// The growth of a tempo per second.
  private func slope(in index: Int) -> Double {
    guard tempos[index].glides, index + 1 < tempos.count else { return 0 }
    let from = tempos[index], to = tempos[index + 1]
    guard to.position - from.position > 1e-9 else { return 0 }
    // The glide takes as long as its beats do at the mean of its two tempos.
    return (to.tempo - from.tempo) * (to.tempo + from.tempo) / (120 * (to.position - from.position))
  }

  /// The duration of a number of quarter notes from the start of a tempo.
  private func seconds(to quarters: Double, in index: Int) -> Double {
    let tempo = tempos[index].tempo, slope = quarters > 0 ? slope(in: index) : 0
    // The positive root of (p + k·t / 2) · t = 60·q, in the form that stays accurate for a small k.
    return 120 * quarters / (tempo + (tempo * tempo + 120 * slope * quarters).squareRoot())
  }
}
