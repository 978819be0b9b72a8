// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// A position on an engine's timeline: a time, seconds, a frame, a bar and beat, or now.
public enum TimelinePosition: Hashable, Sendable {
  /// A time from the start of the timeline.
  case time(MediaTime)
  /// Seconds from the start of the timeline.
  case seconds(Double)
  /// A frame at the engine's sample rate, from 0.
  case frame(Int64)
  /// A bar, and a beat in it, both counted from 1, by the tempo map of the engine's ``TransportRole``; by 120 beats
  /// per minute in 4/4 if that has none.
  case bar(Int, beat: Double = 1)
  /// The current position.
  case now
}

extension AudioEngine {
  /// Returns the time of a position. A position before the start, or one that is not a number, is the start.
  func time(of position: TimelinePosition) -> MediaTime {
    let time =
      switch position {
      case .time(let time): time
      case .seconds(let seconds): (try? MediaTime(seconds: seconds)) ?? .zero
      case .frame(let frame): MediaTime(frames: frame, at: sampleRate)
      case .bar(let bar, let beat): barTime(BarBeat(bar: bar, beat: beat))
      case .now: MediaTime(frames: timelineTime.frame, at: sampleRate)
      }
    return max(time, .zero)
  }

  private func barTime(_ position: BarBeat) -> MediaTime {
    guard let map = try? transportRole.tempo ?? TempoMap() else { return .zero }
    return (try? map.time(of: position)) ?? .zero
  }
}
