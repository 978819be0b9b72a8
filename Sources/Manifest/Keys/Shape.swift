// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The syntax of a key's value. The parser uses it, and the JSON Schema is generated from it.
indirect enum Shape: Sendable {
  /// Text of one or more characters.
  case text
  /// `true` or `false`.
  case toggle
  /// A number with an optional unit, within a range in the given unit.
  case number(ParameterUnit, ClosedRange<Double>)
  /// A level: a linear factor from 0, or decibels.
  case level
  /// A time: seconds, minutes, frames, or bars and beats.
  case time
  /// A range of times: `5|1..9|1`.
  case range
  /// A bar and a beat: `5|1`.
  case barBeat
  /// A time signature: `3/4`.
  case timeSignature
  /// A whole number without a unit.
  case whole(ClosedRange<Int>)
  /// One of several words.
  case choice([String])
  /// No value.
  case nothing
  /// `mono`, `stereo` or a number of channels.
  case channels
  /// A tap's point: `node`, `node.bus`, `node[channel]` or `node.bus[channel]`, or a wire between two of those.
  case point
  /// A wire or a chain of wires: `a -> b -> c`.
  case wire
  /// A mapping of parameters by symbol.
  case settings
  /// A node: the name of a kind, or a mapping with exactly one kind.
  case node
  /// The value of any parameter.
  case value
  /// A mapping of lanes by target: `node.parameter`, or `a -> b.volume`.
  case lanes(Shape)
  /// A mapping with the user's names as keys.
  case named(Shape)
  /// A mapping with ends of wires as keys: `reverb`, `echo.sidechain`.
  case ends(Shape)
  /// A list.
  case list(Shape)
  /// A mapping with these keys, and with exactly one of those in `oneOf` unless it is empty.
  case keys([KeyDescription], oneOf: [String])
  /// One of several shapes.
  case either([Shape])
}

/// A key with its meaning and the syntax of its value.
struct KeyDescription: Sendable {
  let key: String
  let meaning: String
  let shape: Shape
  /// Whether the key is required.
  let isRequired: Bool
}

/// The keys of one kind of mapping. Each key is described once, here. Switches over them have no default case.
protocol ManifestKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The key's meaning in one line.
  var meaning: String { get }
  /// The syntax of the key's value.
  var shape: Shape { get }
  /// Whether the key is required; default: false.
  var isRequired: Bool { get }
}

extension ManifestKey {
  var isRequired: Bool { false }

  /// The descriptions of all keys.
  static var descriptions: [KeyDescription] { descriptions(of: Array(allCases)) }

  /// Returns the descriptions of some keys.
  static func descriptions(of keys: [Self]) -> [KeyDescription] {
    keys.map {
      KeyDescription(key: $0.rawValue, meaning: $0.meaning, shape: $0.shape, isRequired: $0.isRequired)
    }
  }
}
