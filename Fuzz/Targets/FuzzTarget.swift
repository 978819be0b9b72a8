// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// A parser of bytes from outside the process, as called by the fuzzer and the corpus tests.
///
/// Every call must return for any bytes: a trap or a hang is a finding.
struct FuzzTarget: Sendable {
  /// The name in `make fuzz TARGET=name`, and of the folder of its cases in `Fuzz/corpus`.
  let name: String
  /// The structure of the input format, for the mutator.
  let format: FuzzFormat
  /// The longest input in bytes.
  var longest = 4096
  /// Inputs that the parser accepts, with which the fuzzer starts.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Passes the bytes to the parser. Returns whether it accepted them, which must be true for every seed.
  let feed: @Sendable ([UInt8]) -> Bool
  /// A typical fault of such a parser. `make fuzz-proof` requires that the fuzzer finds it. It runs only there.
  let plantedFault: @Sendable ([UInt8]) -> Void

  /// All targets.
  static let all: [FuzzTarget] = [
    .json, .packets, .journal, .session, .control, .registry, .names, .cache, .midi, .events, .wave,
    .exportedWave,
    .headers, .ima4, .mpeg, .boxes, .sound, .atoms, .sofa, .turtle, .yaml, .documents, .text,
  ]
}

/// The structure of an input format, which the mutator changes.
struct FuzzFormat: Sendable {
  /// Pairs of texts that open and close a level, if the format nests.
  var brackets: [(open: String, close: String)] = []
  /// Whether numbers are written as text.
  var isText = false
  /// Words of the format: names of chunks, keys, magic numbers.
  var words: [[UInt8]] = []

  /// A format of text.
  static func text(_ words: [String], brackets: [(open: String, close: String)] = []) -> FuzzFormat {
    FuzzFormat(brackets: brackets, isText: true, words: words.map { Array($0.utf8) })
  }

  /// A format of chunks with a name and a length each.
  static func chunks(_ names: [String]) -> FuzzFormat { FuzzFormat(words: names.map { Array($0.utf8) }) }
}
