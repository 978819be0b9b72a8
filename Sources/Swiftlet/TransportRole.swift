// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// The transport that an engine's timeline follows, and with it lanes, tracks and players.
public enum TransportRole: Hashable, Sendable {
  /// The engine's own: it begins with the first frame and stands still while the engine is paused. Players play
  /// when they are told to.
  case own
  /// The transport's: JACK's, or, offline, the engine's own. Players and tracks play while it rolls, from where it
  /// is; the studio waits for them before it rolls.
  case follow
  /// As ``follow``, and the engine tells the studio, and its own effects, of bars, beats and tempo.
  case lead(TempoMap)
  /// A transport of this engine alone, which stands still, rolls and loops: ``AudioEngine/startTransport()``,
  /// ``AudioEngine/stopTransport()`` and ``AudioEngine/locateTransport(to:)`` control it, and JACK's transport and other
  /// programs do not notice it. Tracks and lanes follow it, and effects and plugins get its bars, beats and tempo.
  /// Players play when they are told to.
  ///
  /// - Parameters:
  ///   - loop: the range that plays again and again, without a gap; what lies before it plays once. 50 ms or longer.
  ///   - isPaused: whether the timeline stands at its start until ``AudioEngine/startTransport()``; default: it rolls as
  ///     soon as the engine runs.
  case local(TempoMap, loop: Range<MediaTime>? = nil, isPaused: Bool = false)

  /// What the engine tells of; nil where it tells of nothing.
  var tempo: TempoMap? {
    switch self {
    case .own, .follow: nil
    case .lead(let map), .local(let map, _, _): map
    }
  }
}
