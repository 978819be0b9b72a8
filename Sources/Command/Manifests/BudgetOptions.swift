// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser

/// The options of `check` that measure the load.
struct BudgetOptions: ParsableArguments {
  @Flag(help: "Also measure the load on this machine, for some two seconds each, and warn above 70 %.")
  var budget = false

  @Option(
    help: ArgumentHelp("With --budget: frames in a period of JACK; default 256.", valueName: "frames"),
    transform: expecting("frames", in: 16...8192, as: 64))
  var period: Int?

  @Option(
    help: ArgumentHelp("With --budget: frames a second; default 48000.", valueName: "hertz"),
    transform: expecting("hertz", in: 8000...384_000, as: 48_000))
  var rate: Int?

  @Flag(help: "With --budget: print JSON.")
  var json = false

  func validate() throws {
    guard !budget else { return }
    for (isGiven, name) in [(period != nil, "--period"), (rate != nil, "--rate"), (json, "--json")]
    where isGiven {
      throw ValidationError("\(name) goes with --budget")
    }
  }

  /// The measurement; nil without `--budget`.
  var measurement: Budget? {
    let usual = DummyRate()
    return budget ? Budget(rate: rate ?? usual.sampleRate, period: period ?? usual.period) : nil
  }
}
