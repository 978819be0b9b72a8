// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An interruption of an engine by JACK, the machine or another session: its beginning, or its end.
@nonexhaustive public enum Interruption: Sendable, Hashable {
  /// The reason of an interruption.
  @nonexhaustive public enum Reason: Sendable, Hashable {
    /// The server has ended, for the reason in the text. Players and tracks stay at their positions, takes stay open,
    /// and the engine reconnects as soon as the server is back.
    case serverShutdown(String)
    /// The server removed the client because it was too slow. `longestCycle` is the longest cycle so far as a share
    /// of the period: if it is far above 1, the engine's own nodes took too long.
    case zombified(longestCycle: Double)
    /// JACK freewheels: it renders as fast as it can, and the sound of input nodes is meaningless.
    case freewheel
    /// The machine slept, or the server changed its clock. Reported when it is over.
    case suspended
    /// Another session, of this name, asks the others to pause: players pause and outputs are silent. Of two such
    /// sessions, the one that began later plays. To play in spite of the other session, pause and start the engine.
    case peer(String)
    /// Another session, of this name, asks others to duck or speech to pause, and the mode of this one is
    /// ``AudioSession/Mode/spokenAudio``: it pauses, so that no word is lost. Everything else is as for ``peer(_:)``.
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
