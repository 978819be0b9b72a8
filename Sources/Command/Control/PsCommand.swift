// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletControl
internal import SwiftletManifest

/// `swiftlet ps`: lists the running sessions.
struct PsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ps", abstract: "List the running sessions of this user.",
    discussion:
      "Each line has the process, the name, the state, the load of the audio thread, xruns and takes.")

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let sessions = RunningSession.all().map { (session: $0, status: $0.status) }
    if sessions.isEmpty { common.console.note("no session is running") }
    if json {
      let items = sessions.map { session, status in
        status?.json ?? .object([("process", .integer(Int(session.process))), ("name", .null)])
      }
      return try Results().json(.object([JSONValue.format, ("sessions", .list(items))]))
    }
    var table = Table()
    for (session, status) in sessions {
      guard let status else {
        table.add("\(session.process)", "?", "does not answer")
        continue
      }
      table.add(
        "\(status.process)", status.name, status.state.rawValue, Digits.clock(status.seconds),
        "load \(LoadText.percent(status.load)) %", Digits.count(status.xruns, "xrun"),
        status.takes.isEmpty ? "" : "recording \(status.takes.map(\.tap).joined(separator: ", "))")
    }
    for line in table.lines { try Results().line(line) }
  }
}

/// `swiftlet status`: prints the state of a session.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the state of a running session.")

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var session: SessionOptions

  func run() throws {
    guard let status = try session.perform(.status).status else { return }
    guard !json else { return try Results().json(status.json) }
    var table = Table()
    table.add("session", "\(status.name), process \(status.process)")
    table.add("state", "\(status.state.rawValue), \(Digits.clock(status.seconds)) of sound")
    table.add("server", "\(status.server), \(Digits.short(status.sampleRate)) Hz, period \(status.period)")
    table.add(
      "load", "\(LoadText.percent(status.load)) % of the period, \(Digits.count(status.xruns, "xrun"))")
    table.add("nodes", "\(status.nodes)")
    table.add("timeline", "\(Digits.clock(status.position)), \(status.isRolling ? "rolling" : "stopped")")
    for take in status.takes {
      let lost = take.lostFrames > 0 ? ", \(Digits.count(take.lostFrames, "frame")) lost" : ""
      table.add("take", "\(take.tap): \(take.path), \(Digits.clock(take.seconds))\(lost)")
    }
    for line in table.lines { try Results().line(line) }
  }
}

extension ControlStatus {
  /// The status for `--json`.
  var json: JSONValue {
    .object([
      JSONValue.format, ("name", .string(name)), ("process", .integer(Int(process))),
      ("server", .string(server)), ("state", .string(state.rawValue)), ("sampleRate", .number(sampleRate)),
      ("period", .integer(period)), ("seconds", .number(seconds)), ("load", .number(load)),
      ("xruns", .integer(xruns)), ("nodes", .integer(nodes)), ("position", .number(position)),
      ("isRolling", .toggle(isRolling)), ("takes", .list(takes.map(Self.json))),
    ])
  }

  private static func json(_ take: Take) -> JSONValue {
    .object([
      ("tap", .string(take.tap)), ("path", .string(take.path)), ("seconds", .number(take.seconds)),
      ("lostFrames", .integer(take.lostFrames)),
    ])
  }
}
