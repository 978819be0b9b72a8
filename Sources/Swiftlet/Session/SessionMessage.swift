// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletFiles

/// The message between sessions: the sender, whether it plays, and what it asks of others. Each message holds the
/// complete state, so a lost message matters only until the next.
struct SessionMessage: Codable, Equatable, Sendable {
  /// A request to other sessions, in ascending order.
  enum Claim: String, Codable, Sendable {
    case nothing, duck
    case pauseSpeech = "pause-speech"
    case pause
  }

  /// The version of the message format.
  static let language = 1
  /// The maximum size of a message in bytes.
  static let mostBytes = 1024
  /// The maximum nesting of a message: an object with an array.
  static let mostLevels = 2

  var language = SessionMessage.language
  /// The name of the JACK client.
  var name: String
  /// The process, so that engines of one program ignore each other.
  var process: Int32
  /// Whether the session plays. The requests of a session that does not play are ignored.
  var isRunning = false
  /// The time at which it began to play, in nanoseconds since the machine was started.
  var since: UInt64 = 0
  var claims: Set<Claim> = []
  /// The duck level for other sessions, in dB.
  var duckLevel = 0.0
  /// Whether the session's category is `ambient`.
  var isAmbient = false
  /// Whether the sender does not know the receiver yet.
  var wantsAnswer = false

  /// The encoded message; nil if it is too long.
  var bytes: [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self), data.count <= Self.mostBytes else { return nil }
    return [UInt8](data)
  }

  /// Decodes a message; nil if the bytes are not a valid message.
  init?(_ bytes: some Collection<UInt8>) {
    guard
      let message = try? BoundedJSON.decode(
        SessionMessage.self, from: bytes, byteLimit: Self.mostBytes, depthLimit: Self.mostLevels),
      message.language == Self.language, 1...63 ~= message.name.utf8.count, message.process > 0,
      message.name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
      AudioSession.duckLevels ~= message.duckLevel
    else { return nil }
    self = message
  }

  /// Creates the message of a session.
  ///
  /// - Parameter since: the time at which it began to run; nil if it is not running.
  init(_ session: AudioSession, name: String, process: Int32, since: UInt64?) {
    self.name = name
    self.process = process
    isRunning = since != nil
    self.since = since ?? 0
    duckLevel = session.duckLevel
    isAmbient = session.category == .ambient
    let requests = session.requests
    if requests.contains(.duckOthers) { claims.insert(.duck) }
    if requests.contains(.interruptSpokenAudio) { claims.insert(.pauseSpeech) }
    if requests.contains(.exclusive) { claims.insert(.pause) }
  }
}

/// The combined requests of other sessions to one session.
struct SessionDemand: Equatable, Sendable {
  /// The name of the session that asks for a pause; nil if there is none.
  var pausedBy: String?
  /// Whether the session pauses only because its mode is `spoken-audio`; another mode would be ducked or play on.
  var pausesAsSpeech = false
  /// The change of level in dB; 0 for no ducking.
  var duckLevel = 0.0

  /// Combines the requests of `others` to `session`, whose own message is `own`.
  ///
  /// The session that began later takes precedence: of two sessions that each ask the other to pause, the newer one
  /// plays. A session without requests is ducked by all that ask for ducking, and paused by those that began after
  /// it.
  init(on session: AudioSession, saying own: SessionMessage, from others: [SessionMessage]) {
    for other in others.sorted(by: { ($0.since, $0.process) > ($1.since, $1.process) })
    where other.isRunning && other.process != own.process {
      let isNewer = (other.since, other.process) > (own.since, own.process)
      let ducks = other.claims.contains(.duck) && (isNewer || own.claims.isEmpty)
      let speaks = session.mode == .spokenAudio
      let silences = isNewer && other.claims.contains(.pause)
      let pauses = silences || speaks && (isNewer && other.claims.contains(.pauseSpeech) || ducks)
      if own.isRunning, pauses, pausedBy == nil { (pausedBy, pausesAsSpeech) = (other.name, !silences) }
      if ducks { duckLevel = min(duckLevel, other.duckLevel) }
      if own.isAmbient, !other.isAmbient { duckLevel = min(duckLevel, session.duckLevel) }
    }
  }

  /// Creates a demand without requests.
  init() {}
}
