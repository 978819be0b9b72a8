// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph

/// Brings sound that was rendered to a loudness: an engine of one wire, with the limiter behind it, which is
/// exported once more.
///
/// One thread uses it.
final class ExportMastering {
  /// Where the sound lies until then, as floats.
  let draft: String
  private let sampleRate: Double
  private let channelCount: Int
  private let frameCount: Int
  private let measured: ExportLevels

  /// The most that a wire can add, in decibels.
  private static let most = 60.0
  /// The most that is made up for, in decibels: beyond, little but distortion grows.
  private static let mostAgain = 12.0
  /// Nearer than this is as loud as it was to be, in LU.
  private static let tolerance = 0.03
  /// How often the limiter's effect on the loudness is made up for.
  private static let attempts = 5

  /// The sound of an outlet that was written to `draft`, and measured.
  init(_ outlet: ExportOutlet, draft: String) {
    self.draft = draft
    sampleRate = outlet.node.engine.sampleRate
    channelCount = outlet.channelCount
    frameCount = outlet.written
    measured = outlet.levels
  }

  /// What the sound must be multiplied by, in decibels, and whether the limiter is needed.
  ///
  /// What it takes away is measured and made up for, again and again: as far as it can be.
  ///
  /// - Parameter goesOn: is told how many frames are done, from 0 again each time, and says whether to go on.
  func treatment(
    for target: LoudnessTarget, _ goesOn: (Int) -> Bool
  ) throws(ExportError) -> (gain: Double, ceiling: Double?) {
    guard let loudness = measured.loudness, loudness.isFinite, let truePeak = measured.truePeak else {
      return (0, nil)
    }
    let asked = min(target.loudness - loudness, Self.most)
    guard truePeak + asked > target.truePeak else { return (asked, nil) }
    var gain = asked
    var last: (gain: Double, loudness: Double)?
    for _ in 0..<Self.attempts {
      let levels = try export(gain: gain, ceiling: target.truePeak, [], goesOn).levels
      guard let reached = levels.loudness, reached.isFinite else { break }
      let missing = target.loudness - reached
      if abs(missing) < Self.tolerance { break }
      // How much of a decibel before the limiter is left behind it; all, until two attempts tell.
      var share = 1.0
      if let last, gain != last.gain { share = (reached - last.loudness) / (gain - last.gain) }
      last = (gain, reached)
      gain = min(gain + missing / min(max(share, 0.1), 1), asked + Self.mostAgain, Self.most)
    }
    return (gain, target.truePeak)
  }

  /// Exports the sound, so much louder and no higher than the ceiling, to files that are not finished yet.
  ///
  /// - Parameter goesOn: is told how many frames are done, and says whether to go on.
  func export(
    gain: Double, ceiling: Double?, _ writers: [AudioFileWriter], _ goesOn: (Int) -> Bool
  ) throws(ExportError) -> ExportOutlet {
    let engine = try exporting { () throws(EngineError) in
      try AudioEngine(.offline(sampleRate: sampleRate, longestBlock: 4096))
    }
    let (source, desk) = try exporting { () throws(EngineError) in
      let source = try engine.attach(.capture(channels: channelCount), name: "source")
      let desk = try engine.attach(
        .playback(channels: channelCount, ceiling: ceiling.map { Float($0) }), name: "desk")
      var wire = Graph.Wire(source, to: desk)
      wire.gain = Float(gain)
      try engine.connect(wire)
      return (source, desk)
    }
    let outlet = try ExportOutlet(desk, bus: 0)
    outlet.measure()
    outlet.writers = writers
    let run = ExportRun(
      engine, [try ExportInput(draft, for: source)], [], [outlet], nil, frames: 0..<frameCount)
    try run.render(goesOn)
    return outlet
  }
}

/// What was measured of a sound.
struct ExportLevels: Sendable, Equatable {
  /// The loudest sample, as a factor.
  var peak: Float = 0
  /// The loudness of the whole in LUFS, -infinity where it has none, and the true peak in dBTP; nil where they
  /// were not measured.
  var loudness: Double?, truePeak: Double?
}
