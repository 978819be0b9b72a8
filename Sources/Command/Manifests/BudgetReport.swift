// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletManifest

/// The load of a manifest on this machine, as `check --budget` prints it.
struct BudgetReport: Equatable {
  /// The share of the period above which there is a warning.
  static let limit = 0.7
  /// The minimum share of the period of a node that is named without a warning, and the maximum number of named
  /// nodes.
  private static let namedShare = 0.05, namedNodes = 3

  /// The manifest's name as the user wrote it.
  var file: String
  /// The sample rate in Hz, and the period in frames.
  var rate: Int, period: Int
  /// The measured load.
  var estimate: LoadEstimate

  /// Whether the load is above ``limit``. One slow cycle in twenty is enough, since each is an xrun.
  var isTooMuch: Bool { max(load.median, load.high) > Self.limit }

  /// The result as text.
  var line: StyledText {
    let named = estimate.nodes.prefix(Self.namedNodes).filter { $0.share >= Self.namedShare }
    let most = named.isEmpty ? "" : "; most of it goes to \(LoadText.nodes(Array(named)))"
    return "\(file): load at \(size): \(LoadText.line(load))\(most)"
  }

  /// A warning with advice if the load is too high; nil otherwise.
  var warning: Problem? {
    guard isTooMuch else { return nil }
    let named = Array(estimate.nodes.prefix(Self.namedNodes))
    let most = named.isEmpty ? "" : "; most of it goes to \(LoadText.nodes(named))"
    let loss = load.median > 1 ? "sound will be lost" : "sound may be lost"
    let which = load.median > Self.limit ? "a cycle takes" : "one cycle of twenty takes more than"
    let share = LoadText.percent(load.median > Self.limit ? load.median : load.high)
    return Problem(
      .warning, file: file,
      message:
        "\(which) \(share) % of the period at \(size), and more than \(LoadText.percent(Self.limit)) % is not safe:"
        + " \(loss)\(most); choose a longer period, or remove or bypass nodes")
  }

  /// The result as JSON.
  var json: JSONValue {
    .object([
      ("file", .string(file)), ("sampleRate", .integer(rate)), ("period", .integer(period)),
      ("load", .number(load.median)), ("highLoad", .number(load.high)), ("cycles", .integer(load.cycleCount)),
      ("isTooMuch", .toggle(isTooMuch)),
      (
        "nodes",
        .list(
          estimate.nodes.map { .object([("name", .string($0.node)), ("load", .number($0.share))]) })
      ),
    ])
  }

  private var load: CycleLoad { estimate.load }

  private var size: String {
    "\(Digits.count(period, "frame")) and \(Digits.short(Double(rate) / 1000)) kHz"
  }
}
