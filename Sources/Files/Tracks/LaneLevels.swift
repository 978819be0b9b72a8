// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// Multiplies channels by volume, ducking and pan, bit for bit as the engine's fader of a node with these lanes does.
final class LaneLevels {
  private let volume: AutomationTable, ducking: AutomationTable, panning: AutomationTable
  private let law: PanLaws, isMono: Bool
  private let memory = ChannelMemory(channelCount: 3, frameCount: LaneLevels.stage)
  /// How many factors are computed at once: so few that they stay in the cache.
  private static let stage = 256

  /// Levels at a rate; nil where the mix changes nothing.
  ///
  /// - Parameter isMono: whether both channels hold the same sound, which a pan places between them.
  init?(_ mix: TrackMix, sampleRate: Double, isMono: Bool) {
    let plain = TrackMix()
    guard mix.volume != plain.volume || mix.ducking != nil || mix.pan != plain.pan else { return nil }
    volume = AutomationTable(mix.volume, sampleRate: sampleRate)
    ducking = AutomationTable(mix.ducking ?? Automation(1), sampleRate: sampleRate)
    panning = AutomationTable(mix.pan, sampleRate: sampleRate)
    law = PanLaws(of: mix.pan == plain.pan ? PanLaws.nowhere : mix.panLaw.number)
    self.isMono = isMono
  }

  /// Multiplies frames, the first of which is `frame` of the composition.
  func shape(_ channels: Channels, count: Int, from frame: Int) {
    var done = 0
    while done < count {
      let run = min(count - done, Self.stage), place = Int64(frame + done), target = channels.from(done)
      let steady = min(
        volume.steadyFrames(from: place), ducking.steadyFrames(from: place),
        panning.steadyFrames(from: place))
      if steady >= Int64(run) { hold(target, run, at: place) } else { move(target, run, from: place) }
      done += run
    }
  }

  private func hold(_ channels: Channels, _ count: Int, at place: Int64) {
    let level = volume.value(at: place) * ducking.value(at: place), pan = panning.value(at: place)
    for channel in 0..<channels.count {
      let factor =
        channels.count == 2 ? level * law.factor(pan, isRight: channel == 1, isMono: isMono) : level
      let samples = channels[channel]
      for frame in 0..<count { samples[frame] *= factor }
    }
  }

  private func move(_ channels: Channels, _ count: Int, from place: Int64) {
    let (levels, others, pans) = (memory.channels[0], memory.channels[1], memory.channels[2])
    unsafe volume.fill(MutableSamples(levels, count: count), from: place)
    unsafe ducking.fill(MutableSamples(others, count: count), from: place)
    unsafe panning.fill(MutableSamples(pans, count: count), from: place)
    for frame in 0..<count { levels[frame] *= others[frame] }
    for channel in 0..<channels.count {
      let samples = channels[channel]
      for frame in 0..<count {
        let side =
          channels.count == 2
          ? law.factor(pans[frame], isRight: channel == 1, isMono: isMono) : 1
        samples[frame] *= levels[frame] * side
      }
    }
  }
}
