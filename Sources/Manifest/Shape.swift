// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// What may stand under a key. The parser reads by it, and the schema for editors is written from it.
indirect enum Shape: Sendable {
  /// Free text of one line or more letters.
  case text
  /// `true` or `false`.
  case toggle
  /// A number that may carry a unit, within a range in the first unit.
  case number(ParameterUnit, ClosedRange<Double>)
  /// A level: a factor of 0 or more, or decibels.
  case level
  /// A time: seconds, minutes, frames, or bars and beats.
  case time
  /// Two times: `5|1..9|1`.
  case range
  /// A bar and a beat: `5|1`.
  case barBeat
  /// How many beats a bar has, and which note is one: `3/4`.
  case meter
  /// A whole number without unit.
  case whole(ClosedRange<Int>)
  /// One of some words.
  case choice([String])
  /// Nothing at all.
  case nothing
  /// `mono`, `stereo` or a number of channels.
  case channels
  /// `node`, `node.bus`, `node[channel]` or `node.bus[channel]`, or a wire between two of those.
  case point
  /// A wire or a chain of them: `a -> b -> c`.
  case wire
  /// Parameters by symbol.
  case settings
  /// A node: the word for a kind, or keys with exactly one kind among them.
  case node
  /// A parameter's value, whatever it is.
  case value
  /// Lanes by what moves: `node.parameter`, or `a -> b.volume`.
  case lanes(Shape)
  /// Parts that the user names.
  case named(Shape)
  /// Parts named by the end of a wire: `reverb`, `echo.sidechain`.
  case ends(Shape)
  /// A list.
  case list(Shape)
  /// A mapping of certain keys, with exactly one of those in `oneOf` where it names any.
  case keys([KeyDescription], oneOf: [String])
  /// One of several shapes.
  case either([Shape])
}

/// A key, what it means and what may stand under it.
struct KeyDescription: Sendable {
  let key: String
  let meaning: String
  let shape: Shape
  /// Whether the mapping is nothing without it.
  let isRequired: Bool
}

/// The keys of one kind of mapping. Each key is described once, here; switches over them have no default.
protocol ManifestKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// What the key is for, in one line.
  var meaning: String { get }
  /// What may stand under it.
  var shape: Shape { get }
  /// Whether the mapping is nothing without it.
  var isRequired: Bool { get }
}

extension ManifestKey {
  var isRequired: Bool { false }

  /// All keys, described.
  static var descriptions: [KeyDescription] { descriptions(of: Array(allCases)) }

  /// Some keys, described.
  static func descriptions(of keys: [Self]) -> [KeyDescription] {
    keys.map {
      KeyDescription(key: $0.rawValue, meaning: $0.meaning, shape: $0.shape, isRequired: $0.isRequired)
    }
  }
}
