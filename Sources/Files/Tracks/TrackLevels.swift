// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// What a track's frames are multiplied by: its own volume, and what a mix says over time.
final class TrackLevels {
  /// Whether anything of it can be heard.
  let isHeard: Bool
  private let constant: Float
  private let volume: AutomationTable, ducking: AutomationTable, panning: AutomationTable
  private let isPanned: Bool, law: PanLaws
  private let memory = ChannelMemory(channelCount: 2, frameCount: TrackLevels.stage)
  /// How many factors are worked out at once: so few that they stay in the cache.
  private static let stage = 2048

  init(_ track: Track, _ mix: TrackMix, sampleRate: Double) {
    isHeard = track.isEnabled && track.volume > 0
    constant = track.volume
    volume = AutomationTable(mix.volume, sampleRate: sampleRate)
    ducking = AutomationTable(mix.ducking ?? Automation(1), sampleRate: sampleRate)
    panning = AutomationTable(mix.pan, sampleRate: sampleRate)
    isPanned = mix.pan != Automation(0)
    law = PanLaws(of: mix.panLaw.number)
  }

  /// Multiplies frames, the first of which is `frame` of the composition.
  ///
  /// - Parameter isMono: whether all channels hold the same sound, which a pan places between two.
  func shape(_ channels: Channels, count: Int, from frame: Int, isMono: Bool) {
    var done = 0
    while done < count {
      let place = Int64(frame + done)
      let steady = min(volume.steadyFrames(from: place), ducking.steadyFrames(from: place))
      let run = min(count - done, steady > 0 ? Int(clamping: steady) : Self.stage)
      if steady > 0 {
        let factor = volume.value(at: place) * ducking.value(at: place) * constant
        if factor != 1 { multiply(channels.from(done), run, by: factor) }
      } else {
        move(channels.from(done), run, from: place)
      }
      done += run
    }
    if isPanned, channels.count == 2 { pan(channels, count, from: frame, isMono: isMono) }
  }

  private func multiply(_ channels: Channels, _ count: Int, by factor: Float) {
    for channel in 0..<channels.count {
      let samples = channels[channel]
      for frame in 0..<count { samples[frame] *= factor }
    }
  }

  /// Where something moves, each frame has a factor of its own.
  private func move(_ channels: Channels, _ count: Int, from place: Int64) {
    let (factors, others) = (memory.channels[0], memory.channels[1])
    unsafe volume.fill(MutableSamples(factors, count: count), from: place)
    unsafe ducking.fill(MutableSamples(others, count: count), from: place)
    for frame in 0..<count { factors[frame] = factors[frame] * others[frame] * constant }
    for channel in 0..<channels.count {
      let samples = channels[channel]
      for frame in 0..<count { samples[frame] *= factors[frame] }
    }
  }

  /// As a strip or a lane does it, frame by frame.
  private func pan(_ channels: Channels, _ count: Int, from frame: Int, isMono: Bool) {
    let places = memory.channels[0]
    var done = 0
    while done < count {
      let place = Int64(frame + done), steady = panning.steadyFrames(from: place)
      let run = min(count - done, steady > 0 ? Int(clamping: steady) : Self.stage)
      if steady > 0 {
        for side in 0..<2 {
          let samples = channels[side].advanced(by: done), pan = panning.value(at: place)
          let factor = law.factor(pan, isRight: side == 1, isMono: isMono)
          if factor != 1 { for frame in 0..<run { samples[frame] *= factor } }
        }
      } else {
        unsafe panning.fill(MutableSamples(places, count: run), from: place)
        for side in 0..<2 {
          let samples = channels[side].advanced(by: done)
          for frame in 0..<run {
            samples[frame] *= law.factor(places[frame], isRight: side == 1, isMono: isMono)
          }
        }
      }
      done += run
    }
  }
}
