// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A tempo map for the audio thread: bar, beat and tempo of each frame at one sample rate.
///
/// The table is made and destroyed on the control thread, and read on the audio thread.
// @unchecked: nothing is written after the table has been made.
@safe package struct TempoTable: ~Copyable, @unchecked Sendable {
  /// The musical position of a frame.
  package struct Moment: BitwiseCopyable, Sendable {
    /// The bar, from 1, and the beat in it, from 0, with its fraction.
    package let bar: Int32, beat: Double
    /// The time signature: beats in a bar, and the note value of a beat.
    package let beatsPerBar: Float, beatUnit: Float
    /// The tempo in beats per minute, in the note value of a beat.
    package let tempo: Double
    /// The beats from the start of the timeline to the start of the bar, as if the time signature had always been
    /// this one.
    package let barStart: Double
  }

  /// A tempo from a time on: quarter notes per minute, and their growth per second.
  private struct Tempo: BitwiseCopyable {
    var start: Double, position: Double, tempo: Double, slope: Double
  }

  /// A time signature from a position on, in quarter notes.
  private struct TimeSignature: BitwiseCopyable {
    var position: Double, bar: Int, beats: Int, unit: Int
  }

  private let tempos: UnsafeMutablePointer<Tempo>
  private let timeSignatures: UnsafeMutablePointer<TimeSignature>
  private let tempoCount: Int, timeSignatureCount: Int
  private let sampleRate: Double

  /// Creates the table of a map at a sample rate in hertz.
  package init(_ map: TempoMap, sampleRate: Double) {
    let tempos = map.tableRows.map {
      Tempo(start: $0.start, position: $0.quarters, tempo: $0.tempo, slope: $0.slope)
    }
    var timeSignatures: [TimeSignature] = [], position = 0.0
    for change in map.timeSignatures {
      if let last = timeSignatures.last {
        position += Double(change.bar - last.bar) * Double(last.beats) * 4 / Double(last.unit)
      }
      timeSignatures.append(
        TimeSignature(
          position: position, bar: change.bar, beats: change.timeSignature.beats,
          unit: change.timeSignature.unit))
    }
    tempoCount = tempos.count
    timeSignatureCount = timeSignatures.count
    unsafe self.tempos = .allocate(capacity: tempoCount)
    unsafe self.tempos.initialize(from: tempos, count: tempoCount)
    unsafe self.timeSignatures = .allocate(capacity: timeSignatureCount)
    unsafe self.timeSignatures.initialize(from: timeSignatures, count: timeSignatureCount)
    self.sampleRate = sampleRate
  }

  deinit {
    unsafe tempos.deallocate()
    unsafe timeSignatures.deallocate()
  }

  /// Returns the musical position at a frame of the timeline; before the start, that of the start.
  @_noLocks @_noAllocation package func moment(at frame: Int64) -> Moment {
    let seconds = max(Double(frame), 0) / sampleRate
    var row = 0, end = tempoCount
    while end &- row > 1 {
      let middle = (row &+ end) / 2
      if unsafe tempos[middle].start <= seconds { row = middle } else { end = middle }
    }
    let tempo = unsafe tempos[row], elapsed = seconds - tempo.start
    let position = tempo.position + (tempo.tempo + tempo.slope * elapsed / 2) * elapsed / 60
    (row, end) = (0, timeSignatureCount)
    while end &- row > 1 {
      let middle = (row &+ end) / 2
      if unsafe timeSignatures[middle].position <= position { row = middle } else { end = middle }
    }
    let timeSignature = unsafe timeSignatures[row], scale = Double(timeSignature.unit) / 4,
      beats = Double(timeSignature.beats)
    let all = (position - timeSignature.position) * scale
    // A position just below a bar counts as the bar: rounded times seldom give whole quarter notes.
    let bars = Int64((all + 1e-9) / beats), start = Double(bars) * beats
    return Moment(
      bar: Int32(truncatingIfNeeded: min(Int64(timeSignature.bar) &+ bars, Int64(Int32.max))),
      beat: max(all - start, 0),
      beatsPerBar: Float(beats), beatUnit: Float(timeSignature.unit),
      tempo: (tempo.tempo + tempo.slope * elapsed) * scale, barStart: timeSignature.position * scale + start)
  }
}
