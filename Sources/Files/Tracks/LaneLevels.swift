// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// Multiplies channels by volume, ducking and pan, bit for bit as the engine's fader of a node with these lanes does.
final class LaneLevels {
  private let constant: Float
  private let volume: AutomationTable, ducking: AutomationTable, panning: AutomationTable
  private let isPanned: Bool, law: PanLaws
  private let memory = ChannelMemory(channelCount: 3, frameCount: LaneLevels.stage)
  /// The number of factors that are computed at once; few enough to stay in the processor's cache.
  private static let stage = 256

  /// Creates levels at a rate. Returns nil if they change nothing.
  ///
  /// - Parameter constant: a constant factor; the default is 1.
  init?(_ mix: TrackMix, constant: Float = 1, sampleRate: Double) {
    let plain = TrackMix()
    isPanned = mix.pan != plain.pan
    guard mix.volume != plain.volume || mix.ducking != nil || isPanned || constant != 1 else { return nil }
    self.constant = constant
    let declick = mix.declick?.seconds ?? 0
    volume = AutomationTable(mix.volume, sampleRate: sampleRate, declick: declick)
    ducking = AutomationTable(mix.ducking ?? Automation(1), sampleRate: sampleRate, declick: declick)
    panning = AutomationTable(mix.pan, sampleRate: sampleRate, declick: declick)
    law = PanLaws(of: mix.panLaw.number)
  }

  /// Multiplies frames, the first of which is frame `frame` of the composition.
  ///
  /// - Parameter isMono: whether both channels hold the same mono sound, which the pan places between them.
  func shape(_ channels: Channels, count: Int, from frame: Int, isMono: Bool = false) {
    var done = 0
    while done < count {
      let run = min(count - done, Self.stage), start = Int64(frame + done), target = channels.from(done)
      let steady = min(
        volume.steadyFrames(from: start), ducking.steadyFrames(from: start),
        panning.steadyFrames(from: start))
      if steady >= Int64(run) {
        hold(target, run, at: start, isMono)
      } else {
        move(target, run, from: start, isMono)
      }
      done += run
    }
  }

  private func hold(_ channels: Channels, _ count: Int, at frame: Int64, _ isMono: Bool) {
    let level = volume.value(at: frame) * ducking.value(at: frame) * constant, pan = panning.value(at: frame)
    for channel in 0..<channels.count {
      let factor = isPanned(channels) ? level * law.factor(pan, isRight: channel == 1, isMono: isMono) : level
      let samples = channels[channel]
      if factor != 1 { for frame in 0..<count { samples[frame] *= factor } }
    }
  }

  private func move(_ channels: Channels, _ count: Int, from frame: Int64, _ isMono: Bool) {
    let (levels, others, pans) = (memory.channels[0], memory.channels[1], memory.channels[2])
    unsafe volume.fill(MutableSamples(levels, count: count), from: frame)
    unsafe ducking.fill(MutableSamples(others, count: count), from: frame)
    unsafe panning.fill(MutableSamples(pans, count: count), from: frame)
    for frame in 0..<count { levels[frame] = levels[frame] * others[frame] * constant }
    for channel in 0..<channels.count {
      let samples = channels[channel]
      guard isPanned(channels) else {
        for frame in 0..<count { samples[frame] *= levels[frame] }
        continue
      }
      for frame in 0..<count {
        samples[frame] *= levels[frame] * law.factor(pans[frame], isRight: channel == 1, isMono: isMono)
      }
    }
  }

  private func isPanned(_ channels: Channels) -> Bool { isPanned && channels.count == 2 }
}
