// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// One parser of bytes from outside the process, as the fuzzer and the corpus tests call it.
///
/// Every call must return, whatever the bytes are: a trap or a hang is a finding.
struct FuzzTarget: Sendable {
  /// The name in `make fuzz TARGET=name`, and the folder of its cases in `Fuzz/corpus`.
  let name: String
  /// How inputs of the format are laid out, for the mutator.
  let format: FuzzFormat
  /// The longest input in bytes.
  var longest = 4096
  /// Inputs that the parser accepts: where the fuzzer begins.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Gives the bytes to the parser. Returns whether it accepted them, as it does every seed.
  let feed: @Sendable ([UInt8]) -> Bool
  /// A fault of the kind that such parsers have: `make fuzz-proof` requires that the fuzzer finds it. It never runs
  /// anywhere else.
  let plantedFault: @Sendable ([UInt8]) -> Void

  /// All targets.
  static let all: [FuzzTarget] = [
    .json, .packets, .journal, .session, .registry, .names, .cache, .midi, .events, .wave, .exportedWave,
    .headers, .ima4, .mpeg, .boxes, .sound, .atoms, .sofa, .turtle, .yaml, .documents, .text,
  ]
}

/// How inputs of a format are laid out: what a mutator that knows the format changes.
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
