// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletLV2
internal import SwiftletManifest

/// `swiftlet state show`: prints the contents of a state.
struct StateShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the contents of a state: plugin, parameters, properties and files.",
    discussion: "The plugin need not be installed. A file that is missing is an error.")

  @Argument(help: "The folder of a state, or of several states.", completion: .directory)
  var folder: String

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    var failure: Failure?
    var states: [(node: String?, contents: StateContents)] = []
    for state in try StateFolder.requireStates(in: folder) {
      let contents = try StateContents(folder: state.path)
      for property in contents.instances.flatMap(\.properties) where property.isThere == false {
        console.error("'\(state.path)' names the file '\(property.value)', which is not there")
        failure = .silent(.badInput)
      }
      states.append((state.node, contents))
    }
    try Results().print(before: failure) { results in
      if json {
        let list = states.map { Self.json($0.node, $0.contents) }
        return try results.json(.object([JSONValue.format, ("states", .list(list))]))
      }
      for (node, contents) in states {
        for line in Self.page(node, contents) { try results.line(line) }
      }
    }
  }

  private static func page(_ node: String?, _ contents: StateContents) -> [StyledText] {
    var lines = [StyledText((node.map { "\($0): " } ?? "") + "a state of <\(contents.plugin)>")]
    for (number, instance) in contents.instances.enumerated() {
      if contents.instances.count > 1 { lines.append(StyledText("  instance \(number + 1)")) }
      var table = Table(indent: contents.instances.count > 1 ? "    " : "  ")
      for port in instance.ports { table.add(port.symbol, port.value, "") }
      for property in instance.properties {
        let missing = property.isThere == false ? ", which is not there" : ""
        table.add(name(of: property.uri), property.value.shortened(), property.type + missing)
      }
      lines += table.lines
    }
    return lines
  }

  /// Returns the last part of a URI.
  private static func name(of uri: String) -> String {
    uri.lastIndex { $0 == "#" || $0 == "/" }.map { String(uri[uri.index(after: $0)...]) } ?? uri
  }

  private static func json(_ node: String?, _ contents: StateContents) -> JSONValue {
    let instances = contents.instances.map { instance in
      JSONValue.object([
        (
          "ports",
          .list(
            instance.ports.map { .object([("symbol", .string($0.symbol)), ("value", .string($0.value))]) })
        ),
        (
          "properties",
          .list(
            instance.properties.map {
              .object([
                ("uri", .string($0.uri)), ("type", .string($0.type)), ("value", .string($0.value)),
                ("isThere", $0.isThere.map(JSONValue.toggle) ?? .null),
              ])
            })
        ),
      ])
    }
    return .object([
      ("node", .optional(node)), ("plugin", .string(contents.plugin)), ("instances", .list(instances)),
    ])
  }
}
