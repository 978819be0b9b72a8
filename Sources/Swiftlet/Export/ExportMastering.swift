// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph

/// Brings rendered sound to a loudness target: an engine with one wire and a limiter, which is exported once more.
///
/// One thread uses it.
final class ExportMastering {
  /// The path of the temporary file with the sound, as floats.
  let draft: String
  private let sampleRate: Double
  private let channelCount: Int
  private let frameCount: Int
  private let measured: ExportLevels

  /// The highest gain of a wire in dB.
  private static let most = 60.0
  /// The most dB that are added to compensate for the limiter: beyond that, mostly distortion increases.
  private static let mostAgain = 12.0
  /// The tolerance of the loudness in LU.
  private static let tolerance = 0.03
  /// The number of attempts to compensate for the limiter.
  private static let attempts = 5

  /// Creates the mastering of an outlet's sound, which was written to `draft` and measured.
  init(_ outlet: BusExporter, draft: String) {
    self.draft = draft
    sampleRate = outlet.node.engine.sampleRate
    channelCount = outlet.channelCount
    frameCount = outlet.written
    measured = outlet.levels
  }

  /// Returns the gain in dB, and the limiter's ceiling if the limiter is needed.
  ///
  /// The loudness that the limiter takes away is measured and compensated for repeatedly, within limits.
  ///
  /// - Parameter goesOn: called with the number of frames that are done, from 0 again in each attempt; returns false
  ///   to cancel.
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
      // The loudness gained per dB of gain before the limiter: 1 until two attempts are known.
      var share = 1.0
      if let last, gain != last.gain { share = (reached - last.loudness) / (gain - last.gain) }
      last = (gain, reached)
      gain = min(gain + missing / min(max(share, 0.1), 1), asked + Self.mostAgain, Self.most)
    }
    return (gain, target.truePeak)
  }

  /// Exports the sound with a gain, limited to the ceiling, to files that are not finished yet.
  ///
  /// - Parameter goesOn: called with the number of frames that are done; returns false to cancel.
  func export(
    gain: Double, ceiling: Double?, _ writers: [AudioFileWriter], _ goesOn: (Int) -> Bool
  ) throws(ExportError) -> BusExporter {
    let engine = try exporting { () throws(EngineError) in
      try AudioEngine(.offline(sampleRate: sampleRate, longestBlock: 4096))
    }
    let (source, output) = try exporting { () throws(EngineError) in
      let source = try engine.attach(.capture(channels: channelCount), name: "source")
      let output = try engine.attach(
        .playback(channels: channelCount, ceiling: ceiling.map { Float($0) }), name: "desk")
      var wire = Graph.Wire(source, to: output)
      wire.gain = Float(gain)
      try engine.connect(wire)
      return (source, output)
    }
    let outlet = try BusExporter(output, bus: 0)
    outlet.measure()
    outlet.writers = writers
    let run = ExportRun(
      engine, [try ExportInput(draft, for: source)], [], [outlet], nil, frames: 0..<frameCount)
    try run.render(goesOn)
    return outlet
  }
}

/// The measured levels of a sound.
struct ExportLevels: Sendable, Equatable {
  /// The largest sample, as a factor.
  var peak: Float = 0
  /// The integrated loudness in LUFS, -infinity if it has none, and the true peak in dBTP; nil if they were not
  /// measured.
  var loudness: Double?, truePeak: Double?
}
