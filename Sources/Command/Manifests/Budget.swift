// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// Measures the load that a manifest causes in JACK, without a server.
struct Budget {
  /// The duration of a measurement in seconds.
  private static let seconds = 1.5

  /// The sample rate in Hz, and the period in frames.
  var rate: Int, period: Int

  /// Prepares a manifest as `run` does, and renders it in real time for 1.5 s. Creates no file.
  ///
  /// - Parameter file: The manifest's name in the report.
  /// - Throws: A ``Failure``, as `run` does, if a plugin or a player does not start.
  func measure(_ manifest: ResolvedManifest, file: String) throws -> BudgetReport {
    var options = Session.Options()
    options.simulatedPeriod = period
    // Takes are not recorded, so their folder does not matter.
    options.allowsTakesOutside = true
    do throws(EngineError) {
      let session = try Session(
        manifest,
        on: .offline(
          sampleRate: Double(rate), longestBlock: AudioEngine.longestLiveBlock, fadesIn: true), options)
      defer { session.engine.close() }
      session.recorder.simulateTakes()
      return BudgetReport(
        file: file, rate: rate, period: period,
        estimate: try session.engine.estimateLoad(seconds: Self.seconds))
    } catch {
      throw Failure(error, in: manifest, file: file)
    }
  }
}
