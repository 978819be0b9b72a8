// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The tempos and time signatures of a timeline, with linear accelerandos between tempos.
///
/// Positions are counted in quarter notes from the start, whatever the time signature; ``BarBeat`` counts bars and
/// beats. The tempo counts quarter notes, too: at 120, a beat of 6/8 is a quarter of a second long.
public struct TempoMap: Hashable, Sendable {
  /// A tempo from a position on.
  public struct Tempo: Hashable, Sendable {
    /// The position where the tempo begins, in quarter notes from the start.
    public let place: Double
    /// Quarter notes a minute, from 1 to 1000.
    public let tempo: Double
    /// Whether it moves in a straight line over time to the next one, instead of changing there at once.
    public let glides: Bool
  }

  /// The tempos, by position; the first is at 0.
  public private(set) var tempos: [Tempo]
  /// The meters and the bars, from 1, that they begin with; the first is bar 1.
  public internal(set) var meters: [MeterChange]
  /// When each tempo begins, in seconds.
  private var starts: [Double] = [0]

  /// A map with one tempo, in quarter notes a minute from 1 to 1000, and one time signature.
  public init(_ tempo: Double = 120, meter: Meter = .common) throws(TimeError) {
    guard 1...1000 ~= tempo else { throw .badTempo(tempo) }
    tempos = [Tempo(place: 0, tempo: tempo, glides: false)]
    meters = [MeterChange(bar: 1, meter: meter)]
  }

  /// Sets the tempo from a position on; one that begins at the same position is replaced.
  ///
  /// - Parameters:
  ///   - tempo: quarter notes a minute, from 1 to 1000.
  ///   - place: quarter notes from the start, from 0 to 2³¹.
  ///   - glides: whether it moves in a straight line over time to the next tempo; default: false.
  public mutating func setTempo(
    _ tempo: Double, at place: Double, glides: Bool = false
  ) throws(TimeError) {
    guard 1...1000 ~= tempo else { throw .badTempo(tempo) }
    guard 0...Self.furthest ~= place else { throw .badPlace(place) }
    tempos.removeAll { $0.place == place }
    let index = tempos.firstIndex { $0.place > place } ?? tempos.count
    tempos.insert(Tempo(place: place, tempo: tempo, glides: glides), at: index)
    starts = [0]
    for index in tempos.indices.dropLast() {
      starts.append(starts[index] + seconds(to: tempos[index + 1].place - tempos[index].place, in: index))
    }
  }

  /// When a place comes, to the nearest part of ``MediaTime/grid``; before the start, the first tempo goes
  /// on.
  ///
  /// - Throws: ``TimeError/badPlace(_:)`` for what is not a number, or 2³¹ quarter notes away and more.
  package func time(of place: Double) throws(TimeError) -> MediaTime {
    guard abs(place) <= Self.furthest else { throw .badPlace(place) }
    let index = tempos.lastIndex { $0.place <= place } ?? 0
    let seconds = starts[index] + seconds(to: place - tempos[index].place, in: index)
    guard abs(seconds) < MediaTime.latest.seconds else { throw .badPlace(place) }
    let whole = seconds.rounded(.down), grid = Double(MediaTime.grid)
    let parts = Int128(whole) * Int128(MediaTime.grid) + Int128(((seconds - whole) * grid).rounded())
    return MediaTime(reducing: parts, over: Int128(MediaTime.grid))
  }

  /// Which place a time is, in quarter notes from the start; before it, the first tempo goes on.
  package func place(at time: MediaTime) -> Double {
    let seconds = time.seconds, index = starts.lastIndex { $0 <= seconds } ?? 0
    let elapsed = seconds - starts[index], tempo = tempos[index].tempo
    // A straight tempo's area: t seconds of a tempo that goes from p to p + k·t hold (p + k·t / 2) · t / 60
    // beats.
    let slope = elapsed > 0 ? slope(in: index) : 0
    return tempos[index].place + (tempo + slope * elapsed / 2) * elapsed / 60
  }

  /// The tempo at a time, in quarter notes a minute.
  public func tempo(at time: MediaTime) -> Double {
    let seconds = time.seconds, index = starts.lastIndex { $0 <= seconds } ?? 0
    return tempos[index].tempo + slope(in: index) * max(0, seconds - starts[index])
  }

  /// What a table needs of each tempo: when it begins, in seconds, and where; how fast it is, and by how much
  /// that grows in a second.
  var stretches: [(start: Double, place: Double, tempo: Double, slope: Double)] {
    tempos.indices.map { (starts[$0], tempos[$0].place, tempos[$0].tempo, slope(in: $0)) }
  }

  /// The last place that there is.
  static var furthest: Double { 2_147_483_648 }

  /// By how much a tempo grows in a second.
  private func slope(in index: Int) -> Double {
    guard tempos[index].glides, index + 1 < tempos.count else { return 0 }
    let from = tempos[index], to = tempos[index + 1]
    guard to.place - from.place > 1e-9 else { return 0 }
    // The glide takes as long as its beats do at the mean of its ends.
    return (to.tempo - from.tempo) * (to.tempo + from.tempo) / (120 * (to.place - from.place))
  }

  /// How long so many quarter notes take from the start of a tempo.
  private func seconds(to quarters: Double, in index: Int) -> Double {
    let tempo = tempos[index].tempo, slope = quarters > 0 ? slope(in: index) : 0
    // The positive root of (p + k·t / 2) · t = 60·q, in the form that loses no digits where k is small.
    return 120 * quarters / (tempo + (tempo * tempo + 120 * slope * quarters).squareRoot())
  }
}
