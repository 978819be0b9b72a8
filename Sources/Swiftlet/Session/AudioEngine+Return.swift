// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletThreads
internal import Synchronization

extension AudioEngine {
  /// Whether the engine reconnects when the JACK server has ended or has removed the client. Default: true. If false,
  /// the engine ends with the server: ``EngineEvent/serverLost(_:)``.
  ///
  /// The engine reconnects under the same name, with the same ports and the same connections, including those made by
  /// users, as far as the other ports exist. Nodes keep their tails and settings; players and tracks continue at the
  /// frame at which they stopped. In takes, and in ``now``, one period stands for the time in between, however long
  /// that was, and is marked as lost. The engine adopts a new period. It does not adopt a new sample rate, and
  /// reports it as ``EngineEvent/otherRate(server:engine:)``.
  ///
  /// Any thread. The value is read when the server ends.
  public var reconnects: Bool {
    get { core.withLock { $0.connection.reconnects } }
    set { core.withLock { $0.connection.reconnects = newValue } }
  }

  /// Starts a thread that tries to rejoin the server until that succeeds. Each attempt asks a server that may not
  /// answer.
  func startReturning() {
    startThread("swiftlet-rejoin") { [weak self] in
      var delay = self?.core.withLock { $0.connection.delay } ?? ReturnDelay()
      var reportedRate: Double?
      self?.jackClient?.leaveLostServer()
      while true {
        Waiting.sleep(.seconds(delay.next()))
        guard let engine = self, !engine.tryToReturn(&reportedRate) else { return }
        engine.core.withLock { $0.connection.delay = delay }
      }
    }
  }

  /// Tries to rejoin the server. Returns true if no further attempt is needed: the engine is back, or was closed.
  private func tryToReturn(_ reportedRate: inout Double?) -> Bool {
    guard !isClosed, let jackClient else { return true }
    do throws(JackError) {
      try jackClient.rejoin()
    } catch .otherRate(_, let rate, _) {
      if reportedRate != rate { broadcaster.send(.otherRate(server: rate, engine: sampleRate)) }
      reportedRate = rate
      return false
    } catch {
      return false
    }
    // A new server does not know the engine's transport role.
    try? updateJackTransport(of: transportRole)
    let outcome = core.withLock { $0.resume(in: jackClient) }
    if let event = outcome.event { broadcaster.send(event) }
    return outcome.isDone
  }
}

extension EngineCore {
  /// Records that the server has ended or has shut the client down. Returns the event to report.
  mutating func recordServerLoss(_ text: String, wasZombified: Bool) -> EngineEvent? {
    guard !state.isOver, state.absence == nil else { return nil }
    controller.isLive = false
    guard connection.reconnects else {
      state = isActive ? .ending : .ended
      return .serverLost(text)
    }
    let seconds = Double(fitting.period ?? 0) / controller.renderer.sampleRate
    let share = seconds > 0 ? controller.longestCycle / seconds : 0
    let reason: Interruption.Reason = wasZombified ? .zombified(longestCycle: share) : .serverShutdown(text)
    state = .away(.init(reason: reason, wasActive: isActive, resumes: isRunning))
    connection.recordLoss()
    return .interruption(.began(reason))
  }

  /// Continues rendering at the last frame, after the client has rejoined a server.
  mutating func resume(in jackClient: JackClient) -> (isDone: Bool, event: EngineEvent?) {
    guard let away = state.absence else { return (true, nil) }
    let renderer = controller.renderer
    var resumes = away.resumes, event: EngineEvent?
    // Edits were collected meanwhile, as before any start.
    do throws(EngineError) {
      if resumes { try apply() }
    } catch {
      resumes = false
      event = .warning("the engine stays paused: \(error)")
    }
    if away.wasActive || resumes {
      controller.recover()
      // The gap is one period, so that takes fill it and mark it as lost.
      let frame = renderer.position.load(ordering: .acquiring) + Int64(max(jackClient.blockLength, 1))
      if resumes { controller.resume() } else { controller.suspend() }
      do throws(JackError) {
        jackClient.setPaced(true)
        try jackClient.activate(renderer, from: away.wasActive ? frame : 0)
      } catch {
        return (false, nil)
      }
      controller.isLive = true
    }
    state = resumes ? .running : away.wasActive ? .paused : .idle
    connection.noteReturn()
    return (true, event ?? .interruption(.ended(away.reason, shouldResume: resumes)))
  }
}
