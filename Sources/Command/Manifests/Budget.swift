// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// Measures the load that a manifest causes in JACK, without a server.
struct Budget {
  /// How long cycles are counted, in seconds.
  private static let seconds = 1.5

  /// Frames a second, and frames in a period.
  var rate: Int, period: Int

  /// Prepares a manifest as `run` does, and renders it in time for a moment. No file is made.
  ///
  /// - Parameter file: what the report calls the manifest.
  /// - Throws: a ``Failure``: the same as `run`, if a plugin or a player does not start.
  func measure(_ manifest: ResolvedManifest, file: String) throws -> BudgetReport {
    var options = Session.Options()
    options.simulatedPeriod = period
    // Takes are not recorded, so it does not matter where they would go.
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
