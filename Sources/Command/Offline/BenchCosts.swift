// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletManifest

/// What a block costs: plain values, in seconds.
struct BenchCosts: Equatable {
  /// A node, or all wires, taps and mixes together.
  struct Row: Equatable {
    /// Its name.
    var name: String
    /// What it is.
    var what: String
    /// Seconds a block in the graph, and the plugin's alone; nil for what is no plugin.
    var seconds: Double, bare: Double?
  }

  /// What was measured: the client's name, frames a second, frames a block.
  var name: String, rate: Int, block: Int
  /// The nodes, in the order of the manifest.
  var rows: [Row]
  /// Wires, mixes, delays, taps and guards.
  var rest: Double

  /// Seconds that a block lasts.
  var period: Double { Double(block) / Double(rate) }
  /// Seconds that all of it takes.
  var total: Double { rows.map(\.seconds).reduce(rest, +) }
  /// What plugins take in the graph, and alone.
  var plugins: (seconds: Double, bare: Double) {
    let plugins = rows.filter { $0.bare != nil }
    return (plugins.map(\.seconds).reduce(0, +), plugins.compactMap(\.bare).reduce(0, +))
  }

  /// For people.
  var lines: [String] {
    var table = Table(indent: "  ")
    table.add("node", "what it is", "a block", "bare run()", "ratio")
    for row in rows {
      table.add(
        row.name, row.what, Self.micro(row.seconds), row.bare.map(Self.micro) ?? "",
        row.bare.map { Self.ratio(row.seconds, $0) } ?? "")
    }
    table.add("", "wires, mixes, taps", Self.micro(rest))
    let (seconds, bare) = plugins
    if bare > 0 {
      table.add("", "all plugins", Self.micro(seconds), Self.micro(bare), Self.ratio(seconds, bare))
    }
    table.add("", "everything", Self.micro(total))
    let percent = Digits.fixed(total / period * 100, 1)
    return [
      "\(name): a block of \(Digits.count(block, "frame")) at \(Digits.short(Double(rate) / 1000)) kHz takes "
        + "\(Self.micro(total)), \(percent) % of its time"
    ] + table.lines
  }

  /// For programs.
  var json: JSONValue {
    let (seconds, bare) = plugins
    return .object([
      JSONValue.format, ("name", .string(name)), ("sampleRate", .integer(rate)), ("block", .integer(block)),
      ("period", .number(period)), ("seconds", .number(total)), ("rest", .number(rest)),
      ("pluginSeconds", .number(seconds)), ("pluginBareSeconds", .number(bare)),
      ("pluginRatio", bare > 0 ? .number(seconds / bare) : .null),
      (
        "nodes",
        .list(
          rows.map { row in
            .object([
              ("name", .string(row.name)), ("what", .string(row.what)), ("seconds", .number(row.seconds)),
              ("bareSeconds", row.bare.map(JSONValue.number) ?? .null),
            ])
          })
      ),
    ])
  }

  private static func micro(_ seconds: Double) -> String { "\(Digits.fixed(seconds * 1e6, 2)) µs" }

  private static func ratio(_ seconds: Double, _ bare: Double) -> String {
    bare > 0 ? Digits.fixed(seconds / bare, 2) : ""
  }
}
