// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch

/// The state of an engine's session among the other sessions.
struct SessionLife {
  var session: AudioSession { didSet { hasChanged = true } }
  private(set) var bus: SessionBus?
  /// The latest messages of the other sessions, and the last message of this one.
  private(set) var others: [SessionMessage] = []
  var sentMessage: SessionMessage?
  /// Whether anything has changed since the last look. The housekeeping thread looks every 10 ms or more often.
  private var hasChanged = true
  /// The time at which the engine started, in nanoseconds since the machine was started; nil while it is not running.
  private(set) var since: UInt64?
  /// The requests that are carried out now, and the reason of the present pause.
  var demand = SessionDemand()
  var interruption: Interruption.Reason?
  /// The duck level that was reported last, in dB.
  var reportedDuckLevel = 0.0

  init(_ session: AudioSession) { self.session = session }

  /// Reads the latest messages from the bus. Under the engine's lock, so that the last read has the newest messages.
  mutating func update() {
    if let bus { update(bus.others) }
  }

  /// Stores the messages of the other sessions.
  mutating func update(_ others: [SessionMessage]) {
    self.others = others
    hasChanged = true
  }

  /// Joins a bus. The other sessions have received no message yet.
  mutating func join(_ bus: SessionBus) {
    self.bus = bus
    sentMessage = nil
    update()
  }

  /// Returns whether there is anything to do: the session, the other sessions, or the state of the engine has
  /// changed.
  func isDue(isRunning: Bool) -> Bool { hasChanged || isRunning != (since != nil) }

  /// Records that everything has been evaluated, and whether the engine is running.
  mutating func noteEvaluation(isRunning: Bool) {
    hasChanged = false
    since = isRunning ? since ?? Self.now : nil
  }

  /// The nanoseconds since the machine was started, the same in every process.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
