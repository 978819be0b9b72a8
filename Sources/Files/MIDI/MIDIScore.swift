// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The content of a Standard MIDI File in ticks, with all tracks merged.
struct MIDIScore {
  /// The duration of a tick.
  enum Division {
    /// The number of ticks in a quarter note, whose duration is set by the tempo.
    case quarter(ticks: Int)
    /// The number of ticks in a number of seconds, independent of the tempo.
    case time(ticks: Int, seconds: Int)
  }

  /// An event at a tick.
  struct Event {
    /// The content of an event.
    enum Content {
      /// A channel message, whose frame is not set yet.
      case message(MIDIFile.Message)
      /// A tempo change: the duration of a quarter note in microseconds.
      case tempo(Int)
    }
    var tick: Int
    var content: Content
  }

  let division: Division
  /// All events, ordered by tick; at one tick, in the order of the tracks.
  let events: [Event]
  /// The tick at which the longest track ends.
  let end: Int
}

/// Measures time along a score in whole fractions of a second.
struct MIDIClock {
  /// The duration of a quarter note in microseconds; the default is half a second.
  var tempo = 500_000
  private let division: MIDIScore.Division
  private var tick = 0, parts = 0
  /// The number of time units in a second, chosen so that each tick is a whole number of units at any tempo.
  private let partsPerSecond: Int

  init(_ division: MIDIScore.Division) {
    self.division = division
    partsPerSecond =
      switch division {
      case .quarter(let ticks): ticks * 1_000_000
      case .time(let ticks, _): ticks
      }
  }

  /// Advances to a tick that is not before the last. Returns false if that exceeds the maximum duration.
  mutating func advance(to next: Int) -> Bool {
    let weight =
      switch division {
      case .quarter: tempo
      case .time(_, let seconds): seconds
      }
    let (step, overflows) = (next - tick).multipliedReportingOverflow(by: weight)
    let limit = MIDIFile.secondsLimit * partsPerSecond
    guard !overflows, step <= limit - parts else { return false }
    (tick, parts) = (next, parts + step)
    return true
  }

  /// Returns the frame nearest to the current time.
  func frame(at sampleRate: Int) -> Int {
    let (quotient, remainder) = partsPerSecond.dividingFullWidth(parts.multipliedFullWidth(by: sampleRate))
    return remainder * 2 >= partsPerSecond ? quotient + 1 : quotient
  }
}
