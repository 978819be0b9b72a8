// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletThreads
package import SwiftletTimeline

/// The latency of seeks in a playing composition and of edits of it: seconds from the call to the end of the first
/// cycle with the new sound.
package struct CompositionCosts: Sendable, Equatable {
  /// The median and the maximum for seeks.
  package var seek: Double, longestSeek: Double
  /// The median and the maximum for edits.
  package var edit: Double, longestEdit: Double
}

extension AudioEngine {
  /// Plays a composition on an engine that renders a cycle every period, as in JACK, and measures seeks to
  /// pseudo-random positions and edits of its master volume.
  ///
  /// - Parameters:
  ///   - count: the number of seeks, and of edits.
  ///   - period: the frames of a cycle.
  /// - Throws: as the player's `schedule`, `seek(to:)` and ``CompositionItem/edit(_:)``.
  package static func measureComposition(
    _ composition: Composition, mix: AudioMix, count: Int, sampleRate: Double, period: Int
  ) throws(EngineError) -> CompositionCosts {
    let engine = try AudioEngine(
      .offline(sampleRate: sampleRate, longestBlock: max(period, 1)), simulatedPeriod: period)
    let output = try engine.attach(.playback()), player = try engine.attachPlayer()
    try engine.connect(player, output)
    let show = try player.schedule(.composition(composition, mix: mix, loop: .forever))
    let length = Int(composition.duration.frames(at: sampleRate))
    try player.play()
    let thread = RenderingThread(
      .period(Double(period) / sampleRate), cycle: try engine.renderingCycle(of: period))
    defer { thread.stop() }
    var seeks: [Double] = [], edits: [Double] = [], random: UInt64 = 1
    for round in 0..<max(count, 1) {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let frame = Int(random >> 33) % max(length, 1)
      seeks.append(try secondsUntilHeard(player) { () throws(EngineError) in try player.seek(to: frame) })
      edits.append(
        try secondsUntilHeard(player) { () throws(EngineError) in
          try show.edit { _, mix in try mix.master.setVolume(round.isMultiple(of: 2) ? 0.5 : 1, at: .zero) }
        })
    }
    return CompositionCosts(
      seek: seeks.sorted()[seeks.count / 2], longestSeek: seeks.max() ?? 0,
      edit: edits.sorted()[edits.count / 2], longestEdit: edits.max() ?? 0)
  }

  /// Returns the seconds from a call until the player's position moves on, 10 s at most.
  private static func secondsUntilHeard(
    _ player: PlayerNode, _ body: () throws(EngineError) -> Void
  ) throws(EngineError) -> Double {
    Waiting.sleep(.milliseconds(100))
    let start = ContinuousClock.now
    try body()
    // The position does not change until the new sound begins.
    let position = player.position
    Waiting.until(every: .microseconds(100), within: .seconds(10)) { player.position != position }
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
