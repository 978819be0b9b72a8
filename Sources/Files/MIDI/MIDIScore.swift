// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a Standard MIDI File says, on its own ticks, all tracks together.
struct MIDIScore {
  /// How long a tick is.
  enum Division {
    /// So many ticks make a quarter note, whose length is the tempo's.
    case quarter(ticks: Int)
    /// So many ticks make so many seconds, whatever the tempo.
    case time(ticks: Int, seconds: Int)
  }

  /// Something that happens on a tick.
  struct Event {
    /// What happens.
    enum Content {
      /// A channel message, its frame not known yet.
      case message(MIDIFile.Message)
      /// A quarter note lasts so many microseconds from here on.
      case tempo(Int)
    }
    var tick: Int
    var content: Content
  }

  let division: Division
  /// By tick; of one tick, in the order of the tracks.
  let events: [Event]
  /// The tick on which the longest track ends.
  let end: Int
}

/// Counts time along a score as a whole number of parts of a second.
struct MIDIClock {
  /// Microseconds of a quarter note; half a second until a score says otherwise.
  var tempo = 500_000
  private let division: MIDIScore.Division
  private var tick = 0, parts = 0
  /// How many parts make a second: so many that each tick is a whole number of them at any tempo.
  private let partsPerSecond: Int

  init(_ division: MIDIScore.Division) {
    self.division = division
    partsPerSecond =
      switch division {
      case .quarter(let ticks): ticks * 1_000_000
      case .time(let ticks, _): ticks
      }
  }

  /// Goes on to a tick that is not before the last; false where that is too far.
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

  /// The frame nearest to where the clock stands.
  func frame(at sampleRate: Int) -> Int {
    let (quotient, remainder) = partsPerSecond.dividingFullWidth(parts.multipliedFullWidth(by: sampleRate))
    return remainder * 2 >= partsPerSecond ? quotient + 1 : quotient
  }
}
