// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// An engine's events as people read them.
enum NewsText {
  /// A line, and whether it should worry somebody.
  struct Line: Equatable {
    var line: String
    var isWarning: Bool
  }

  /// What to say of an event; nil for what the meters show anyway or what is told at the end.
  static func line(_ event: EngineEvent) -> Line? {
    switch event {
    case .xrun(_, let slowest, let microseconds):
      guard !slowest.isEmpty else { return Line(line: "xrun", isWarning: false) }
      let names = slowest.map { "'\($0)'" }.joined(separator: ", ")
      return Line(
        line: "xrun: \(names) took longest, \(Digits.fixed(microseconds, 0)) µs", isWarning: false)
    case .clamped(let node, let parameter, let asked, let used):
      return Line(
        line: "'\(node)': \(parameter) was asked to be \(Digits.short(Double(asked))) and is now "
          + "\(Digits.short(Double(used))), the edge of its range", isWarning: true)
    case .muted(let node, let reason):
      return Line(line: "'\(node)' is muted: \(reason)", isWarning: true)
    case .culprit(let node): return Line(line: "it came from '\(node)'", isWarning: true)
    case .eventsLost(let count):
      return Line(
        line: "\(Digits.count(count, "MIDI event")) lost: there were too many at once", isWarning: true)
    case .studio(let notice): return line(notice)
    case .plugin(let node, let message):
      return Line(line: "'\(node)' says: \(Clean.line(message))", isWarning: false)
    case .pluginRefitted(let node, let period, let isNew):
      let frames = "JACK's period of \(Digits.count(period, "frame"))"
      return Line(
        line: isNew
          ? "'\(node)' was made anew for \(frames): its settings are kept, its tail is not"
          : "'\(node)' plays again, at \(frames)", isWarning: false)
    case .pluginSilent(let node, let period, let reason):
      return Line(
        line: "'\(node)' is silent while JACK's period is \(Digits.count(period, "frame")): \(reason)",
        isWarning: true)
    case .warning(let text): return Line(line: text, isWarning: true)
    case .takeEnded, .serverLost: return nil
    }
  }

  private static func line(_ notice: JackEvent) -> Line? {
    switch notice {
    case .waiting(let node, let rule):
      Line(line: "'\(node)' waits for \(rule), which is not there yet", isWarning: true)
    case .refused(let cable): Line(line: "JACK did not connect \(cable)", isWarning: true)
    case .connected(let cable): Line(line: "connected \(cable)", isWarning: false)
    case .disconnected(let cable): Line(line: "disconnected \(cable)", isWarning: false)
    case .blockLength(let frames): Line(line: "JACK's period is \(frames) frames now", isWarning: false)
    case .sampleRate(let rate):
      Line(
        line: "JACK runs at \(Digits.short(rate)) Hz now, which this session was not made for: start it anew",
        isWarning: true)
    case .freewheeling(let isOn):
      Line(line: isOn ? "JACK freewheels" : "JACK plays in time again", isWarning: false)
    case .lostEvents, .shutdown, .xrun: nil
    }
  }
}
