// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch

/// How an engine lives with others.
struct SessionLife {
  var session: AudioSession { didSet { hasChanged = true } }
  private(set) var bus: SessionBus?
  /// What the others say, and what they were told last.
  private(set) var others: [SessionMessage] = []
  var said: SessionMessage?
  /// Whether anything is other than when it was looked at last: the house looks every 5 ms.
  private var hasChanged = true
  /// Since when the engine runs, in nanoseconds since the machine was started.
  private(set) var since: UInt64?
  /// What is asked for and done now, and who asked for the pause.
  var demand = SessionDemand()
  var interruption: Interruption.Reason?
  /// How far the engine was last told to be turned down, in dB.
  var toldDuckLevel = 0.0

  init(_ session: AudioSession) { self.session = session }

  /// Takes in what the others on the bus say now. Under the engine's lock: so what is heard last is the newest.
  mutating func hear() {
    if let bus { hear(bus.others) }
  }

  /// Takes in what others say.
  mutating func hear(_ others: [SessionMessage]) {
    self.others = others
    hasChanged = true
  }

  /// Takes a seat among them. What was said before, nobody has heard.
  mutating func join(_ bus: SessionBus) {
    self.bus = bus
    said = nil
    hear()
  }

  /// Whether there is anything to be done: the session, the others, or whether the engine runs is another.
  func isDue(isRunning: Bool) -> Bool { hasChanged || isRunning != (since != nil) }

  /// Notes that all is looked at now, while the engine runs or does not.
  mutating func look(isRunning: Bool) {
    hasChanged = false
    since = isRunning ? since ?? Self.now : nil
  }

  /// Nanoseconds since the machine was started, the same in every process.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
