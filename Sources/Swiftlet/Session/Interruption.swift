// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Something from outside that keeps an engine from playing as it was asked to: it begins, and it ends.
public enum Interruption: Sendable, Hashable {
  /// What it is that interrupts.
  public enum Reason: Sendable, Hashable {
    /// The server has gone; the text says what is known of it. Players and tracks stand where they were, takes
    /// stay open, and the engine returns as soon as the server is back.
    case serverShutdown(String)
    /// The server threw the engine out. The longest cycle so far took so much of the period, where 1 is all of it:
    /// much more than that says who was too slow.
    case zombified(longestCycle: Double)
    /// The studio runs as fast as it can, unheard: what capture nodes hear means nothing.
    case freewheel
    /// The machine slept, or the server took another clock. Told when it is over.
    case suspended
    /// Another session, of this name, wants to be heard alone: players stand still and ways out are silent. Who began
    /// later is right: to play on all the same, pause and start the engine.
    case peer(String)
    /// Another session, of this name, wants others turned down or speech to pause, and this one is
    /// ``AudioSession/Mode/spokenAudio``: it pauses, so that no word is lost. All else is as for ``peer(_:)``.
    case duckingPeer(String)
  }

  /// From now on.
  case began(Reason)
  /// No longer. Where `shouldResume` is true sound goes on as before; else somebody paused the engine meanwhile,
  /// or nothing played when it began.
  case ended(Reason, shouldResume: Bool)
}

extension AudioEngine {
  /// The interruptions among ``events``, from now on.
  public var interruptions: some AsyncSequence<Interruption, Never> & Sendable {
    events.compactMap { event in
      if case .interruption(let interruption) = event { interruption } else { nil }
    }
  }
}
