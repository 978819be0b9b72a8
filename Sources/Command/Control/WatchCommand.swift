// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Glibc
internal import SwiftletControl
internal import SwiftletManifest

/// `swiftlet watch`: prints changed values and events of a session until the session ends.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print changed values and events of a running session until it ends.",
    discussion: """
      The first lines are all values. Without an address, the values of all nodes, wires and taps are watched, \
      without meters and the position. ^C ends the command.

        swiftlet watch                        all changes and events
        swiftlet watch comp.reduction         a meter
        swiftlet watch --json                 one JSON object a line
      """)

  @Argument(
    help: "The addresses to watch.",
    completion: .custom { words, _, _ in SessionCompletion.addresses(words, onlyWritable: false) })
  var address: [String] = []

  @Flag(help: "Print a JSON object a line.")
  var json = false

  @Flag(help: "Print no events.")
  var noEvents = false

  @Option(
    help: ArgumentHelp("Print changes at most so often, from 0.1 to 30 times a second.", valueName: "hertz"),
    transform: expecting("a number from 0.1 to 30, as in 10", Self.rate))
  var rate = 10.0

  @OptionGroup var session: SessionOptions

  func run() throws {
    let stopSignal = StopSignal()
    let connection = try session.connect()
    let subscription = ControlSubscription(
      addresses: address.isEmpty ? nil : address, hasEvents: !noEvents, rate: rate)
    _ = try connection.answer(to: .watch(subscription))
    while let line = try next(connection, stopSignal) { try print(line) }
  }

  /// Returns the next line; nil after ^C, or if the session has ended.
  private func next(_ connection: ControlConnection, _ stopSignal: StopSignal) throws(Failure) -> [UInt8]? {
    while !stopSignal.isEnding {
      do throws(ControlError) {
        if let line = try connection.readLine(within: .zero) { return line }
      } catch {
        session.common.console.note(error.text)
        return nil
      }
      var sources = [stopSignal.descriptor, connection.descriptor].map { descriptor in
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      }
      poll(&sources, nfds_t(sources.count), -1)
      if sources[0].revents != 0 { _ = stopSignal.requests() }
    }
    return nil
  }

  private func print(_ line: [UInt8]) throws {
    guard let reply = ControlReply(line: line) else { return }
    guard !json else { return try Results().write(reply.json.line + "\n") }
    for value in reply.values ?? [] {
      try Results().line(StyledText("\(value.address)  \(value.text)"))
    }
    for event in reply.events ?? [] where event.kind != .detail || session.common.verbose {
      try Results().line(StyledText("\(event.kind.rawValue): \(event.text)"))
    }
    if let lost = reply.lostEvents { session.common.console.warning("\(Digits.count(lost, "event")) lost") }
  }

  private static func rate(_ word: String) -> Double? {
    Double(word).flatMap { ControlSubscription.rates ~= $0 ? $0 : nil }
  }
}

extension ControlReply {
  /// The changes and events for `--json`.
  fileprivate var json: JSONValue {
    var fields: [(key: String, value: JSONValue)] = [JSONValue.format]
    if let values {
      let items = values.map { reading in
        JSONValue.object([
          ("address", .string(reading.address)), ("value", reading.value.json),
          ("text", .string(reading.text)),
        ])
      }
      fields.append(("values", .list(items)))
    }
    if let events {
      let items = events.map { event in
        JSONValue.object([("kind", .string(event.kind.rawValue)), ("text", .string(event.text))])
      }
      fields.append(("events", .list(items)))
    }
    if let lostEvents { fields.append(("lostEvents", .integer(lostEvents))) }
    return .object(fields)
  }
}
