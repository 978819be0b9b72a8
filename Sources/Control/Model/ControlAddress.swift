// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The description of an address: a value of a session that front ends can read or set.
///
/// The names are those of manifests: `echo.time`, `tone.bands[2].gain` (bands count from 1), `voice->main.mute`,
/// `main.gain`, `echo.bypass`, `timeline.position`, `taps.wet.record`.
package struct ControlAddress: Codable, Sendable, Equatable {
  /// The type of the values.
  package enum Kind: String, Codable, Sendable {
    case number, integer, toggle, choice
    /// A time on the timeline; as a number, in seconds.
    case time
    case text
  }

  /// The access of front ends to a value.
  package enum Access: String, Codable, Sendable {
    case read
    case readWrite = "read-write"
  }

  /// The address.
  package var address: String
  /// The type of the values.
  package var kind: Kind
  /// The unit of numbers, as in manifests, such as `ms`; nil for none.
  package var unit: String?
  /// The ends of the range of numbers; nil for an end that is not specified.
  package var minimum: Double?, maximum: Double?
  /// The names that the value can have, in addition to numbers unless the type is `choice`.
  package var choices: [String]?
  /// The default value; nil for a value without one.
  package var initial: ControlValue?
  /// Whether the value can be set.
  package var access: Access
  /// Whether the session itself changes the value all the time, such as a level or a position.
  package var isMeter: Bool?
  /// The description in one line; nil for none.
  package var meaning: String?
  /// The value when the description was requested, and its text; nil if it is not known.
  package var value: ControlValue?, text: String?

  /// Creates the description of an address.
  package init(
    _ address: String, _ kind: Kind, unit: String? = nil, minimum: Double? = nil, maximum: Double? = nil,
    choices: [String]? = nil, initial: ControlValue? = nil, access: Access = .readWrite,
    isMeter: Bool = false,
    meaning: String
  ) {
    self.address = address
    self.kind = kind
    self.unit = unit
    (self.minimum, self.maximum) = (minimum, maximum)
    self.choices = choices
    self.initial = initial
    self.access = access
    self.isMeter = isMeter ? true : nil
    self.meaning = meaning.isEmpty ? nil : meaning
  }

  /// Returns whether an address is in a group: `tone.bands[2].gain` is in `tone`, `tone.bands` and `tone.bands[2]`.
  package static func isInGroup(_ address: String, _ group: String) -> Bool {
    let rest = address.utf8.dropFirst(group.utf8.count)
    return address.hasPrefix(group)
      && (rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "["))
  }
}

/// A value of a session: its description, and the functions that read and set it. Any thread may call them.
package struct ControlEntry: Sendable {
  /// The value as JSON and as text.
  package typealias Read = @Sendable () -> (value: ControlValue?, text: String)
  /// Sets the value; over a time, if one is given.
  package typealias Write = @Sendable (ControlValue, Duration?) throws(ControlError) -> Void

  /// The description, without the present value.
  package let address: ControlAddress
  /// Other spellings of the address, such as `voice.out->main.in.gain`.
  package let aliases: [String]
  package let read: Read
  /// Nil for a value that can only be read.
  package let write: Write?

  /// Creates an entry. Without `write`, the value can only be read.
  package init(
    _ address: ControlAddress, aliases: [String] = [], read: @escaping Read, write: Write? = nil
  ) {
    var address = address
    address.access = write == nil ? .read : .readWrite
    self.address = address
    self.aliases = aliases
    self.read = read
    self.write = write
  }

  var reading: ControlReading {
    let (value, text) = read()
    return ControlReading(address: address.address, value: value, text: text)
  }
}
