// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletJack

/// What an engine is for, and how it wants to live with others: set as ``AudioEngine/session``.
///
/// Engines in other programs of this user, on the same JACK server, learn of it by themselves. JACK mixes
/// whatever is played; to be ducked or paused is a favour that engines with a session do each other.
public struct AudioSession: Sendable, Hashable {
  /// What an engine is for: which ports it has, and what they are connected to.
  public enum Category: String, Sendable, Hashable, CaseIterable {
    /// Background: it plays, and is ducked under every other session that plays.
    case ambient
    /// It plays alone: others are asked to pause, as with ``Option/exclusive``.
    case soloAmbient = "solo-ambient"
    /// It plays, and has no ways in.
    case playback
    /// It records, and has no ways out.
    case record
    /// It does both, in one cycle.
    case playAndRecord = "play-and-record"
    /// It works for other programs: no port is connected to a sound card.
    case audioProcessing = "audio-processing"
    /// It serves several devices: ports are connected where their rules name ports, and nowhere else.
    case multiRoute = "multi-route"
  }

  /// What an engine asks of others while it runs.
  public enum Option: String, Sendable, Hashable, CaseIterable {
    /// Others play on. JACK mixes all that is played, so this is so unless ``exclusive`` or
    /// ``Category/soloAmbient`` asks for more, which it contradicts; ``duckOthers`` and ``interruptSpokenAudio``
    /// imply it.
    case mixWithOthers = "mix-with-others"
    /// Others turn down by ``AudioSession/duckLevel``.
    case duckOthers = "duck-others"
    /// Others that speak (``Mode/spokenAudio``) pause; the rest plays on.
    case interruptSpokenAudio = "interrupt-spoken-audio"
    /// Others pause.
    case exclusive
  }

  /// What the sound is like.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// Nothing in particular.
    case normal = "default"
    /// It measures: built-in effects that change level or colour (compressor, limiter, gate, ducker,
    /// multiband, equalizer, and the ceilings of ways out) are bypassed.
    case measurement
    /// It is a conversation: while it lasts, all sound of capture nodes passes the effect `voice-processing`, which
    /// takes out what playback nodes play, turns noise down and levels the voice. Captures come later by its
    /// latency.
    case voiceChat = "voice-chat"
    /// It speaks, so that to be turned down would make it hard to follow: where others ask to be ducked, it
    /// pauses.
    case spokenAudio = "spoken-audio"
    /// It says a few words over everything: while it runs others turn down and those that speak pause, as with
    /// ``Option/duckOthers`` and ``Option/interruptSpokenAudio``.
    case voicePrompt = "voice-prompt"
  }

  /// What it is for; ``Category/playAndRecord`` unless told otherwise.
  public var category: Category
  /// What it asks of others; nothing unless told otherwise.
  public var options: Set<Option>
  /// What its sound is like.
  public var mode: Mode
  /// How far others turn down for ``Option/duckOthers``, in dB from -60 to 0; -12 unless told otherwise. What lies
  /// outside is moved to the nearest of these, and what is no number to -12.
  public var duckLevel: Double { didSet { duckLevel = Self.possible(duckLevel) } }
  /// The ports that nodes may be connected to by their rules; nil, which it is unless told otherwise, for all. None
  /// where it is empty. Cables that somebody puts in by hand may go anywhere.
  public var ports: [PortPattern]?

  /// A session that gets along with everybody, unless told otherwise.
  public init(
    _ category: Category = .playAndRecord, options: Set<Option> = [], mode: Mode = .normal,
    duckLevel: Double = -12, ports: [PortPattern]? = nil
  ) {
    self.category = category
    self.options = options
    self.mode = mode
    self.duckLevel = Self.possible(duckLevel)
    self.ports = ports
  }

  /// What is asked of others, whether an option says it, the category or the mode.
  var requests: Set<Option> {
    var requests = options
    if category == .soloAmbient { requests.insert(.exclusive) }
    if mode == .voicePrompt { requests.formUnion([.duckOthers, .interruptSpokenAudio]) }
    return requests
  }

  /// What in it contradicts itself; nil where nothing does. ``AudioEngine/setSession(_:)`` refuses such a session.
  package var contradiction: SessionError? {
    guard options.contains(.mixWithOthers) else { return nil }
    if options.contains(.exclusive) { return .mixesAlone(.exclusive) }
    return category == .soloAmbient ? .mixesInCategory(category) : nil
  }

  private static func possible(_ level: Double) -> Double {
    level.isNaN ? -12 : min(max(level, duckLevels.lowerBound), duckLevels.upperBound)
  }

  /// What ``duckLevel`` may be, in dB.
  package static let duckLevels = -60.0...0
}

extension AudioSession.Category {
  /// How far the rules of nodes are followed.
  var cabling: Cabling {
    switch self {
    case .ambient, .soloAmbient, .playback, .record, .playAndRecord: .asRuled
    case .audioProcessing: .programs
    case .multiRoute: .named
    }
  }

  /// Whether the engine has ways in for sound.
  package var records: Bool { self != .ambient && self != .soloAmbient && self != .playback }
  /// Whether the engine has ways out for sound.
  package var plays: Bool { self != .record }
}
