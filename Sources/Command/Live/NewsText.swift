// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// An engine's events as people read them.
enum NewsText {
  /// Who wants to know: those who asked for details, everybody, or everybody at once.
  enum Weight { case detail, note, warning }
  /// A line, and how much it matters.
  struct Line: Equatable {
    var line: String
    var weight: Weight
  }

  /// What to say of an event; nil for what the meters show anyway or what is told at the end.
  static func line(_ event: EngineEvent) -> Line? {
    switch event {
    case .xrun(_, let slowest, let microseconds):
      guard !slowest.isEmpty else { return Line(line: "xrun", weight: .detail) }
      let names = slowest.map { "'\($0)'" }.joined(separator: ", ")
      return Line(
        line: "xrun: \(names) took longest, \(Digits.fixed(microseconds, 0)) µs", weight: .detail)
    case .clamped(let node, let parameter, let asked, let used):
      return Line(
        line: "'\(node)': \(parameter) was asked to be \(Digits.short(Double(asked))) and is now "
          + "\(Digits.short(Double(used))), the edge of its range", weight: .warning)
    case .muted(let node, let reason):
      return Line(line: "'\(node)' is muted: \(reason)", weight: .warning)
    case .culprit(let node): return Line(line: "it came from '\(node)'", weight: .warning)
    case .badInput(let node):
      return Line(
        line: "'\(node)' was fed samples that are no numbers and takes them for silence", weight: .warning)
    case .eventsLost(let count):
      return Line(
        line: "\(Digits.count(count, "MIDI event")) lost: there were too many at once", weight: .warning)
    case .studio(let notice): return line(notice)
    case .plugin(let node, let message):
      return Line(line: "'\(node)' says: \(Clean.line(message))", weight: .detail)
    case .pluginRefitted(let node, let period, let isNew):
      let frames = "JACK's period of \(Digits.count(period, "frame"))"
      return Line(
        line: isNew
          ? "'\(node)' was made anew for \(frames): its settings are kept, its tail is not"
          : "'\(node)' plays again, at \(frames)", weight: .note)
    case .pluginSilent(let node, let period, let reason):
      return Line(
        line: "'\(node)' is silent while JACK's period is \(Digits.count(period, "frame")): \(reason)",
        weight: .warning)
    case .warning(let text): return Line(line: text, weight: .warning)
    case .takeEnded, .serverLost: return nil
    }
  }

  private static func line(_ notice: JackEvent) -> Line? {
    switch notice {
    case .waiting(let node, let rule):
      Line(line: "'\(node)' waits for \(rule), which is not there yet", weight: .warning)
    case .refused(let cable): Line(line: "JACK did not connect \(cable)", weight: .warning)
    case .connected(let cable): Line(line: "connected \(cable)", weight: .detail)
    case .disconnected(let cable): Line(line: "disconnected \(cable)", weight: .detail)
    case .blockLength(let frames): Line(line: "JACK's period is \(frames) frames now", weight: .detail)
    case .sampleRate(let rate):
      Line(
        line: "JACK runs at \(Digits.short(rate)) Hz now, which this session was not made for: start it anew",
        weight: .warning)
    case .freewheeling(let isOn):
      Line(line: isOn ? "JACK freewheels" : "JACK plays in time again", weight: .detail)
    case .clockJumped:
      Line(
        line: "JACK's clock jumped: takes go on behind a short gap, however long that was", weight: .warning)
    case .lostEvents, .shutdown, .xrun: nil
    }
  }
}
