// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// Whose time an engine's timeline is: what lanes, tracks and players follow.
public enum TransportRole: Hashable, Sendable {
  /// The engine's own: it begins with the first frame and stands still while the engine is paused. Players play
  /// when they are told to.
  case own
  /// The transport's: JACK's, or, offline, the engine's own. Players and tracks play while it rolls, from where it
  /// is; the studio waits for them before it rolls.
  case follow
  /// As ``follow``, and the engine tells the studio, and its own effects, of bars, beats and tempo.
  case lead(TempoMap)

  /// What the engine tells of; nil where it tells of nothing.
  var tempo: TempoMap? {
    switch self {
    case .own, .follow: nil
    case .lead(let map): map
    }
  }
}
