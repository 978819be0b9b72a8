// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// The transport that an engine's timeline follows, and with it lanes, tracks and players.
@nonexhaustive public enum TransportRole: Hashable, Sendable {
  /// The engine's own time: it begins with the first frame and stands still while the engine is paused. Players have
  /// their own time.
  case own
  /// JACK's transport; offline, the engine's own. Tracks, and players that follow it, play while it rolls, at its
  /// position; JACK waits for them before it rolls.
  case follow
  /// As ``follow``, and the engine is the timebase source: it supplies bars, beats and tempo to JACK, and to its own
  /// effects.
  case timebase(TempoMap)
  /// A transport of this engine alone, which starts, stops and loops: ``AudioEngine/startTransport()``,
  /// ``AudioEngine/stopTransport()`` and ``AudioEngine/locateTransport(to:)`` control it; JACK's transport and other
  /// programs are not affected. Tracks and lanes follow it, and effects and plugins get its bars, beats and tempo.
  /// Players have their own time.
  ///
  /// - Parameters:
  ///   - loop: the range that repeats without a gap; the part before it plays once. At least 50 ms long. Default:
  ///     none.
  ///   - isPaused: whether the timeline waits at its start until ``AudioEngine/startTransport()``; default: false, so
  ///     that it rolls as soon as the engine runs.
  case local(TempoMap, loop: Range<MediaTime>? = nil, isPaused: Bool = false)

  /// The tempo map that the engine supplies; nil if it supplies none.
  var tempo: TempoMap? {
    switch self {
    case .own, .follow: nil
    case .timebase(let map), .local(let map, _, _): map
    }
  }
}
