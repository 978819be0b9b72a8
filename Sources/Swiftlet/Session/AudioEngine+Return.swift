// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletThreads
internal import Synchronization

extension AudioEngine {
  /// Whether the engine waits for a server that has gone, or that threw it out, and returns to it; true unless
  /// told otherwise. An engine that does not is over with its server: ``EngineEvent/serverLost(_:)``.
  ///
  /// It returns under the same name, with the same ports and the same cables, those put in by hand among them, as
  /// far as the ports at their other ends are there or come. The graph keeps all tails and settings; players and
  /// tracks go on with the frame at which they stood. In takes, and in ``currentTime``, one period of the server
  /// stands for the time in between, however long that was, and is marked as lost frames are. A new period is
  /// followed; a new rate is not, and told as ``EngineEvent/otherRate(server:engine:)``.
  ///
  /// Any thread. What it is changed to counts when the server goes.
  public var reconnects: Bool {
    get { core.withLock { $0.reconnects } }
    set { core.withLock { $0.reconnects = newValue } }
  }

  /// Tries to be a client again until it works: on a thread of its own, since every try asks a server that may
  /// not answer.
  func startReturning() {
    startThread("swiftlet-return") { [weak self] in
      var delay = self?.core.withLock { $0.returnDelay } ?? ReturnDelay()
      var toldRate: Double?
      self?.studio?.depart()
      while true {
        Thread.sleep(forTimeInterval: delay.next())
        guard let engine = self, !engine.tryToReturn(&toldRate) else { return }
        engine.core.withLock { $0.returnDelay = delay }
      }
    }
  }

  /// Whether nothing is left to be tried: the engine is back, or was closed.
  private func tryToReturn(_ toldRate: inout Double?) -> Bool {
    guard !isClosed, let studio else { return true }
    do throws(JackError) {
      try studio.rejoin()
    } catch .otherRate(_, let rate, _) {
      if toldRate != rate { hub.send(.otherRate(server: rate, engine: sampleRate)) }
      toldRate = rate
      return false
    } catch {
      return false
    }
    // A new server knows nothing of who follows, or leads.
    try? tellStudio(of: transportRole)
    let outcome = core.withLock { $0.resume(in: studio) }
    if let news = outcome.news { hub.send(news) }
    return outcome.isDone
  }
}

/// How long to wait before the next try to return: longer each time, and not short again where the engine is
/// thrown out as soon as it is back.
struct ReturnDelay: Sendable {
  /// The first wait and the longest, in seconds.
  static let shortest = 0.1, longest = 2.0
  /// For how long an engine must have been back for the next wait to be short again, in seconds.
  static let probation = 10.0

  private var seconds = shortest

  /// The next wait in seconds, with the one after that twice as long.
  mutating func next() -> Double {
    defer { seconds = min(seconds * 2, Self.longest) }
    return seconds
  }

  /// The delay of an engine that has been back for so many seconds.
  func after(_ timeBack: Double) -> ReturnDelay { timeBack < Self.probation ? self : ReturnDelay() }
}

extension EngineCore {
  /// What is kept in mind while the server is away.
  struct Away {
    let reason: Interruption.Reason
    /// Whether the studio called the renderer, and whether sound goes on by itself when it is back.
    let wasActive: Bool
    var resumes: Bool
  }

  /// The server has gone, or threw us out; gives what to tell of it.
  mutating func lose(_ text: String, wasThrownOut: Bool) -> EngineEvent? {
    guard !isLost, away == nil else { return nil }
    let wasRunning = isRunning, wasActive = isActive
    isRunning = false
    host.isLive = false
    guard reconnects else {
      isLost = true
      return .serverLost(text)
    }
    isActive = false
    let seconds = Double(period ?? 0) / host.renderer.sampleRate
    let share = seconds > 0 ? host.longestCycle / seconds : 0
    let reason: Interruption.Reason = wasThrownOut ? .zombified(longestCycle: share) : .serverShutdown(text)
    away = Away(reason: reason, wasActive: wasActive, resumes: wasRunning)
    returnDelay = returnDelay.after(lastReturn.map { ($0.duration(to: .now)).seconds } ?? .infinity)
    mustReturn = true
    return .interruption(.began(reason))
  }

  /// The client is on a server again: lets it play from where sound stood.
  mutating func resume(in studio: JackClient) -> (isDone: Bool, news: EngineEvent?) {
    guard !isLost, let away else { return (true, nil) }
    let renderer = host.renderer
    var resumes = away.resumes, news: EngineEvent?
    // Edits were collected meanwhile, as for any start.
    do throws(EngineError) {
      if resumes { try apply() }
    } catch {
      resumes = false
      news = .warning("the engine stays paused: \(error)")
    }
    if away.wasActive || resumes {
      host.recover()
      // The gap is short but not nothing: takes fill and mark it.
      let frame = renderer.position.load(ordering: .acquiring) + Int64(max(studio.blockLength, 1))
      if resumes { host.resume() } else { host.suspend() }
      do throws(JackError) {
        studio.setPaced(true)
        try studio.activate(renderer, from: away.wasActive ? frame : 0)
      } catch {
        return (false, nil)
      }
      isActive = true
      host.isLive = true
    }
    self.away = nil
    isRunning = resumes
    shownPlan = 0
    lastReturn = .now
    return (true, news ?? .interruption(.ended(away.reason, shouldResume: resumes)))
  }
}
