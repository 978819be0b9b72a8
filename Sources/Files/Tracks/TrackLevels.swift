// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// What a track's frames are multiplied by: its own volume, and what a mix says over time.
final class TrackLevels {
  /// Whether anything of it can be heard.
  let isHeard: Bool
  private let constant: Float
  private let volume: AutomationTable, ducking: AutomationTable, pan: AutomationTable
  private let isDucked: Bool, isPanned: Bool
  private var factors: [Float] = [], others: [Float] = []

  init(_ track: Track, _ mix: TrackMix, sampleRate: Double) {
    isHeard = track.isEnabled && track.volume > 0
    constant = track.volume
    volume = AutomationTable(mix.volume, sampleRate: sampleRate)
    ducking = AutomationTable(mix.ducking ?? Automation(1), sampleRate: sampleRate)
    pan = AutomationTable(mix.pan, sampleRate: sampleRate)
    isDucked = mix.ducking != nil
    isPanned = mix.pan != Automation(0)
  }

  /// Multiplies frames that lie channel beside channel, the first of which is `frame` of the composition.
  func shape(_ samples: UnsafeMutablePointer<Float>, channelCount: Int, count: Int, from frame: Int) {
    if factors.count < count {
      factors = [Float](repeating: 1, count: count)
      others = factors
    }
    fill(&factors, count, frame, volume)
    if isDucked {
      fill(&others, count, frame, ducking)
      for place in 0..<count { factors[place] *= others[place] }
    }
    for place in 0..<count {
      let factor = factors[place] * constant
      for channel in 0..<channelCount { samples[place * channelCount + channel] *= factor }
    }
    guard isPanned, channelCount == 2 else { return }
    fill(&others, count, frame, pan)
    // As a wire's: the side that it turns away from gets softer.
    for place in 0..<count {
      samples[2 * place] *= min(1, 1 - others[place])
      samples[2 * place + 1] *= min(1, 1 + others[place])
    }
  }

  private func fill(
    _ values: inout [Float], _ count: Int, _ frame: Int, _ table: borrowing AutomationTable
  ) {
    values.withUnsafeMutableBufferPointer { values in
      guard let base = values.baseAddress else { return }
      unsafe table.fill(MutableSamples(base, count: count), from: Int64(frame))
    }
  }
}
