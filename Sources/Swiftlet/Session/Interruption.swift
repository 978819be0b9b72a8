// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An interruption of an engine by JACK, the machine or another session: its beginning, or its end.
@nonexhaustive public enum Interruption: Sendable, Hashable {
  /// The reason of an interruption.
  @nonexhaustive public enum Reason: Sendable, Hashable {
    /// The server has gone; the text says what is known of it. Players and tracks stand where they were, takes
    /// stay open, and the engine returns as soon as the server is back.
    case serverShutdown(String)
    /// The server removed the client because it was too slow. `longestCycle` is the longest cycle so far as a share
    /// of the period: far above 1, the engine's own nodes took too long.
    case zombified(longestCycle: Double)
    /// JACK freewheels: it renders as fast as it can, and the sound of input nodes is meaningless.
    case freewheel
    /// The machine slept, or the server took another clock. Told when it is over.
    case suspended
    /// Another session, of this name, asks to be heard alone: players pause and outputs are silent. Of two such
    /// sessions the one that began later is heard. To play all the same, pause and start the engine.
    case peer(String)
    /// Another session, of this name, wants others turned down or speech to pause, and this one is
    /// ``AudioSession/Mode/spokenAudio``: it pauses, so that no word is lost. All else is as for ``peer(_:)``.
    case duckingPeer(String)
  }

  /// The interruption begins.
  case began(Reason)
  /// The interruption ends. If `shouldResume` is true, sound goes on as before; otherwise the program paused the
  /// engine meanwhile, or nothing played when the interruption began.
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
