// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// The costs of a block, in seconds.
struct BenchCosts: Equatable {
  /// The costs of a node.
  struct Row: Equatable {
    /// The node's name.
    var name: String
    /// The name of the node's effect or plugin.
    var what: String
    /// The mean and the longest time in the graph, and the plugin's time without the graph, in seconds a block; nil
    /// for a node that is no plugin.
    var seconds: Double, worst: Double, bare: Double?
  }

  /// The client's name, the sample rate in Hz, and the block length in frames.
  var name: String, rate: Int, block: Int
  /// The nodes in the order of the manifest, each timed separately.
  var rows: [Row]
  /// The time of a whole block in the graph, the time of its longest one, and the time of all plugins in a bare loop,
  /// 0 without plugins. These are measured without timing single steps. `longest` is the median, over many turns, of
  /// the longest of 200 blocks.
  var total: Double, longest: Double, bare: Double
  /// The costs of edits; nil if not measured.
  var edit: EditCosts?
  /// The elapsed time of edits in JACK; nil if not measured.
  var liveEdit: LiveEditCosts?
  /// The delays of a composition after a seek and an edit; nil if not measured.
  var composition: CompositionCosts?

  /// The duration of a block in seconds.
  var period: Double { Double(block) / Double(rate) }
  /// The time that no row includes: input and output nodes, wires, mixes, delays, taps and guards.
  var rest: Double { max(total - rows.map(\.seconds).reduce(0, +), 0) }

  /// The table as text.
  var lines: [StyledText] {
    var table = Table(indent: "  ")
    table.add("node", "what it is", "a block", "the longest", "bare run()", "ratio")
    for row in rows {
      table.add(
        row.name, row.what, Self.micro(row.seconds), Self.micro(row.worst), row.bare.map(Self.micro) ?? "",
        row.bare.map { Self.ratio(row.seconds, $0) } ?? "")
    }
    table.add("", "wires, mixes, taps", Self.micro(rest))
    table.add(
      "", "everything", Self.micro(total), "", bare > 0 ? Self.micro(bare) : "", Self.ratio(total, bare))
    let percent = Digits.fixed(total / period * 100, 1)
    let summary: StyledText = """
      \(name): a block of \(Digits.count(block, "frame")) at \(Digits.short(Double(rate) / 1000)) kHz takes \
      \(Self.micro(total)), \(percent) % of its time; the longest of 200 takes \(Self.micro(longest))
      """
    return [summary] + table.lines + (edit.map { [Self.line($0)] } ?? [])
      + (liveEdit.map { [Self.line($0)] } ?? [])
      + (composition.map { [Self.line($0)] } ?? [])
  }

  private static func line(_ costs: CompositionCosts) -> StyledText {
    """
    a seek of the tracks as one item is audible after \(Digits.fixed(costs.seek * 1e3, 1)) ms (at most \
    \(Digits.fixed(costs.longestSeek * 1e3, 1)) ms), an edit after \(Digits.fixed(costs.edit * 1e3, 1)) ms (at most \
    \(Digits.fixed(costs.longestEdit * 1e3, 1)) ms)
    """
  }

  private static func line(_ edit: EditCosts) -> StyledText {
    let plugin =
      edit.plugin.map { ", a plugin that is attached and connected \(Digits.fixed($0 * 1e3, 2)) ms" } ?? ""
    return """
      an edit takes \(Digits.fixed(edit.call * 1e3, 2)) ms of processor time\(plugin); a block that begins with a new \
      plan takes \(micro(edit.adoptingCycle)), others \(micro(edit.otherCycle))
      """
  }

  private static func line(_ edit: LiveEditCosts) -> StyledText {
    """
    in JACK, a plugin that is attached and connected takes \(Digits.fixed(edit.call * 1e3, 2)) ms besides its creation, \
    and is heard \(Digits.fixed(edit.heard * 1e3, 1)) ms later; 48 plugins are removed in \
    \(Digits.fixed(edit.removal * 1e3, 1)) ms
    """
  }

  /// The costs as JSON.
  var json: JSONValue {
    .object([
      JSONValue.format, ("name", .string(name)), ("sampleRate", .integer(rate)), ("block", .integer(block)),
      ("period", .number(period)), ("seconds", .number(total)), ("longestSeconds", .number(longest)),
      ("rest", .number(rest)),
      ("bareSeconds", bare > 0 ? .number(bare) : .null), ("ratio", bare > 0 ? .number(total / bare) : .null),
      (
        "edit",
        edit.map { edit in
          .object([
            ("callSeconds", .number(edit.call)), ("adoptingSeconds", .number(edit.adoptingCycle)),
            ("otherSeconds", .number(edit.otherCycle)),
            ("pluginSeconds", edit.plugin.map { .number($0) } ?? .null),
            ("removalSeconds", edit.removal.map { .number($0) } ?? .null),
          ])
        } ?? .null
      ),
      (
        "liveEdit",
        liveEdit.map { edit in
          .object([
            ("callSeconds", .number(edit.call)), ("heardSeconds", .number(edit.heard)),
            ("removalSeconds", .number(edit.removal)),
          ])
        } ?? .null
      ),
      (
        "composition",
        composition.map { costs in
          .object([
            ("seekSeconds", .number(costs.seek)), ("longestSeekSeconds", .number(costs.longestSeek)),
            ("editSeconds", .number(costs.edit)), ("longestEditSeconds", .number(costs.longestEdit)),
          ])
        } ?? .null
      ),
      (
        "nodes",
        .list(
          rows.map { row in
            .object([
              ("name", .string(row.name)), ("what", .string(row.what)), ("seconds", .number(row.seconds)),
              ("worstSeconds", .number(row.worst)),
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
