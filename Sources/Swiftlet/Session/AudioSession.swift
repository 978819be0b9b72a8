// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletJack

/// The purpose of an engine, and what it asks of other sessions: see ``AudioEngine/setSession(_:)``.
///
/// Engines of the same user on the same JACK server find each other. JACK mixes all clients; an engine is ducked or
/// paused by another session only if it has a session itself.
///
/// A value, for any thread.
public struct AudioSession: Sendable, Hashable {
  /// The purpose of an engine: which ports it has, and what they are connected to.
  @nonexhaustive public enum Category: String, Sendable, Hashable, CaseIterable {
    /// Background: it plays, and is ducked under every other session that plays.
    case ambient
    /// Playback as the only session: other sessions are asked to pause, as with ``Option/exclusive``.
    case soloAmbient = "solo-ambient"
    /// Playback, without input ports.
    case playback
    /// Recording, without output ports.
    case record
    /// Playback and recording, in one cycle.
    case playAndRecord = "play-and-record"
    /// Processing for other programs: no port is connected to a sound card.
    case audioProcessing = "audio-processing"
    /// Several devices: ports are connected only if their rules name ports.
    case multiRoute = "multi-route"
  }

  /// A request to other sessions, while this one runs.
  @nonexhaustive public enum Option: String, Sendable, Hashable, CaseIterable {
    /// Other sessions play on. This is the default unless ``exclusive`` or ``Category/soloAmbient`` is set, which
    /// contradict it; ``duckOthers`` and ``interruptSpokenAudio`` imply it.
    case mixWithOthers = "mix-with-others"
    /// Other sessions reduce their level by ``AudioSession/duckLevel``.
    case duckOthers = "duck-others"
    /// Other sessions with the mode ``Mode/spokenAudio`` pause; the rest play on.
    case interruptSpokenAudio = "interrupt-spoken-audio"
    /// Other sessions pause.
    case exclusive
  }

  /// The kind of sound.
  @nonexhaustive public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// No special kind.
    case normal = "default"
    /// Measurement: built-in effects that change level or tone (compressor, limiter, gate, ducker, multiband,
    /// equalizer, and the ceilings of outputs) are bypassed.
    case measurement
    /// A conversation: all sound of input nodes passes the effect `voice-processing`, which removes what the outputs
    /// play, reduces noise and levels the voice. Inputs are later by its latency.
    case voiceChat = "voice-chat"
    /// Speech: if another session asks for ducking, this one pauses instead, so that no word is lost.
    case spokenAudio = "spoken-audio"
    /// A short announcement: other sessions reduce their level, and those with the mode ``Mode/spokenAudio`` pause,
    /// as with ``Option/duckOthers`` and ``Option/interruptSpokenAudio``.
    case voicePrompt = "voice-prompt"
  }

  /// The purpose. Default: ``Category/playAndRecord``.
  public var category: Category
  /// The session's requests to other sessions. Default: none.
  public var options: Set<Option>
  /// The kind of sound. Default: ``Mode/normal``.
  public var mode: Mode
  /// The change of level of other sessions for ``Option/duckOthers``, in dB from −60 to 0. Default: −12. A value out
  /// of range is clamped; NaN becomes −12.
  public var duckLevel: Double { didSet { duckLevel = Self.possible(duckLevel) } }
  /// The JACK ports that nodes may be connected to by their rules. Default: nil, which allows all; an empty list
  /// allows none. Connections that a user makes are not restricted.
  public var ports: [PortPattern]?

  /// Creates a session. By default it plays, records, and asks nothing of others.
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

  /// The requests to other sessions, from options, category and mode.
  var requests: Set<Option> {
    var requests = options
    if category == .soloAmbient { requests.insert(.exclusive) }
    if mode == .voicePrompt { requests.formUnion([.duckOthers, .interruptSpokenAudio]) }
    return requests
  }

  /// The contradiction in the session; nil if there is none. ``AudioEngine/setSession(_:)`` refuses a contradictory
  /// session.
  package var contradiction: SessionError? {
    guard options.contains(.mixWithOthers) else { return nil }
    if options.contains(.exclusive) { return .mixesAlone(.exclusive) }
    return category == .soloAmbient ? .mixesInCategory(category) : nil
  }

  private static func possible(_ level: Double) -> Double {
    level.isNaN ? -12 : min(max(level, duckLevels.lowerBound), duckLevels.upperBound)
  }

  /// The range of ``duckLevel``, in dB.
  package static let duckLevels = -60.0...0
}

extension AudioSession.Category {
  /// The rules of nodes that apply.
  var connectionPolicy: ConnectionPolicy {
    switch self {
    case .ambient, .soloAmbient, .playback, .record, .playAndRecord: .asRuled
    case .audioProcessing: .programs
    case .multiRoute: .named
    }
  }

  /// Whether the engine has audio input nodes with ports.
  package var records: Bool { self != .ambient && self != .soloAmbient && self != .playback }
  /// Whether the engine has audio output nodes with ports.
  package var plays: Bool { self != .record }
}
