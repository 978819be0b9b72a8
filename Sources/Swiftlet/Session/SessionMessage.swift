// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletFiles

/// All that sessions tell each other: who somebody is, whether it plays, and what it asks of others. A message holds
/// the whole of it, so that one that is lost matters only until the next.
struct SessionMessage: Codable, Equatable, Sendable {
  /// What others are asked for, from least to most.
  enum Claim: String, Codable, Sendable {
    case nothing, duck
    case pauseSpeech = "pause-speech"
    case pause
  }

  /// The version of this language.
  static let language = 1
  /// The most bytes that a message has.
  static let mostBytes = 1024
  /// The most levels that a message nests: an object with an array.
  static let mostLevels = 2

  var language = SessionMessage.language
  /// The name of the JACK client.
  var name: String
  /// The process, so that engines of one program leave each other alone.
  var process: Int32
  /// Whether it plays: nothing is asked for where it does not.
  var isRunning = false
  /// When it began to, in nanoseconds since the machine was started.
  var since: UInt64 = 0
  var claims: Set<Claim> = []
  /// How far others are to turn down, in dB.
  var duckLevel = 0.0
  /// Whether it plays in the background of all others.
  var isAmbient = false
  /// Whether the sender does not know the receiver yet.
  var wantsAnswer = false

  /// The message in bytes; nil where it does not fit.
  var bytes: [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self), data.count <= Self.mostBytes else { return nil }
    return [UInt8](data)
  }

  /// Reads a message; nil for anything else.
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

  /// What `session` has to tell when it has been running since then; nil where it does not run.
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

/// What others ask of a session, put together.
struct SessionDemand: Equatable, Sendable {
  /// Who asks for a pause; nil where nobody does.
  var pausedBy: String?
  /// Whether that pauses because it speaks, where others would be turned down or go on.
  var pausesAsSpeech = false
  /// How far to turn down, in dB; 0 is not at all.
  var duckLevel = 0.0

  /// What `others` ask of `session`, whose own message is `own`.
  ///
  /// Who began later is right: of two that each want the other to be still, the newer one plays. Who asks for
  /// nothing is ducked by everybody, and paused by those that began after it.
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

  /// Nobody asks for anything.
  init() {}
}
