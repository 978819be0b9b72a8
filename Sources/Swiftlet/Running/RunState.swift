// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The running state of an engine.
enum RunState {
  /// The engine has not been started.
  case idle
  case running
  /// The engine is paused. In JACK the client stays active.
  case paused
  /// The server has ended, and the engine is trying to rejoin it.
  case away(Absence)
  /// The engine cannot be started again, and the renderer may be in its last cycle.
  case ending
  /// The engine cannot be started again, and its renderer is no longer called.
  case ended

  /// The state to restore when the server is back.
  struct Absence {
    let reason: Interruption.Reason
    /// Whether JACK called the renderer, and whether the engine plays when it is back.
    let wasActive: Bool
    var resumes: Bool
  }

  var isRunning: Bool { if case .running = self { true } else { false } }

  var absence: Absence? { if case .away(let absence) = self { absence } else { nil } }

  /// Whether the engine cannot be started again.
  var isOver: Bool {
    switch self {
    case .ending, .ended: true
    case .idle, .running, .paused, .away: false
    }
  }

  /// Whether JACK calls the renderer, if the engine is a client.
  var isActive: Bool {
    switch self {
    case .running, .paused, .ending: true
    case .idle, .away, .ended: false
    }
  }

  /// Sets whether the engine plays when its server is back.
  ///
  /// - Returns: false if the server is not away.
  @discardableResult mutating func setResumes(_ resumes: Bool) -> Bool {
    guard var absence else { return false }
    absence.resumes = resumes
    self = .away(absence)
    return true
  }
}
