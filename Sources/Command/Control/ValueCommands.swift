// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletControl
internal import SwiftletManifest

/// `swiftlet get`: prints values of a session.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print values of a running session.",
    discussion: """
      An address is a name as in manifests. A group, such as a node, stands for all its values. Without an address, \
      all values are printed.

        swiftlet get echo.time                the value of a parameter
        swiftlet get echo 'voice->main'       all values of a node and a wire
        swiftlet get --json echo              with units, ranges, choices and defaults
      """)

  @Argument(
    help: "The addresses, such as echo.time.",
    completion: .custom { words, _, _ in SessionCompletion.addresses(words, onlyWritable: false) })
  var address: [String] = []

  @Flag(help: "Print JSON, with the descriptions of the values.")
  var json = false

  @OptionGroup var session: SessionOptions

  func run() throws {
    let connection = try session.connect()
    if json {
      var items: [ControlAddress] = []
      for group in address.isEmpty ? [nil] : address.map({ $0 }) as [String?] {
        let found = try connection.answer(to: .list(group)).addresses ?? []
        items += found.filter { new in !items.contains { $0.address == new.address } }
      }
      return try Results().json(.object([JSONValue.format, ("values", .list(items.map(\.json)))]))
    }
    let values = try connection.answer(to: .get(address)).values ?? []
    if values.count == 1, address.count == 1, values[0].address == address[0] {
      return try Results().line(StyledText(values[0].text))
    }
    var table = Table()
    for value in values { table.add(value.address, value.text) }
    for line in table.lines { try Results().line(line) }
  }
}

/// `swiftlet set`: sets a value of a session.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set a value of a running session, without a click.",
    discussion: """
      Values are written as in manifests: a number with or without its unit, the name of a choice, true or false. A \
      value out of range changes nothing.

        swiftlet set echo.time 350ms
        swiftlet set 'voice->main.gain' -3dB --over 2
        swiftlet set 'tone.bands[2].gain' '4 dB'
      """)

  @Argument(
    help: "The address, such as echo.time.",
    completion: .custom { words, _, _ in SessionCompletion.addresses(words, onlyWritable: true) })
  var address: String

  @Argument(help: "The value.", completion: .custom { words, _, _ in SessionCompletion.values(words) })
  var value: String

  @Option(
    help: ArgumentHelp("Glide to the value over this time.", valueName: "seconds"),
    transform: expecting(Seconds.expected, Seconds.init))
  var over: Seconds?

  @OptionGroup var session: SessionOptions

  func validate() throws {
    if let over, !(ControlTree.glides ~= over.value) {
      throw ValidationError("--over is at most \(Digits.short(ControlTree.glides.upperBound)) seconds")
    }
  }

  func run() throws {
    let plain = value.trimmingPrefix(while: \.isWhitespace).trimmingSuffix(while: \.isWhitespace)
    let reply = try session.perform(
      .set(address, .text(plain), over: over.map { .seconds($0.value) }))
    for value in reply.values ?? [] { session.common.console.detail("\(value.address): \(value.text)") }
  }
}

/// `swiftlet bypass`: bypasses a node of a session, or ends its bypass.
struct BypassCommand: ParsableCommand {
  /// The state of a bypass.
  enum State: String, CaseIterable, ExpressibleByArgument { case on, off }

  static let configuration = CommandConfiguration(
    commandName: "bypass", abstract: "Bypass an effect or plugin of a running session, without a click.",
    discussion: "Without on or off, the state is reversed. The new state is printed.")

  @Argument(
    help: "The node.", completion: .custom { words, _, _ in SessionCompletion.nodes(words) })
  var node: String

  @Argument(help: "The state: on or off.")
  var state: State?

  @OptionGroup var session: SessionOptions

  func run() throws {
    let reply = try session.perform(.bypass(node, state.map { $0 == .on }))
    guard let value = reply.values?.first?.value else { return }
    try Results().line(StyledText(value == .toggle(true) ? "on" : "off"))
  }
}

extension ControlAddress {
  /// The description and the value for `--json`.
  var json: JSONValue {
    var fields: [(key: String, value: JSONValue)] = [
      ("address", .string(address)), ("value", value.json), ("text", .optional(text)),
      ("type", .string(kind.rawValue)), ("access", .string(access.rawValue)),
    ]
    if let unit { fields.append(("unit", .string(unit))) }
    if let minimum { fields.append(("minimum", .number(minimum))) }
    if let maximum { fields.append(("maximum", .number(maximum))) }
    if let choices { fields.append(("choices", .list(choices.map(JSONValue.string)))) }
    if initial != nil { fields.append(("default", initial.json)) }
    if isMeter == true { fields.append(("isMeter", .toggle(true))) }
    if let meaning { fields.append(("description", .string(meaning))) }
    return .object(fields)
  }
}

extension ControlValue? {
  /// The value for `--json`.
  var json: JSONValue {
    switch self {
    case nil: .null
    case .number(let number): .number(number)
    case .toggle(let isOn): .toggle(isOn)
    case .text(let text): .string(text)
    }
  }
}
